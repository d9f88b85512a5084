"""Whether a value that stands where a secret is expected is one, or code, a placeholder or plain talk."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"[0-9][0-9.,_]*[a-z%]{0,2}", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(
    r"\$.*|%[a-z(].*|\*+|\.+|x{3,}|_+|-+|#+|str|string|text|bytes|int|bool|none|null|nil|true|false|yes|no|undefined|optional"
    r"|required|empty|missing|invalid|valid|expired|wrong|incorrect|unknown|unset|hidden|redacted|reset|changed|example"
    r"|placeholder|changeme|secretstr|your[_-].*",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(  # an attribute or a variable that holds a secret, not the secret itself
    r"(?:self|this|os|process|config|settings|env|environ|args|kwargs|options|opts|params|request|response|user|vault"
    r"|secrets?)(?:\.[A-Za-z_][A-Za-z0-9_]*)+"
    r"|(?:[A-Za-z_]+\.)*(?:[A-Za-z]+_)*(?:password|passwd|passphrase|pwd|secret|token|key|auth)"
    r"|(?:[A-Za-z_]+\.)*[a-z]+(?:[A-Z][a-z]+)*(?:Password|Passphrase|Secret|Token|Key|Auth)"
)
_ALGORITHM: Final = re.compile(r"(?:sha-?|md|base|utf-?|rsa|aes-?|ed|argon|bcrypt)[0-9]*", re.IGNORECASE)
_PATH: Final = re.compile(r"~?/|[a-z]:[\\/]|\.{1,2}/", re.IGNORECASE)
_LAST_ON_LINE: Final = re.compile(r"[\"'`]?[.,;)}\]]*[ \t\r]*(?:\n|$)|[ \t]*[,;}]")
_INNER_CAPITAL: Final = re.compile(r"[a-z][A-Z]")
_SIGN: Final = re.compile(r"[@!]|=$")
_MIN_RANDOM_CHARS: Final = 5


def is_secret_value(match: re.Match[str]) -> bool:
    """Tells whether the value of a named pair is a secret.

    The match has the groups ``password`` (set where the name is a password's), ``sign`` (how name and value are
    joined), ``space``, one of ``double``, ``single`` and ``escaped`` (a quoted value) or ``bare``, and ``open`` (a
    bracket right after the bare value: a call or an index).
    """
    bare = match.group("bare")
    value = bare if bare is not None else _quoted(match)
    if not value or _PLACEHOLDER.fullmatch(value):
        return False
    password = match.group("password") is not None
    if _NUMBER.fullmatch(value) and not password:  # a budget of tokens, a count
        return False
    if bare is None:
        return match.group("sign").strip() not in ("is", "was", "==") or _random(value)
    return _is_bare_secret(match, bare, password)


def _is_bare_secret(match: re.Match[str], value: str, password: bool) -> bool:
    sign = match.group("sign").strip().lower()
    if match.group("open") or _REFERENCE.fullmatch(value) or _is_path(match, value):
        return False
    if sign == "==":
        return False
    if sign in ("is", "was"):
        return password and _random(value) and not _ALGORITHM.fullmatch(value.rstrip(".!?"))
    if sign == "=" and not match.group("space"):
        return True
    if sign == "":  # an argument of a command line
        return True
    return _random(value) or (password and bool(_LAST_ON_LINE.match(match.string, match.end())))


def _is_path(match: re.Match[str], value: str) -> bool:
    name = match.group("password")
    return name is not None and name.lower() == "pwd" and bool(_PATH.match(value))


def is_bearer_value(match: re.Match[str]) -> bool:
    """Tells whether the word after Bearer, Basic or Token is a credential: always in a header, else by its look."""
    value = match.group("secret")
    if match.group("header"):
        return True
    return len(value) >= 16 and _random(value)


def _quoted(match: re.Match[str]) -> str:
    return match.group("double") or match.group("single") or match.group("escaped") or ""


def _random(value: str) -> bool:
    """Tells whether a value looks made, not spoken: a digit beside a letter, a capital inside, a sign."""
    if len(value) < _MIN_RANDOM_CHARS:
        return False
    core = value.rstrip(".,:;!?")
    has_digit = any(character.isdigit() for character in core)
    has_letter = any(character.isalpha() for character in core)
    return (has_digit and has_letter) or bool(_INNER_CAPITAL.search(core) or _SIGN.search(core))
