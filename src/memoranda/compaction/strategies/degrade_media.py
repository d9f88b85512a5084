"""Keeping only the newest pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar

from memoranda.compaction.draft import Draft, Edit
from memoranda.compaction.handles import short_name
from memoranda.compaction.strategy import check_whole
from memoranda.messages.blocks import holds_text, takes_text
from memoranda.records.message import MediaPart, Message, Part, ResultPart, TextPart
from memoranda.records.span import Fate

_Media = tuple[int, int, int | None]
"""Where a picture stands: its message, the part, and the place within the result where it is in one."""


@dataclass(frozen=True, slots=True)
class DegradeMedia:
    """Puts one line in place of each picture, sound or file but the newest `keep`, oldest first.

    Those that a tool gave are among them. Pins stay, so what came with the last user message does (case B04), and so
    does what the provider's own tools gave. Under a bound of tokens it stops as soon as the bound is kept.

    Attributes:
        keep: the newest that stay.

    Raises:
        InvalidInput: `keep` is below 0.
    """

    keep: int = 2
    name: ClassVar[str] = "degrade_media"

    def __post_init__(self) -> None:
        check_whole("keep", self.keep, least=0)

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft with old pictures described; the same draft where there are none."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        found = list(_media(draft.messages))
        for place, of_message in groupby(found[: max(0, len(found) - self.keep)], key=lambda media: media[0]):
            if edit.may_stop:
                break
            if place not in draft.pins:
                parts: dict[int, Part] = {}
                for _, number, inner in of_message:
                    old = parts.get(number, draft.messages[place].parts[number])
                    parts[number] = _described(draft, edit, (place, number, inner), old)
                edit.rewrite(place, {number: (part, Fate.CLEARED) for number, part in parts.items()})
        return edit.finish()


def _media(messages: Sequence[Message]) -> Iterator[_Media]:
    """Returns where pictures, sounds and files stand, oldest first."""
    for place, message in enumerate(messages):
        for number, part in enumerate(message.parts):
            if isinstance(part, MediaPart) and takes_text(message):
                yield place, number, None
            elif isinstance(part, ResultPart) and not part.server and holds_text(part):
                yield from ((place, number, at) for at, one in enumerate(part.parts) if isinstance(one, MediaPart))


def _described(draft: Draft, edit: Edit, where: _Media, old: Part) -> Part:
    """Returns the part with a line in place of one picture."""
    inner = where[2]
    if inner is None or not isinstance(old, ResultPart):
        return TextPart(_line(draft, edit, where, old))
    line = TextPart(_line(draft, edit, where, old.parts[inner]))
    return replace(old, parts=(*old.parts[:inner], line, *old.parts[inner + 1 :]))


def _line(draft: Draft, edit: Edit, where: _Media, media: Part) -> str:
    place, number = where[:2]
    kind = f"{media.kind} {short_name(media.media_type)}".strip() if isinstance(media, MediaPart) else "media"
    return edit.line(place, number, f"{kind} cleared", draft.part_tokens(place, media))
