"""Clearing what was passed to tools long ago."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, Final

from memoranda.compaction.calls import Call, calls
from memoranda.compaction.draft import Draft, Edit
from memoranda.compaction.handles import is_line
from memoranda.compaction.strategy import check_names, check_whole
from memoranda.messages.blocks import arguments_text
from memoranda.records.message import CallPart, TextPart
from memoranda.records.span import Fate

# In a valid JSON text each match is one string, and with a colon behind it a name.
_STRING: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?', re.DOTALL)
_MOST_TOKENS: Final = 4
"""A token is at least a byte, so a character is at most 4 tokens."""


@dataclass(frozen=True, slots=True)
class ClearToolInputs:
    """Puts one line in place of each long text in the arguments of old calls, oldest first.

    What was written to a file, say, stands in a call and costs as much as a result. The arguments stay a JSON object
    with the same names, and short ones, such as paths, stay as they were. Arguments that are no JSON object become one:
    `{"cleared": ...}`. Pins stay, and so do calls that the provider runs by itself. Under a bound of tokens it stops as
    soon as the bound is kept.

    Attributes:
        keep_pairs: the newest calls that stay.
        min_tokens: a text of this many tokens is long.
        exclude_tools: names of tools whose calls always stay; they do not count among the newest.

    Raises:
        InvalidInput: `keep_pairs` is below 0, `min_tokens` below 1, or a name is no text.
    """

    keep_pairs: int = 3
    min_tokens: int = 256
    exclude_tools: Sequence[str] = ()
    name: ClassVar[str] = "clear_tool_inputs"

    def __post_init__(self) -> None:
        check_whole("keep_pairs", self.keep_pairs, least=0)
        check_whole("min_tokens", self.min_tokens, least=1)
        object.__setattr__(self, "exclude_tools", check_names("exclude_tools", self.exclude_tools, least=0))

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft with long arguments of old calls cleared; the same draft where there are none."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        found = calls(draft, self.exclude_tools)
        old = found[: max(0, len(found) - self.keep_pairs)]
        for place, of_message in groupby(old, key=lambda call: call.place):
            if edit.may_stop:
                break
            if place not in draft.pins and draft.sizes[place] >= self.min_tokens:
                parts = {call.part: self._cleared(draft, edit, call) for call in of_message}
                edit.rewrite(
                    place, {number: (part, Fate.CLEARED) for number, part in parts.items() if part is not None}
                )
        return edit.finish()

    def _cleared(self, draft: Draft, edit: Edit, at: Call) -> CallPart | None:
        """Returns the call without its long texts; None where it has none."""

        def line(text: str) -> str | None:
            """Returns what stands for a text, as JSON; None where the text stays."""
            if len(text) * _MOST_TOKENS < self.min_tokens or is_line(text):
                return None
            tokens = draft.part_tokens(at.place, TextPart(text))
            if tokens < self.min_tokens:
                return None
            return json.dumps(edit.line(at.place, at.part, "argument cleared", tokens), ensure_ascii=False)

        given = at.call.arguments
        try:
            text = arguments_text(given)
        except (TypeError, ValueError, RecursionError):  # an object that no provider would take either
            return None
        if _is_object(text):
            cleared = _STRING.sub(lambda found: found[0] if found[2] else line(found[1]) or found[0], text)
        else:
            whole = line(text)
            cleared = f'{{"cleared": {whole}}}' if whole else text
        if cleared == text:
            return None
        return replace(at.call, arguments=cleared if isinstance(given, str) else json.loads(cleared))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text, strict=False), dict)
    except (ValueError, RecursionError):
        return False
