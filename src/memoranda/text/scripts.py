"""Where words begin and end, in text that was folded: letters by script, and the joints that hold a name together."""

import re
import unicodedata
from functools import cache
from typing import Final

_STRONG_JOINT: Final = r"://|::|->|:\\|[/\\:@=&+]"
_WEAK_JOINT: Final = r"_+|[-.]"
_JOINT: Final = rf"(?:{_STRONG_JOINT}|{_WEAK_JOINT}|'|(?<=[0-9]),(?=[0-9]{{3}}(?![0-9])))"
_TAIL: Final = r"(?:(?:\+\+|[#%])(?!\w))?"  # C++, C#, 100%

_EUROPEAN: Final = (  # scripts that share names and digits: Latin, Greek, Cyrillic, Armenian, Georgian, Cherokee
    "0-9A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f"
    "\u0386\u0388-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u0560-\u0588\u10a0-\u10fa\u10fc-\u10ff\u13a0-\u13fd"
    "\u1c80-\u1cbf\u1d00-\u1dbf\u1e00-\u1fbc\u2c60-\u2c7f\u2d00-\u2d2d\ua640-\ua66e\ua680-\ua69d\ua722-\ua788\ua78b-\ua7ff"
)
_HAN_KANA: Final = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U0001aff0-\U0001b16f\U00020000-\U0003fffd"
)
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
_SPACELESS: Final = (  # Thai, Lao, Myanmar, Khmer, Tai Le, New Tai Lue, Tai Tham
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf\u1000-\u1049\u1050-\u109f\ua9e0-\ua9fe"
    "\uaa60-\uaa76\uaa7a-\uaa7f\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7f"
)
_FLAG_LETTER: Final = "\U0001f1e6-\U0001f1ff"
# Arrows, box drawing and the signs for a lost character are So as well, but nobody searches for them.
_NO_TERM: Final = re.compile("[\u2190-\u21ff\u2500-\u259f\ufffc\ufffd\U0001f1e6-\U0001f1ff]")

TERMINAL_SEQUENCE: Final = re.compile(r"\x1b\[[0-?]*+[ -/]*+[@-~]")
"""A colour or another order to a terminal; it is glued to the word that it colours."""
STRONG_JOINT: Final = re.compile(_STRONG_JOINT)
"""What joins names into an address or a path; it binds less than the joints inside of a name."""
WEAK_JOINT: Final = re.compile(_WEAK_JOINT)
"""What joins the parts of one name."""
ASCII_TOKEN: Final = re.compile(rf"[0-9A-Za-z]+(?:{_JOINT}[0-9A-Za-z]+)*{_TAIL}|[%$]")
"""A word, a name or a symbol of plain ASCII text."""


@cache
def any_token() -> re.Pattern[str]:
    """Builds the pattern for folded text of any script; its groups are word, han, hangul, spaceless and symbol.

    Combining marks and symbols are read from Python's own Unicode tables, once, when the first text that is not
    ASCII comes by: a literal list would age with each Unicode version.
    """
    listed = re.compile(f"[{_HAN_KANA}{_SPACELESS}]")
    marks, symbols = [], [ord("$"), ord("%")]
    for block in (range(0x80, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x20000)):
        for code in block:
            category = unicodedata.category(chr(code))
            if category in ("Mn", "Mc") and not listed.match(chr(code)):
                marks.append(code)
            elif category in ("So", "Sc") and not _NO_TERM.match(chr(code)):
                symbols.append(code)
    other = rf"(?:[^\W_{_EUROPEAN}{_HAN_KANA}{_HANGUL}{_SPACELESS}]|[{_ranges(marks)}])"
    word = rf"(?:[{_EUROPEAN}]+|{other}++)"
    return re.compile(
        rf"(?P<word>{word}(?:{_JOINT}{word})*{_TAIL})|(?P<han>[{_HAN_KANA}]+)|(?P<hangul>[{_HANGUL}]+)"
        rf"|(?P<spaceless>[{_SPACELESS}]+)|(?P<symbol>[{_FLAG_LETTER}]{{1,2}}|[{_ranges(symbols)}])"
    )


def _ranges(codes: list[int]) -> str:
    """Writes ascending code points as the inside of a character class."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in runs)
