"""Clearing what tools gave long ago."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from memoranda.compaction.calls import clear, results
from memoranda.compaction.draft import Draft
from memoranda.compaction.handles import short_name
from memoranda.compaction.strategy import check_names, check_whole


@dataclass(frozen=True, slots=True)
class ClearToolResults:
    """Puts one line in place of each result but the newest `keep_pairs`, oldest first (S4.25, C36).

    The result keeps its id and whether it is an error (case P05). A result that is no longer than the line stays, as do
    pins and what the provider ran by itself. Under a bound of tokens it stops as soon as the bound is kept.

    Attributes:
        keep_pairs: the newest results that stay.
        exclude_tools: names of tools whose results always stay; they do not count among the newest.

    Raises:
        InvalidInput: `keep_pairs` is below 0, or a name is no text.
    """

    keep_pairs: int = 3
    exclude_tools: Sequence[str] = ()
    name: ClassVar[str] = "clear_tool_results"

    def __post_init__(self) -> None:
        check_whole("keep_pairs", self.keep_pairs, least=0)
        object.__setattr__(self, "exclude_tools", check_names("exclude_tools", self.exclude_tools, least=0))

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft with old results cleared; the same draft where there are none."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        found = results(draft, self.exclude_tools)
        old = found[: max(0, len(found) - self.keep_pairs)]
        clear(draft, edit, old, lambda result: f"result of {short_name(result.name)} cleared")
        return edit.finish()
