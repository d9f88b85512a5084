"""Cutting the middle out of very long texts (S4.26, C16, C39, cases P10, P11)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.compaction.draft import Draft
from memoranda.compaction.handles import alone, handle_of
from memoranda.compaction.strategies.clamp_oversized_messages import ClampOversizedMessages
from memoranda.errors import InvalidInput
from memoranda.records.message import (
    CallPart,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
)
from memoranda.records.span import Fate
from tests.compaction.drafts import (
    asks,
    assistant,
    call,
    characters,
    check,
    cost,
    drafted,
    drafts,
    gives,
    in_last_pass,
    letters,
    pair,
    result,
    system,
    user,
)

MARKER = re.compile(r"\n…\[truncated: [\d,]+ tokens(; handle [0-9a-f]{12})?\]…\n")
DIGITS = "".join(f"{number:03}" for number in range(400))  # 1,200 characters: 300 tokens


def clamp(text: str, limit: int, *, archived: bool = False) -> str:
    """Returns what is left of a text of the model's."""
    after = check(ClampOversizedMessages(limit), drafted([assistant(text), user()], archived=archived))
    return after.messages[0].text


def test_s4_26_a_quarter_at_each_end() -> None:
    assert clamp(DIGITS, 200) == f"{DIGITS[:300]}\n…[truncated: 150 tokens]…\n{DIGITS[-300:]}"


def test_s4_26_the_limit_itself_is_not_over_it() -> None:
    assert clamp(DIGITS, 300) == DIGITS
    assert clamp(DIGITS, 299) != DIGITS


def test_c16_less_at_each_end_where_two_quarters_are_over_the_limit() -> None:
    """Half of the text would be 300 tokens, and be cut again and again."""
    left = clamp(DIGITS * 2, 100)
    head, tail = MARKER.sub("\0", left).split("\0")
    assert DIGITS.startswith(head)
    assert DIGITS.endswith(tail)
    assert 90 <= len(left) // 4 <= 100
    assert abs(len(head) - len(tail)) <= 1
    assert f"{600 - (len(head) + len(tail)) // 4} tokens" in left


def test_s4_26_nothing_but_the_marker_where_no_more_fits() -> None:
    assert clamp(DIGITS, 1) == "\n…[truncated: 300 tokens]…\n"
    assert clamp("twelve words", 1) == "twelve words"  # the marker would be longer


def test_the_marker_names_the_handle() -> None:
    before = drafted([assistant(DIGITS), user()])
    after = check(ClampOversizedMessages(200), before)
    handle = handle_of(alone(before.messages[0], 0))
    assert f"; handle {handle}]" in after.messages[0].text
    assert [(span.index, span.fate, span.message.parts) for span in after.taken] == [
        (0, Fate.CLAMPED, before.messages[0].parts)
    ]


def test_c16_what_was_cut_is_not_cut_again() -> None:
    """Not in the next pass, nor where the host sends the cut list with the next request."""
    strategy = ClampOversizedMessages(100)
    after = check(strategy, drafted([assistant(DIGITS * 5), *pair("k", DIGITS * 9), user()]))
    assert strategy.shorten(after) is after
    sent_again = drafted(after.messages)
    assert strategy.shorten(sent_again) is sent_again


def test_a_lower_limit_leaves_one_marker() -> None:
    once = check(ClampOversizedMessages(200), drafted([assistant(DIGITS), user()]))
    twice = check(ClampOversizedMessages(60), once)
    left = twice.messages[0].text
    assert len(MARKER.findall(left)) == 1
    assert left.startswith(DIGITS[:40])
    assert left.endswith(DIGITS[-40:])
    assert once.taken[0].handle in left  # the whole of it, not what was left of it


def test_results_are_cut_and_keep_their_id() -> None:
    picture = MediaPart("image", "image/png", "QUJD")
    given_back = ResultPart("k", (TextPart(DIGITS), picture, TextPart("the end")), is_error=True)
    before = drafted([user(), asks(call("k")), Message(Role.TOOL, (given_back,))], archived=False)
    after = check(ClampOversizedMessages(200), before)
    (cut,) = after.messages[2].of_kind(ResultPart)
    assert (cut.id, cut.is_error) == ("k", True)
    assert cut.parts[1] is picture
    text = cut.parts[0].text if isinstance(cut.parts[0], TextPart) else ""
    assert text.startswith(DIGITS[:300])
    assert text.endswith("\nthe end")


