"""Secrets are masked, ordinary words are not."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text import redact as redacting
from memoranda.text.redact import MARK, Redacted, redact

# Made-up secrets are put together here, so that no scanner takes this file for a leak.
LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5pQ8"

SECRETS = [
    ("see AKIA" + "IOSFODNN7EXAMPLE now", "see * now"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "AWS_SECRET_ACCESS_KEY=*"),
    ("use gh" + f"p_{LETTERS} here", "use * here"),
    ("github_" + f"pat_{LETTERS}", "*"),
    ("npm" + f"_{LETTERS[:36]}", "*"),
    ("xox" + "b-123456789012-abcdefGHIJ", "*"),
    ("AI" + f"za{LETTERS[:35]}", "*"),
    ("key sk" + "-ant-api03-abcdefghijk", "key *"),
    ("sk_" + "live_abcdefghij1234", "*"),
    ("-H 'Authorization: Basic dXNlcjpwYXNz'", "-H 'Authorization: Basic *'"),
    ("he sent Bearer abcdef0123456789xyz twice", "he sent Bearer * twice"),
    ("redis://:hunter2@cache/0", "redis://:*@cache/0"),
    ("postgres://bob:p@ss@db/x", "postgres://bob:*@db/x"),
    ('{"password": "x", "user": "bob"}', '{"password": "*", "user": "bob"}'),
    ('{\\"password\\": \\"a b\\", \\"n\\": 1}', '{\\"password\\": \\"*\\", \\"n\\": 1}'),
    ("db:\n  password: swordfish\n  port: 1", "db:\n  password: *\n  port: 1"),
    ("api_key: abcd1234efgh, next", "api_key: *, next"),
    ("API key: abcd1234efgh", "API key: *"),
    ("DB_PASSWORD=12345678", "DB_PASSWORD=*"),
    ("mysql --password hunter2 -u bob", "mysql --password * -u bob"),
    ("GET /x?token=abc123&page=1", "GET /x?token=*&page=1"),
    ("secret=topsecret", "secret=*"),
    ("password = 'hunter2'", "password = '*'"),
    ('password="a\\"b" ok', 'password="*" ok'),
    ("my password is hunter2, remember", "my password is *, remember"),
    ('token: "abc cut off', 'token: "*'),
    ("//registry.example.org/:_authToken=abcdef", "//registry.example.org/:_authToken=*"),
    ('password="x AKIA' + 'IOSFODNN7EXAMPLE y"', 'password="*"'),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEabc", "*"),
    ("a -----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY----- b", "a * b"),
]
ORDINARY = [
    "my password policy is strict",
    "token budget: 4096",
    "token: 4096",
    "max_tokens=256, token_count: 12",
    "token = get_token()",
    "token = tokens[i]",
    'api_key=os.getenv("KEY")',
    "password=password, token=self.token, secret: clientSecret",
    "def login(password: str, token: Optional[str] = None):",
    "password=$DB_PASSWORD",
    "password: ${{ secrets.DB }}",
    "PWD=/root/project",
    "The secret: practice daily",
    "password: must be 12 characters",
    "password is sha256 hashed",
    "the password is required",
    "if token == expected1:",
    "Basic understanding of internationalization",
    "sk-learn-compatible-estimators",
    "git commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "https://example.com:8080/a@b",
    "secretary: Anna22 prefers tea",
    "User prefers dark mode and short answers",
]
NAMES = ("password", "token", "secret_key", "--token", "Bearer ", "Authorization: ", "://", "a:b@", "4096", "x", "abc1")
SIGNS = ("=", ": ", " is ", '"', "'", '\\"', "\\", "\n", " ", ",", "(", "[", MARK)
TOKENS = ("sk-", "eyJabcdefg.", "A1" * 12, "AKIA" + "B" * 16, "ghp_" + "a" * 30)
BLOCKS = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----")
PIECES = st.lists(st.sampled_from((*NAMES, *SIGNS, *TOKENS, *BLOCKS)), max_size=14).map("".join)


def test_the_secrets_of_the_case_go_and_the_words_around_stay(case: Callable[[str], dict[str, Any]]) -> None:
    """Case R03: the first four are masked, the last three are unchanged."""
    texts = case("R03")["input"]["texts"]
    assert [redact(text).text for text in texts[:4]] == [
        f"export API_TOKEN={MARK}",
        f"Authorization: Bearer {MARK}",
        MARK,
        f"postgres://bob:{MARK}@db:5432/x",
    ]
    assert all(redact(text).kinds for text in texts[:4])
    assert [redact(text) for text in texts[4:]] == [Redacted(text=text) for text in texts[4:]]


@pytest.mark.parametrize(("text", "masked"), SECRETS)
def test_secrets_are_masked(text: str, masked: str) -> None:
    """S1.27."""
    redacted = redact(text)
    assert redacted.text == masked.replace("*", MARK)
    assert redacted.kinds
    assert redact(redacted.text) == Redacted(text=redacted.text)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_untouched(text: str) -> None:
    """S1.27: ordinary preferences stay, and so do code, digests and talk about secrets."""
    assert redact(text) == Redacted(text=text)


def test_kinds_are_named_once() -> None:
    found = redact("postgres://a:b@c password=x1 token=y2 " + "AKIA" + "IOSFODNN7EXAMPLE")
    assert found.kinds == ("token", "url password", "named secret")


@given(PIECES | st.text())
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text


@pytest.mark.parametrize(
    "piece",
    [
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "eyJ-",
        "password",
        'password: "',
        "a://b:",
        "Bearer ",
        "secret_key_",
        "\\",
        "--a-",
        "gh",
        "=",
    ],
)
def test_a_long_text_takes_linear_time(piece: str) -> None:
    """A quadratic pattern would need hours for these; a test run that ends is the proof."""
    text = piece * (200_000 // len(piece))
    assert len(redact(text).text) <= len(text) + len(text) * len(MARK)


_NAMES = ["password", "PASSWORD", "api_key", "apiKey", "client secret", "token", "Authorization", "bearer", "_auth"]
_SIGNS = ["=", ": ", " is ", " was ", '"', "'", "\\", " ", "\n", "-", "--", "(", ",", "://", "@"]
_PIECES = st.sampled_from([*_NAMES, *_SIGNS, "basic", "hunter2x9", "s3cr3tV4lue99", "\u0130", "\u212a"])


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_trying_a_pattern_only_where_its_words_stand_finds_the_same(text: str) -> None:
    for pattern in redacting._PATTERNS:
        assert redacting._without(pattern, text) == pattern.regex.sub(partial(redacting._masked, pattern), text)
