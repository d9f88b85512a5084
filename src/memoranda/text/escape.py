r"""Making a stored text harmless where a model reads it: the one function that every injected text passes (C19).

A stored text may hold anything that a web page, a tool or a person put there. Shown to a model it must not look like
something else than one remembered text: not like a heading, a bullet, a message of another role, or the end of what it
stands in. Rather than to know every such form, every line of a text but its first begins with a bar of ours, so that
nothing in a text ever begins a line; and what has a meaning within a line is taken apart.

What a text says is left as it is: an order in it stays readable. It is the caveat above the texts that says what they
are.
"""

import re
from typing import Final

from memoranda.text.clamp import clamp_bytes
from memoranda.text.clean import printable

CONTINUATION: Final = "\n  | "
"""What a line break within a text becomes: a line that stays within the text's bullet."""
TRUNCATED: Final = "…[truncated]"
"""What stands where a text was cut. No escaped text holds it."""

_LINE_BREAK: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Not seen, but read by a model: marks of direction, zero-width spaces and joiners of words, soft hyphens, fillers,
# formatting of old Unicode, and the tag characters, which can hide a whole sentence. Flags of regions are made of tags
# and stay. So do joiners and selectors where they do something: not beside ASCII, but for the keycaps (0 to 9, #, *).
_INVISIBLE: Final = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f)"
    "|[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]"
    "|[\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    "|[\u200c\u200d](?=[\\x00-\x7f])|(?<=[\\x00-\x7f])[\u200c\u200d]"
    '|(?<=[\\x00-"$-)+-/:-\x7f])[\ufe00-\ufe0f\U000e0100-\U000e01ef]'
)
# One selector or joiner changes how a character looks; a row of them looks like nothing and can spell out a text.
_REPEATED: Final = re.compile(
    "([\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+|([\u200c\u200d])[\u200c\u200d]+"
)
# Where a tag or a special token of a chat template begins: <name, </name, <!--, <?xml, <|im_start|>, and look-alikes.
_TAG: Final = re.compile("[<＜﹤](?=[^\\W\\d]|[!?|｜]|\\s*/)")
# Special tokens in square brackets, and our own markers.
_BRACKETED: Final = re.compile(
    r"\[(\s*/?\s*(?:inst|sys|system_prompt|available_tools|tool_calls|tool_results|tool_content|truncated)\s*)\]",
    re.IGNORECASE,
)
_CUT_ESCAPE: Final = re.compile("&(?:lt?)?$")


def escaped(text: str, *, continuation: str = CONTINUATION) -> str:
    r"""Returns a text as it may stand within a line that is ours, for a model to read.

    - Each line break, of whatever kind, becomes ``continuation``. Pass a space for what must stay on one line.
    - Control characters and overrides of direction become their escapes, such as ``\x1b``; a tab becomes a space;
      characters that cannot be seen go; lone surrogates become U+FFFD.
    - ``<`` becomes ``&lt;`` where a tag or a special token begins; ``a < b`` stays.
    - Square brackets of special tokens and of our own markers become round ones: ``(INST)``, ``(truncated)``.
    - White space at both ends goes. A text of nothing else becomes empty.

    So the result holds no control character but the line feeds of ``continuation``. It is for showing only: there is no
    way back to the text, and escaping twice is not the same as escaping once.
    """
    shown = _LINE_BREAK.sub("\n", text)
    if not shown.isascii():
        shown = _REPEATED.sub(r"\1\2", _INVISIBLE.sub(r"\1", shown))
    shown = printable(shown).replace("\t", " ").strip()
    shown = _BRACKETED.sub(r"(\1)", _TAG.sub("&lt;", shown))
    return shown if "\n" not in shown else continuation.join(line.rstrip() for line in shown.split("\n"))


def clamped(shown: str, limit: int, marker: str = TRUNCATED) -> str:
    """Returns an escaped text cut to at most ``limit`` bytes of UTF-8, the marker of the cut included (S1.4).

    It is cut between characters as a reader sees them, and not within an escape of ``<``. A text that fits comes back
    as it is. Where nothing of it fits beside the marker, the answer is empty: a cut is never left unmarked.
    """
    if len(shown) <= limit and len(shown.encode()) <= limit:
        return shown
    room = limit - len(marker.encode())
    if room <= 0:
        return ""
    head = _CUT_ESCAPE.sub("", clamp_bytes(shown, room, "")).rstrip(" \n|")
    return head + marker if head else ""
