"""Cutting the middle out of very long texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

from memoranda.compaction.draft import Draft, Edit
from memoranda.compaction.handles import is_line, line
from memoranda.compaction.strategy import check_whole
from memoranda.messages.blocks import holds_text
from memoranda.records.message import Message, Part, ResultPart, TextPart
from memoranda.records.span import Fate
from memoranda.text.clamp import clamp_chars

_SHARE: Final = 4
"""Under a bound of tokens no text may have more than a quarter of it, whatever `max_part_tokens` says."""
_LEAST: Final = 48
"""Tokens under which a text is not cut to let the newest group fit: hardly more than the marker would be left of it."""


@dataclass(frozen=True, slots=True)
class ClampOversizedMessages:
    r"""Cuts the middle out of each text and each result that is over `max_part_tokens`, oldest first (S4.26).

    What is left is the beginning, `\n…[truncated: 9,000 tokens; handle …]…\n`, and the end. Each end is a quarter of
    the text, or less where that would still be over the limit; so what was cut once is under the limit and not cut
    again (C16). Cuts go between characters as a reader sees them.

    Under a bound of tokens the limit is a quarter of it where that is less, and it stops as soon as the bound is kept.
    In the last pass the newest group is cut as far as it takes to fit beside the pins: so a model can read at least
    some of what its last call gave (case P10).

    Thoughts are not touched, since they may be signed (C39, case P11). Nor are summaries; pins, such as the first
    system message and the last user message; results of the provider's own tools; arguments of calls
    (`ClearToolInputs` is for these); and what is not understood.

    Attributes:
        max_part_tokens: tokens that a text or a result may have.

    Raises:
        InvalidInput: `max_part_tokens` is below 1.
    """

    max_part_tokens: int = 4096
    name: ClassVar[str] = "clamp_oversized_messages"

    def __post_init__(self) -> None:
        check_whole("max_part_tokens", self.max_part_tokens, least=1)

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft with long texts cut; the same draft where there are none."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        bound = draft.budget.tokens
        limit = self.max_part_tokens if bound is None else min(self.max_part_tokens, max(1, bound // _SHARE))
        newest, tight = _newest(draft, limit)
        for place in range(len(draft.messages)):
            if edit.may_stop:
                break
            _clamp(draft, edit, place, tight if place in newest else limit)
        return edit.finish()


def _newest(draft: Draft, limit: int) -> tuple[Sequence[int], int]:
    """Returns the newest group, and the limit under which it fits beside the pins with all else dropped.

    The limit is lower than `limit` only in the last pass, and only where such a one lets it fit.
    """
    group = next((group for group in draft.groups if draft.newest in group), ())
    if draft.budget.tokens is None or not draft.last_pass or draft.newest in draft.pins:
        return group, limit
    sizes = sorted(
        draft.part_tokens(place, part) for place in group for part in _clampable(draft.messages[place]).values()
    )
    fixed = sum(draft.sizes[place] for place in {*draft.pins, *group}) - sum(sizes)
    level = _level(draft.budget.tokens - 1 - fixed, sizes)
    return group, min(limit, level) if level >= _LEAST else limit


def _level(room: int, sizes: Sequence[int]) -> int:
    """Returns the height to cut ascending sizes to, so that together they take no more than the room."""
    for number, size in enumerate(sizes):
        share = room // (len(sizes) - number)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def _clampable(message: Message) -> dict[int, TextPart | ResultPart]:
    return {
        number: part
        for number, part in enumerate(message.parts)
        if isinstance(part, TextPart) or (isinstance(part, ResultPart) and not part.server and holds_text(part))
    }


def _clamp(draft: Draft, edit: Edit, place: int, limit: int) -> None:
    """Cuts the texts and results of one message that are over the limit."""
    if draft.sizes[place] <= limit or place in draft.pins or place in draft.summaries:
        return
    cut: dict[int, tuple[Part, Fate]] = {}
    for number, part in _clampable(draft.messages[place]).items():
        # What is nothing but a marker was cut under a limit that the marker itself is over: nothing is left to take.
        if (text := _text(part)) and not is_line(text.strip("\n…")) and draft.part_tokens(place, part) > limit:
            long = _Long(
                part=part,
                text=text,
                count=partial(draft.part_tokens, place),
                whole=draft.part_tokens(place, draft.original(place).parts[number]),
                handle=edit.handle(place, number),
            )
            cut[number] = (long.cut(limit), Fate.CLAMPED)
    edit.rewrite(place, cut)


def _text(part: TextPart | ResultPart) -> str:
    if isinstance(part, TextPart):
        return part.text
    return "\n".join(one.text for one in part.parts if isinstance(one, TextPart))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Long:
    """A text or result that is too long.

    Attributes:
        part: the part.
        text: its text; the texts of a result are one text.
        count: tells how many tokens a part has.
        whole: tokens that it had when it came in.
        handle: where the whole of it is kept.
    """

    part: TextPart | ResultPart
    text: str
    count: Callable[[Part], int]
    whole: int
    handle: str | None

    def cut(self, limit: int) -> TextPart | ResultPart:
        """Returns it with at most a quarter of its characters at each end, and no more than `limit` tokens.

        Where not even the marker is within the limit, nothing but the marker is left.
        """
        room = max(0, limit - self.count(self._with(self._marker(0))))
        ends = min(len(self.text) // 4, len(self.text) * room // (2 * self.count(self.part)))
        while True:
            head = self.text[: _boundary(self.text, ends)]
            tail = self.text[_boundary(self.text, len(self.text) - ends) :]
            made = self._with(f"{head}{self._marker(self.count(self._with(head + tail)))}{tail}")
            tokens = self.count(made)
            if tokens <= limit or ends == 0:
                return made
            ends = int(ends * min(0.9, limit / tokens))

    def _marker(self, left: int) -> str:
        return f"\n…{line('truncated', max(1, self.whole - left), self.handle)}…\n"

    def _with(self, text: str) -> TextPart | ResultPart:
        """Returns the part with another text; a result's pictures stay behind its text."""
        if isinstance(self.part, TextPart):
            return replace(self.part, text=text)
        first = next((one for one in self.part.parts if isinstance(one, TextPart)), TextPart(""))
        others = (one for one in self.part.parts if not isinstance(one, TextPart))
        return replace(self.part, parts=(replace(first, text=text), *others))


def _boundary(text: str, place: int) -> int:
    """Returns the last place at or before `place` where no character, as a reader sees it, is cut."""
    return len(clamp_chars(text[: place + 1], place, "")) if place < len(text) else place
