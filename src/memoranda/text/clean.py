"""Texts as they may be stored, and texts as they may be shown."""

import re
from typing import Final

REPLACEMENT: Final = "\ufffd"

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# C0 without tab and line feed, DEL, C1, the line separators, and what changes the direction of writing for more
# than one character: embeddings and overrides (202A-202E), isolates (2066-2069).
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LINE: Final = re.compile("[\t\n]")


def storable(text: str) -> str:
    """Returns the text exactly as given, but for lone surrogates, which become U+FFFD: they have no UTF-8 form.

    NUL and control characters stay; they are part of what was said (case T02).
    """
    return text if text.isascii() else _SURROGATE.sub(REPLACEMENT, text)


def printable(text: str, *, keep_newlines: bool = True) -> str:
    r"""Returns the text with nothing that a terminal acts on, each such character written as its escape.

    ESC becomes ``\x1b``, a direction override ``\u202e``; lone surrogates become U+FFFD. Tab, line feed and CR LF
    (as line feed) stay, or become ``\t`` and ``\n`` with ``keep_newlines=False``. Backslashes of the text stay as
    they are, so this is for showing, not for reading back. A second pass changes nothing.
    """
    shown = _UNPRINTABLE.sub(_escaped, storable(text).replace("\r\n", "\n"))
    return shown if keep_newlines else _LINE.sub(_escaped, shown)


def _escaped(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")
