"""Keeping only the newest of the reads that give the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from memoranda.compaction.calls import Result, clear, results
from memoranda.compaction.draft import Draft
from memoranda.compaction.handles import short_name
from memoranda.compaction.strategy import check_names
from memoranda.records.message import CallPart


@dataclass(frozen=True, slots=True)
class DeduplicateFileReads:
    """Puts one line in place of what an older read gave, where a later call read the same (S4.24, C36).

    Two calls read the same when all their arguments are equal: a read of other lines of the file is another read (C27).
    A later read counts only when it gave something: its call is answered, by neither an error nor a line of ours, and
    does not wait for its final answer.

    Attributes:
        tool_name: the tool that reads, or several.
        keys: names of the arguments that choose what is read, where others, such as a reason, do not matter; None for
            all arguments. A call that has none of them is compared by all.

    Raises:
        InvalidInput: a name is no text, or there is none.
    """

    tool_name: str | Sequence[str] = "read_file"
    keys: Sequence[str] | None = None
    name: ClassVar[str] = "deduplicate_file_reads"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tool_name", check_names("tool_name", self.tool_name))
        if self.keys is not None:
            object.__setattr__(self, "keys", check_names("keys", self.keys))

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft without superseded reads; the same draft where there are none."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        clear(
            draft,
            edit,
            self._superseded(draft),
            lambda read: f"older result of {short_name(read.name)} cleared, read again below",
        )
        return edit.finish()

    def _superseded(self, draft: Draft) -> list[Result]:
        """Returns the reads that a later one makes superfluous, oldest first."""
        seen: set[str] = set()
        older = []
        for read in reversed(results(draft)):
            if (
                read.call is None
                or read.name not in self.tool_name
                or read.is_cleared
                or read.result.id in draft.pending
            ):
                continue
            key = self._key(read.call)
            if key not in seen:
                if not read.result.is_error:
                    seen.add(key)
            else:
                older.append(read)
        return older[::-1]

    def _key(self, call: CallPart) -> str:
        """Returns what a call reads, the same for the same arguments in whatever order and spelling."""
        try:
            arguments = json.loads(call.arguments) if isinstance(call.arguments, str) else dict(call.arguments)
            if self.keys is not None and isinstance(arguments, Mapping):
                arguments = {key: arguments[key] for key in self.keys if key in arguments} or arguments
            return json.dumps([call.name, arguments], sort_keys=True)
        except (ValueError, RecursionError):  # no JSON: the text itself is compared
            return f"{call.name} {call.arguments}"
