r"""Core blocks: labelled texts of limited length that are always in a model's context, and how they are rendered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from memoranda.errors import BlockOverLimit, InvalidBlock
from memoranda.records.entry import Origin

MAX_LABEL: Final = 200
"""Longest label, in characters. It is rendered as one heading."""
MAX_DESCRIPTION: Final = 1_000
"""Longest description of a block, in characters."""

# What ends a line: for Python's `splitlines`, and so for some of those who read a text line by line.
_BREAK: Final = re.compile("(\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])")
# A heading of Markdown stands behind at most three spaces. A look-alike stands behind blanks that are no plain spaces,
# or that cannot be seen; or begins with a sign that looks like `#`.
_ODD_BLANK: Final = (
    "\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0"
)
_HEADING: Final = re.compile(f" {{0,3}}[#\ufe5f\uff03]|[ \t]*+[{_ODD_BLANK}][ \t{_ODD_BLANK}]*+[#\ufe5f\uff03]")
# Under a line of text it makes that line a heading.
_UNDERLINE: Final = re.compile(" {0,3}(?:=+|-+)[ \t]*")
# Special tokens with which chat templates begin and end the message of a role.
_ROLE: Final = re.compile(r"<(?=[|｜][^\s|｜<>]{1,64}[|｜]>|(?:start|end)_of_turn>|</?SYS>>)")
_ROLE_IN_BRACKETS: Final = re.compile(r"\[(/?INST)\]")


@dataclass(frozen=True, slots=True)
class CoreMemoryBlock:
    """A labelled text of limited length that is always in context (S2.1).

    It is not checked when it is made, but for `writable_by`; `check_block` holds the rules that a block obeys wherever
    it is kept.

    Attributes:
        label: its name, 1 to `MAX_LABEL` characters on one line, without white space at either end. Labels are exact:
            `A` and `a` are two blocks.
        value: its text.
        limit: most characters of the value (code points, not bytes); None for no limit of its own.
        description: what it is for, for people and for the tools of a model. It is not rendered.
        read_only: whether nobody may change it but the host, and the host only by putting it anew.
        writable_by: who may change its value: this origin, and those who are trusted as much or more (design D10).

    Raises:
        InvalidBlock: `writable_by` is no origin.
    """

    label: str
    value: str = ""
    limit: int | None = field(default=None, kw_only=True)
    description: str = field(default="", kw_only=True)
    read_only: bool = field(default=False, kw_only=True)
    writable_by: Origin = field(default=Origin.HOST, kw_only=True)

    def __post_init__(self) -> None:
        if type(self.writable_by) is not Origin:
            object.__setattr__(self, "writable_by", origin_of(self.writable_by, "writable_by"))


class BlockChange(StrEnum):
    """What happened to a core block."""

    PUT = "put"
    APPEND = "append"
    REPLACE = "replace"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRevision:
    """A core block as it stood before one change.

    Attributes:
        number: counts the revisions of one label from 1.
        at: when it was changed.
        by: who changed it.
        change: what happened to it.
        because: why, in words; empty where nobody said.
        block: the block as it was before.
    """

    number: int
    at: datetime
    by: Origin
    change: BlockChange
    because: str
    block: CoreMemoryBlock


def origin_of(value: Origin | str, name: str) -> Origin:
    """Returns the origin of that name.

    Raises:
        InvalidBlock: there is none; `name` says which argument it was.
    """
    try:
        return Origin(value)
    except ValueError as error:
        raise InvalidBlock(f"`{name}` is {value!r}; it must be one of {', '.join(Origin)}") from error


def check_label(label: str) -> None:
    """Refuses what cannot be the label of a block.

    Raises:
        InvalidBlock: it is no text, empty, longer than `MAX_LABEL`, holds a line break, begins or ends with white
            space, or is no Unicode text.
    """
    check_text(label, "label")
    if not 0 < len(label) <= MAX_LABEL:
        raise InvalidBlock(f"the label of a core block must have 1 to {MAX_LABEL} characters; this has {len(label)}")
    if _BREAK.search(label):
        raise InvalidBlock(f"the label {label!r} holds a line break; it must be one line")
    if label != label.strip():
        raise InvalidBlock(f"the label {label!r} begins or ends with white space; write {label.strip()!r}")


def check_block(block: CoreMemoryBlock) -> None:
    """Refuses a block that cannot be kept as it is (S2.3).

    Raises:
        InvalidBlock: a field that a block cannot have; the message names it.
        BlockOverLimit: the value is longer than the limit; one of equal length is not.
    """
    if not isinstance(block, CoreMemoryBlock):
        raise InvalidBlock(f"a core block must be a CoreMemoryBlock, not {type(block).__name__}")
    check_label(block.label)
    check_text(block.value, "value")
    check_text(block.description, "description")
    if len(block.description) > MAX_DESCRIPTION:
        raise InvalidBlock(f"`description` has {len(block.description)} characters; at most {MAX_DESCRIPTION} are kept")
    if not isinstance(block.read_only, bool):
        raise InvalidBlock(f"`read_only` must be True or False, not {block.read_only!r}")
    limit = block.limit
    if limit is None:
        return
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise InvalidBlock(f"`limit` is {limit!r}; it must be a whole number of characters, or None for no limit")
    if len(block.value) > limit:
        raise BlockOverLimit(block.label, limit, len(block.value))


def check_text(value: str, name: str) -> None:
    """Refuses what is no Unicode text.

    Raises:
        InvalidBlock: the message says which argument it was, by `name`.
    """
    if not isinstance(value, str):
        raise InvalidBlock(f"`{name}` of a core block must be text, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidBlock(
            f"`{name}` holds a lone surrogate at character {error.start}; it is not valid text"
        ) from error


def render_blocks(blocks: Iterable[CoreMemoryBlock]) -> str:
    r"""Returns blocks as one text for a model: `"## {label}\n{value}"` each, with a blank line between (S2.11).

    No block can forge another one: split at `"\n## "` the text has exactly as many parts as there are blocks (S2.13).
    Labels and values are shown as they are, but for this (S2.12, C19):

    - A line that is or looks like a heading gets a backslash before it: one that begins with `#` behind at most three
      spaces, or behind blanks that are no plain spaces or cannot be seen, whatever character ends the line before.
    - So does a line of only `=` or only `-` under a line of text, which Markdown reads as a heading.
    - Special tokens that begin or end the message of a role are taken apart: `<|im_start|>` becomes
      `&lt;|im_start|>`, `[INST]` becomes `(INST)`.

    Returns:
        The text; empty for no blocks.
    """
    return "\n\n".join(f"## {_guarded(block.label)}\n{_guarded(block.value)}" for block in blocks)


def _guarded(text: str) -> str:
    parts = _BREAK.split(_ROLE_IN_BRACKETS.sub(r"(\1)", _ROLE.sub("&lt;", text)))
    above = ""
    for place in range(0, len(parts), 2):  # between two lines stands what ends the first
        line = parts[place]
        if _HEADING.match(line) or (above.strip() and _UNDERLINE.fullmatch(line)):
            parts[place] = f"\\{line}"
        above = line
    return "".join(parts)
