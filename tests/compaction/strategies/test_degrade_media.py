"""Keeping only the newest pictures (cases B04, B05)."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoranda.compaction.draft import Draft
from memoranda.compaction.handles import alone, handle_of
from memoranda.compaction.strategies.degrade_media import DegradeMedia
from memoranda.errors import InvalidInput
from memoranda.records.message import MediaPart, Message, Part, ResultPart, Role, TextPart
from memoranda.records.span import Fate
from tests.compaction.drafts import asks, call, check, drafted, drafts, system, user

PICTURE = MediaPart("image", "image/png", "QUJD" * 100)


def shows(*media: MediaPart, text: str = "see") -> Message:
    return Message(Role.USER, (TextPart(text), *media))


def changed(before: Draft, after: Draft) -> list[int]:
    return [place for place, message in enumerate(after.messages) if message is not before.messages[place]]


def test_all_but_the_newest_two_become_a_line() -> None:
    before = drafted([*(shows(PICTURE) for _ in range(4)), user()])
    after = check(DegradeMedia(), before)
    assert changed(before, after) == [0, 1]
    handle = handle_of(alone(before.messages[0], 1))
    line = TextPart(f"[image image/png cleared: 100 tokens; handle {handle}]")
    assert after.messages[0].parts == (TextPart("see"), line)
    assert [(span.index, span.fate) for span in after.taken] == [(0, Fate.CLEARED), (1, Fate.CLEARED)]
    assert after.taken[0].message.parts == (PICTURE,)
    assert DegradeMedia().shorten(after) is after


def test_within_one_message_the_first_goes_first() -> None:
    sound = MediaPart("audio", "audio/wav", "UklG" * 100)
    before = drafted([shows(PICTURE, sound, PICTURE), user()], archived=False)
    after = check(DegradeMedia(keep=1), before)
    lines = [TextPart("[image image/png cleared: 100 tokens]"), TextPart("[audio audio/wav cleared: 100 tokens]")]
    assert after.messages[0].parts == (TextPart("see"), *lines, PICTURE)


def test_b05_a_picture_that_a_tool_gave() -> None:
    """Case B05: what was given beside it stays."""
    said = TextPart('{"chart_id": "c-7"}')
    plot = Message(Role.TOOL, (ResultPart("p1", (said, PICTURE, PICTURE)),))
    before = drafted([user(), asks(call("p1", "plot")), plot, user()])
    after = check(DegradeMedia(keep=0), before)
    (given_back,) = after.messages[2].of_kind(ResultPart)
    line = f"[image image/png cleared: 100 tokens; handle {handle_of(alone(plot, 0))}]"
    assert given_back.parts == (said, TextPart(line), TextPart(line))
    assert given_back.id == "p1"


def test_b04_what_came_with_the_last_user_message_stays() -> None:
    """Case B04; whatever `keep` says."""
    before = drafted([system(), shows(PICTURE), shows(PICTURE, PICTURE, PICTURE)])
    after = check(DegradeMedia(keep=0), before)
    assert changed(before, after) == [1]


def test_what_the_provider_gave_stays() -> None:
    served = Message(Role.ASSISTANT, (ResultPart("s", (PICTURE,), server=True),))
    before = drafted([served, user()])
    assert DegradeMedia(keep=0).shorten(before) is before


def test_what_costs_no_more_than_a_line_stays() -> None:
    before = drafted([shows(MediaPart("file", url="file-1")), user()])
    assert DegradeMedia(keep=0).shorten(before) is before


def test_under_a_bound_of_tokens_no_more_than_needed() -> None:
    messages = [*(shows(PICTURE) for _ in range(4)), user()]
    before = drafted(messages, tokens=drafted(messages).tokens)
    assert changed(before, check(DegradeMedia(keep=0), before)) == [0]


@given(drafts())
def test_its_promises(draft: Draft) -> None:
    """D13, C16, C17."""
    after = check(DegradeMedia(keep=1), draft)
    assert len(after.messages) == len(draft.messages)
    assert DegradeMedia(keep=1).shorten(after) is after
    assert all(any(map(_has_media, span.message.parts)) for span in after.taken)


def _has_media(part: Part) -> bool:
    return isinstance(part, MediaPart) or (isinstance(part, ResultPart) and any(map(_has_media, part.parts)))


def test_bad_settings() -> None:
    with pytest.raises(InvalidInput, match="keep"):
        DegradeMedia(keep=-1)
