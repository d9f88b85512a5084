"""Masking of secrets before a text is stored, embedded or shown to a model (S1.27, case R03).

Two ways of finding them: tokens that show by their own form what they are (a private key block, ``ghp_...``), and
values that a name gives away (``password=...``). Digests, UUIDs, numbers of a token budget, calls and references in
code and plain talk about passwords are no secrets. A text is to be redacted before it is cut: half a key still leaks.

Every pattern is linear: repeats are possessive or bounded, and a token is tried at its first character only. Patterns
that ignore case are tried only where one of the words that they begin with stands, since a text is searched for a plain
word a hundred times as fast.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from memoranda.text.secret_values import is_bearer_value, is_secret_value

MARK: Final = "[REDACTED]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without its secrets.

    Attributes:
        text: the text, with the mark in the place of each secret.
        kinds: which kinds were masked, each once, in the order of the patterns; empty where there was nothing.
    """

    text: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One kind of secret: the group ``secret`` is masked (the whole match without one) where ``accepts`` agrees.

    Each match begins with one of ``starts``, in whatever case; with none it is tried everywhere.
    """

    kind: str
    regex: re.Pattern[str]
    accepts: Callable[[re.Match[str]], bool] | None = None
    starts: tuple[str, ...] = ()


_START: Final = r"(?<![A-Za-z0-9_-])"
_BEGIN: Final = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_BREAK: Final = r"(?:\s|\\[nr])++"  # a line's end, also as JSON writes it

_TOKENS: Final = (
    r"gh[pousr]_[A-Za-z0-9]{20,}+",
    r"github_pat_[A-Za-z0-9_]{20,}+",
    r"glpat-[A-Za-z0-9_-]{20,}+",
    r"npm_[A-Za-z0-9]{30,}+",
    r"pypi-[A-Za-z0-9_-]{50,}+",
    r"hf_[A-Za-z0-9]{30,}+",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}+",
    r"xapp-[A-Za-z0-9-]{10,}+",
    r"AIza[A-Za-z0-9_-]{35,}+",
    r"ya29\.[A-Za-z0-9_-]{20,}+",
    r"GOCSPX-[A-Za-z0-9_-]{20,}+",
    r"[rs]k_(?:live|test)_[A-Za-z0-9]{10,}+",
    r"whsec_[A-Za-z0-9+/]{20,}+",
    r"sk-(?=[A-Za-z_-]{0,48}[0-9])[A-Za-z0-9_-]{16,}+",
    r"(?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AIPA|AKIA|ANPA|ANVA|AROA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9_-])",
)

# The name that gives a value away may stand inside a longer one (DB_PASSWORD, githubToken) and may end in few ways
# only, so that token_count, passwords and secretary stay out.
_NAME: Final = (
    r"(?:(?P<password>password|passwd|passphrase|passcode|pwd|(?<=[_-])pass)"
    r"|secret|token|_auth|(?:api|access|account|client|encryption|master|private|secret|signing)[_ -]?key"
    r"|connection[_-]?string)"
    r"(?:[_-]?(?:access[_-]?key|key|value|plain|text|prod|dev|test|live|old|new|v?[0-9]{1,3})){0,3}(?![A-Za-z0-9_])"
)
_NAME_STARTS: Final = (
    "pass", "pwd", "secret", "token", "_auth", "api", "access", "account", "client", "encryption", "master", "private",
    "signing", "connection",
)  # fmt: skip
_QUOTE: Final = r"(?:\\{0,3}[\"'])?"
# The closing quote may be missing: the text was cut before it.
_VALUE: Final = (
    r"(?:\"(?P<double>(?:[^\"\\\n]|\\.)*+)|'(?P<single>(?:[^'\\\n]|\\.)*+)"
    r"|\\{1,7}\"(?P<escaped>(?:[^\"\\\n]|\\(?!\\{0,6}\"))*+)"
    r"|(?P<bare>[^\s\"'`,;&<>(){}\[\]|\\]++)(?P<open>(?!\[REDACTED\])[(\[{])?)"
)

_PATTERNS: Final = (
    _Pattern("private key", re.compile(rf"{_BEGIN}(?:(?!-----)[\s\S])*+-----END [A-Z0-9 ]{{0,60}}-----")),
    # A block that was cut before its end: the lines of its body.
    _Pattern("private key", re.compile(rf"{_BEGIN}(?:{_BREAK}[A-Za-z0-9+/=]++)?(?:{_BREAK}[A-Za-z0-9+/=]{{20,}}+)*+")),
    _Pattern("token", re.compile(rf"{_START}(?:{'|'.join(_TOKENS)})")),
    _Pattern("token", re.compile(rf"{_START}eyJ[A-Za-z0-9_-]{{5,}}+\.[A-Za-z0-9_-]{{5,}}+\.[A-Za-z0-9_-]*+")),
    _Pattern(
        "webhook",
        re.compile(
            r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/(?P<secret>[A-Za-z0-9_/-]{20,}+)"
        ),
    ),
    _Pattern(
        "authorization",
        re.compile(
            r"(?P<header>authorization\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?)?"
            r"(?<![A-Za-z0-9_])(?:bearer|basic|token)\s{1,3}(?P<secret>[A-Za-z0-9._~+/=-]{4,}+)",
            re.IGNORECASE,
        ),
        is_bearer_value,
        ("authorization", "bearer", "basic", "token"),
    ),
    _Pattern(
        "url password",
        re.compile(
            r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@\"'<>?#]{0,256}:"
            r"(?P<secret>[^\s/\"'<>]{1,256})(?=@)"
        ),
    ),
    _Pattern(
        "named secret",
        re.compile(rf"{_NAME}{_QUOTE}\s{{0,3}}(?P<sign>:=|=>|==?|:)(?P<space>\s{{0,3}}){_VALUE}", re.IGNORECASE),
        is_secret_value,
        _NAME_STARTS,
    ),
    _Pattern(
        "named secret",
        re.compile(
            rf"{_START}--(?:[a-z0-9]{{1,20}}-){{0,4}}{_NAME}(?P<sign>[ \t]{{1,3}})(?!-)(?P<space>){_VALUE}",
            re.IGNORECASE,
        ),
        is_secret_value,
        ("--",),
    ),
    _Pattern(
        "named secret",
        re.compile(rf"(?<![A-Za-z]){_NAME}(?P<sign>\s{{1,3}}(?:is|was)\s{{1,3}})(?P<space>){_VALUE}", re.IGNORECASE),
        is_secret_value,
        _NAME_STARTS,
    ),
)


def redact(text: str) -> Redacted:
    """Returns the text with each secret replaced by ``[REDACTED]``, and the kinds that were found.

    Names and words around a secret stay: ``password=[REDACTED]``. Redacting again changes nothing.
    """
    kinds: dict[str, None] = {}
    for pattern in _PATTERNS:
        masked = _without(pattern, text)
        if masked != text:
            kinds[pattern.kind] = None
            text = masked
    return Redacted(text=text, kinds=tuple(kinds))


def _without(pattern: _Pattern, text: str) -> str:
    """Returns the text as `re.sub` would give it."""
    lowered = text.lower()
    if not pattern.starts or len(lowered) != len(text):  # a letter that is longer in lower case moves all places
        return pattern.regex.sub(partial(_masked, pattern), text)
    parts: list[str] = []
    end = 0
    for place in _places(lowered, pattern.starts):
        match = pattern.regex.match(text, place) if place >= end else None
        if match is not None:
            parts += [text[end:place], _masked(pattern, match)]
            end = match.end()
    return "".join([*parts, text[end:]]) if parts else text


def _places(lowered: str, starts: tuple[str, ...]) -> list[int]:
    """Returns where one of the words stands, in order."""
    found: set[int] = set()
    for start in starts:
        place = lowered.find(start)
        while place >= 0:
            found.add(place)
            place = lowered.find(start, place + 1)
    return sorted(found)


def _masked(pattern: _Pattern, match: re.Match[str]) -> str:
    if pattern.accepts is not None and not pattern.accepts(match):
        return match.group()
    start, end = _span(match)
    return match.string[match.start() : start] + MARK + match.string[end : match.end()]


def _span(match: re.Match[str]) -> tuple[int, int]:
    for name in ("secret", "double", "single", "escaped", "bare"):
        if match.re.groupindex.get(name) is not None and match.group(name) is not None:
            return match.span(name)
    return match.span()