def test_p11_thoughts_stay() -> None:
    """Case P11, C39: also what is not understood, and what the provider's own tools gave."""
    stays: tuple[Part, ...] = (
        ThinkingPart("step " * 3000, {"type": "thinking", "signature": "sig=="}),
        OpaquePart("hologram", {"type": "hologram", "beam": "x" * 9000}),
        CallPart("s", "web_search", "{}", server=True),
        ResultPart("s", (TextPart(DIGITS),), server=True),
        call("h1", "calc", text=DIGITS),
    )
    before = drafted([user(), Message(Role.ASSISTANT, (*stays, TextPart(DIGITS))), gives("h1", "42"), user("so?")])
    after = check(ClampOversizedMessages(200), before)
    assert after.messages[1].parts[:5] == stays
    assert MARKER.search(after.messages[1].text)


def test_s4_19_pins_stay() -> None:
    before = drafted([system(DIGITS), user(DIGITS), system(DIGITS), assistant(DIGITS), user(DIGITS)])
    after = check(ClampOversizedMessages(100), before)
    assert [place for place in range(5) if after.messages[place] is not before.messages[place]] == [1, 2, 3]


def test_under_a_bound_of_tokens_at_most_a_quarter_of_it() -> None:
    before = drafted([user(), *pair("k", DIGITS), assistant(DIGITS)], tokens=440)
    after = check(ClampOversizedMessages(), before)
    assert len(result(after, 2)) // 4 <= 110
    assert after.messages[3] is before.messages[3]  # enough already


def test_p10_in_the_last_pass_the_newest_pair_is_cut_to_fit() -> None:
    """Case P10: beside pins that leave hardly any room."""
    messages = [system("x" * 2000), user("review this"), *pair("k0", DIGITS), *pair("k1", DIGITS * 9)]
    before = drafted(messages, tokens=700)
    assert len(result(check(ClampOversizedMessages(), before), 5)) // 4 > 150
    after = check(ClampOversizedMessages(), in_last_pass(before))
    kept = [message for place, message in enumerate(after.messages) if place not in (2, 3)]
    assert 650 <= sum(map(cost, kept)) < 700
    assert result(after, 5).startswith("000001002003")


def test_p10_parallel_results_share_the_room() -> None:
    ids = [f"k{number}" for number in range(8)]
    results = [gives(id, DIGITS if id != "k3" else "none") for id in ids]
    before = in_last_pass(drafted([user("all"), asks(*map(call, ids)), *results], tokens=700))
    after = check(ClampOversizedMessages(), before)
    assert 600 <= after.tokens < 700
    assert after.messages[5] is before.messages[5]
    assert all(result(after, place).startswith("000001") for place in (2, 3, 4, 6, 7, 8, 9))


def test_where_the_newest_pair_cannot_fit_it_is_not_cut_further() -> None:
    messages = [system("x" * 3960), user("review this"), *pair("k1", DIGITS * 9)]
    before = in_last_pass(drafted(messages, tokens=1000))
    assert len(result(check(ClampOversizedMessages(), before), 3)) // 4 > 200


CLUSTERS = ["e\u0301", "👨‍👩‍👧", "🇵🇹", "👍🏽", "กำ", "x", "\r\n", "각"]


@given(st.sampled_from(CLUSTERS), st.integers(100, 600), st.integers(1, 200))
def test_no_character_is_cut(cluster: str, times: int, limit: int) -> None:
    """What a reader sees as one character stays whole."""
    left = MARKER.sub("", clamp(cluster * times, limit))
    assert left == cluster * (len(left) // len(cluster))


def test_a_text_of_half_a_surrogate_pair() -> None:
    assert MARKER.search(clamp("\ud83d" * 1200, 100))


def test_a_long_text_is_cut_in_few_steps() -> None:
    """4 million characters; each step counts no more than what would be left."""
    counted = 0

    def counting(message: Message) -> int:
        nonlocal counted
        counted += sum(map(characters, message.parts))
        return cost(message)

    before = drafted([assistant("word " * 800_000), user()])
    object.__setattr__(before, "cost", counting)
    after = ClampOversizedMessages().shorten(before)
    assert cost(after.messages[0]) <= 4096 + 3
    assert counted < 10 * 4_000_000


@given(drafts(), st.integers(1, 300))
def test_its_promises(draft: Draft, limit: int) -> None:
    """D13, C16, C17."""
    strategy = ClampOversizedMessages(limit)
    after = check(strategy, draft)
    assert len(after.messages) == len(draft.messages)
    assert strategy.shorten(after) is after
    assert {span.fate for span in after.taken} <= {Fate.CLAMPED}
    assert letters(after) == letters(draft)


def test_bad_settings() -> None:
    with pytest.raises(InvalidInput, match="max_part_tokens"):
        ClampOversizedMessages(0)


@pytest.mark.parametrize("limit", [1, 5, 10])
def test_a_marker_that_is_itself_over_the_limit_is_not_cut_again(limit: int) -> None:
    """C16: nor in another compactor, which has not seen what was cut."""
    strategy = ClampOversizedMessages(limit)
    after = strategy.shorten(drafted([assistant("word " * 200), user()]))
    again = drafted(list(after.messages))
    assert strategy.shorten(again) is again
