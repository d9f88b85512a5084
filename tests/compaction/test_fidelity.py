"""S4.18: the report says how much of what later messages refer to is still there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.compaction.compactor import Compactor
from memoranda.compaction.config import CompactionConfig
from memoranda.compaction.fidelity import EXAMPLES, Fidelity, fidelity, values
from memoranda.compaction.handles import handle_of
from memoranda.messages.formats import read
from memoranda.records.message import (
    CallPart,
    Message,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
    user_message,
)
from memoranda.records.span import Fate, Span
from tests.messages.lists import lists_of


def says(text: str, role: Role = Role.ASSISTANT) -> Message:
    return Message(role, (TextPart(text),))


def span(message: Message, index: int) -> Span:
    return Span(handle=handle_of(message), message=message, fate=Fate.DROPPED, tokens=9, index=index, by="drop_turns")


def counted(found: Fidelity) -> tuple[int, int, int, int]:
    return (found.references, found.visible, found.reachable, found.gone)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open src/app.py, /etc/hosts and ~/notes", {"src/app.py", "/etc/hosts", "~/notes"}),
        ("see https://example.com/a?b=1.", {"https://example.com/a?b=1"}),
        ("order 4711 costs $250 at 10:15, that is 7%", {"4711", "$250", "10:15"}),
        ("12, 99 or v2 are no references; nor is and/or, n/a or 2/3", set()),
        (
            "ids: HAT136, user_9x, 550e8400-e29b-41d4-a716-446655440000!",
            {"HAT136", "user_9x", "550e8400-e29b-41d4-a716-446655440000"},
        ),
        ("call `max_tokens` and 'JFK' but not \"hello\"", {"max_tokens", "JFK"}),
        ('{"user_id": "mia_li", "count": 3, \'id_7755\': "on"}', {"mia_li"}),
        ("the file notes.md. And end.Then", {"notes.md"}),
        ("x" * 300 + "1234 " + "a/b1/" * 100, set()),
        ("", set()),
    ],
)
def test_what_a_text_names(text: str, expected: set[str]) -> None:
    assert set(values(says(text))) == expected


def test_calls_and_results_are_read_and_thinking_is_not() -> None:
    call = CallPart("call_12345", "read_file", {"path": "src/a.py"})
    result = ResultPart("call_12345", (TextPart("line 4711"),))
    thought = ThinkingPart("perhaps /tmp/b")
    assert values(Message(Role.ASSISTANT, (thought, call))) == ["src/a.py"]
    assert values(Message(Role.TOOL, (result,))) == ["4711"]


FIRST, SECOND, LAST = says("order 4711 is late"), says("I look at 4711"), user_message("and 4711 now?")


@pytest.mark.parametrize(
    ("before", "after", "taken", "expected"),
    [
        pytest.param([FIRST, SECOND, LAST], [FIRST, SECOND, LAST], [], (1, 1, 0, 0), id="nothing-taken"),
        pytest.param([FIRST, SECOND, LAST], [SECOND, LAST], [span(FIRST, 0)], (1, 1, 0, 0), id="said-elsewhere"),
        pytest.param([FIRST, LAST], [LAST], [span(FIRST, 0)], (1, 0, 1, 0), id="by-handle"),
        pytest.param([FIRST, LAST], [LAST], [], (1, 0, 0, 1), id="gone"),
        pytest.param([FIRST, SECOND], [FIRST], [span(SECOND, 1)], (0, 0, 0, 0), id="the-later-one-left"),
        pytest.param([FIRST, LAST], [], [span(FIRST, 0)], (0, 0, 0, 0), id="both-left"),
        pytest.param([FIRST, LAST], [user_message("Summary: 4711"), LAST], [], (1, 1, 0, 0), id="in-a-summary"),
        pytest.param([FIRST, SECOND], [says("Summary: 4711")], [], (0, 0, 0, 0), id="in-a-summary-alone"),
        pytest.param([LAST], [LAST], [], (0, 0, 0, 0), id="named-once"),
        pytest.param([], [], [], (0, 0, 0, 0), id="empty"),
    ],
)
def test_what_became_of_a_reference(
    before: list[Message], after: list[Message], taken: list[Span], expected: tuple[int, int, int, int]
) -> None:
    assert counted(fidelity(before, after, taken)) == expected


def test_a_cleared_result_is_known_as_the_one_that_it_was() -> None:
    """The result with the value leaves a line; a later result that names the value refers to it."""
    rows: list[dict[str, Any]] = []
    for number in (1, 2):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "get", "arguments": "{}"}}
        rows += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "ticket INC-4471"},
        ]
    _, before = read(rows)
    cleared = ResultPart("c1", (TextPart("[result of get cleared: 5 tokens]"),))
    first = [before[0], before[1].with_part(0, cleared), *before[2:]]
    assert counted(fidelity(before, first, [])) == (1, 0, 0, 1)
    last = [*before[:3], before[3].with_part(0, replace(cleared, id="c2"))]
    assert counted(fidelity(before, last, [])) == (0, 0, 0, 0)


def test_it_says_in_words_and_as_json_what_it_found() -> None:
    names = [f"a/b/file{number}.py" for number in range(EXAMPLES + 3)]
    found = fidelity([says(" ".join(names)), LAST, user_message(" ".join(names))], [user_message(" ".join(names))], [])
    # A message that equals an earlier one is still the later one: nothing is changed but what was taken.
    assert counted(found) == (len(names), 0, 0, len(names))
    assert found.examples == tuple(names[:EXAMPLES])
    assert str(found).startswith(
        "values that later messages refer to: 8, of which 0 still visible, 8 gone (such as a/b/"
    )
    assert found.to_json() == {"references": 8, "visible": 0, "reachable": 0, "gone": 8}
    assert str(fidelity([], [], [])) == "nothing that is left refers to what came before"


@given(rows=st.sampled_from(WireFormat).flatmap(lambda format: lists_of(format).map(lambda rows: (format, rows))))
def test_nothing_is_gone_from_a_list_that_nobody_changed(rows: tuple[WireFormat, list[dict[str, Any]]]) -> None:
    _, messages = read(rows[1], rows[0])
    found = fidelity(messages, messages, [])
    assert found.references == found.visible
    assert counted(fidelity(messages, [], [])) == (0, 0, 0, 0)


@given(rows=lists_of(WireFormat.CHAT), budget=st.integers(1, 400))
def test_the_counts_add_up_and_taken_spans_only_help(rows: list[dict[str, Any]], budget: int) -> None:
    compactor = Compactor(CompactionConfig(max_fraction=None, max_tokens=budget), format=WireFormat.CHAT)
    done = compactor.on_request(rows)
    _, before = read(rows, WireFormat.CHAT)
    _, after = read(done.messages, WireFormat.CHAT)
    with_handles = fidelity(before, after, done.report.taken)
    without = fidelity(before, after, [])
    assert with_handles.references == with_handles.visible + with_handles.reachable + with_handles.gone
    assert (without.references, without.visible) == (with_handles.references, with_handles.visible)
    assert without.gone == with_handles.reachable + with_handles.gone
    assert without.reachable == 0


def test_long_texts_take_time_in_proportion() -> None:
    """Texts of a megabyte without a blank, and of many blanks, are read in well under a second each."""
    for text in ("a" * 1_000_000, "ab/" * 300_000, "`" * 1_000_000, " '\"" * 300_000, "1," * 500_000, "é_" * 400_000):
        assert set(values(says(text))) <= {text}
