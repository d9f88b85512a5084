"""Calls of tools and their results, as strategies go through them (cases P05, P06, P09)."""

from __future__ import annotations

from hypothesis import given

from memoranda.compaction.calls import calls, clear, results
from memoranda.compaction.draft import Draft
from memoranda.messages.pairs import pair_up
from memoranda.records.message import CallPart, Message, ResultPart, Role, TextPart
from tests.compaction.drafts import asks, call, drafted, drafts, gives, pair, user


def test_results_know_the_call_before_them() -> None:
    """Case P09: the same id with another tool."""
    messages = [*pair("call_0", "first", "ls"), *pair("call_0", "second", "pwd"), gives("x")]
    assert [(one.place, one.part, one.name) for one in results(drafted(messages))] == [
        (1, 0, "ls"),
        (3, 0, "pwd"),
        (4, 0, "tool"),
    ]
    assert [one.place for one in results(drafted(messages), ["ls"])] == [3, 4]


def test_calls_of_the_host_only() -> None:
    served = CallPart("s", "web_search", "{}", server=True)
    messages = [asks(call("a", "ls"), served, call("b", "pwd")), gives("a"), gives("b")]
    assert [(one.place, one.part, one.call.name) for one in calls(drafted(messages))] == [(0, 0, "ls"), (0, 2, "pwd")]
    assert [one.part for one in calls(drafted(messages), ["pwd"])] == [0]


def test_clear_leaves_what_is_a_line_already() -> None:
    long = "line of output " * 40
    both = Message(Role.USER, (ResultPart("a", (TextPart(long),)), ResultPart("b", (TextPart("[x: 9,000 tokens]"),))))
    draft = drafted([asks(call("a"), call("b")), both, user()], archived=False)
    edit = draft.edit("test")
    clear(draft, edit, results(draft), lambda one: f"gone of {one.result.id}")
    assert edit.finish().messages[1].parts == (ResultPart("a", (TextPart("[gone of a: 150 tokens]"),)), both.parts[1])


@given(drafts())
def test_each_result_stands_under_the_name_of_its_call(draft: Draft) -> None:
    """As `pair_up` has it."""
    named = {result: call for call, found in pair_up(draft.messages, draft.pending).results.items() for result in found}
    for one in results(draft):
        place, part = named[one.place, one.part]
        assert one.call is draft.messages[place].parts[part]
        assert draft.messages[one.place].parts[one.part] is one.result
