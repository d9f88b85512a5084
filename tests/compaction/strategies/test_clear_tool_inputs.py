"""Clearing what was passed to tools long ago."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from memoranda.compaction.draft import Draft
from memoranda.compaction.handles import alone, handle_of
from memoranda.compaction.strategies.clear_tool_inputs import ClearToolInputs
from memoranda.errors import InvalidInput
from memoranda.records.message import CallPart, Message, Role
from memoranda.records.span import Fate
from tests.compaction.drafts import asks, call, check, drafted, drafts, gives, pair, user

LONG = 'def f():\n    return "x"\n' * 100  # 2,300 characters; 2,800 as JSON, which are 700 tokens
CLEAR = ClearToolInputs(keep_pairs=0)


def cleared(arguments: Any, strategy: ClearToolInputs = CLEAR, *, archived: bool = False) -> Any:
    """Returns the arguments of one old call after the strategy."""
    messages = [user(), asks(CallPart("w", "write_file", arguments)), gives("w")]
    after = check(strategy, drafted(messages, archived=archived))
    (part,) = after.messages[1].of_kind(CallPart)
    return part.arguments


def test_long_texts_become_a_line_and_short_ones_stay() -> None:
    before = json.dumps({"path": "a.py", "text": LONG, "mode": 420, "at": 1.10, "more": [{"note": LONG}, None]})
    said = "[argument cleared: 700 tokens]"
    assert cleared(before) == before.replace(json.dumps(LONG), f'"{said}"')
    assert json.loads(cleared(before)) == {
        "path": "a.py", "text": said, "mode": 420, "at": 1.1, "more": [{"note": said}, None],
    }  # fmt: skip


def test_the_line_names_the_handle_of_the_call() -> None:
    messages = [user(), asks(call("w", "write_file", body=LONG)), gives("w")]
    after = check(CLEAR, drafted(messages))
    assert f"handle {handle_of(alone(messages[1], 0))}]" in str(after.messages[1].of_kind(CallPart)[0].arguments)
    assert [(span.index, span.fate) for span in after.taken] == [(1, Fate.CLEARED)]
    assert after.taken[0].message.parts == messages[1].parts


def test_an_object_stays_an_object() -> None:
    before = {"path": "a.py", "text": LONG, "at": 0.1}
    assert cleared(before) == {"path": "a.py", "text": "[argument cleared: 700 tokens]", "at": 0.1}


@pytest.mark.parametrize("text", [LONG, f'["{"x" * 2000}"]', '{"text": "' + "x" * 2000, f'"{"x" * 2000}"'])
def test_what_is_no_object_becomes_one(text: str) -> None:
    read = json.loads(str(cleared(text)))
    assert list(read) == ["cleared"]
    assert read["cleared"].startswith("[argument cleared: ")


def test_names_stay_however_long() -> None:
    before = json.dumps({"k" * 2000: "x", "text": LONG})
    assert list(json.loads(str(cleared(before)))) == ["k" * 2000, "text"]


@pytest.mark.parametrize("arguments", ["", "{}", '{"path": "a.py"}', "{", {}, {"path": "a.py"}, '{"a": [1, 2]}'])
def test_short_arguments_stay(arguments: Any) -> None:
    assert cleared(arguments) is arguments


def test_min_tokens() -> None:
    before = {"text": "x" * 400}
    assert cleared(before, ClearToolInputs(keep_pairs=0, min_tokens=101)) is before
    assert cleared(before, ClearToolInputs(keep_pairs=0, min_tokens=100)) == {"text": "[argument cleared: 100 tokens]"}


def test_the_newest_and_the_excluded_stay() -> None:
    names = ["write_file", "notes", "write_file", "write_file"]
    pairs = [pair(f"w{number}", "ok", name, body=LONG) for number, name in enumerate(names)]
    before = drafted([user(), *(message for one in pairs for message in one)])
    after = check(ClearToolInputs(keep_pairs=2, exclude_tools=["notes"]), before)
    assert [place for place in (1, 3, 5, 7) if after.messages[place] is not before.messages[place]] == [1]


def test_what_the_provider_runs_and_what_is_pending_stay() -> None:
    served = Message(Role.ASSISTANT, (CallPart("s", "web_search", {"query": LONG}, server=True),))
    before = drafted([user(), served, *pair("w", "wait", body=LONG), user()], pending=["w"])
    assert CLEAR.shorten(before) is before


def test_c16_what_was_cleared_is_not_cleared_again() -> None:
    """Whatever `min_tokens` says, and where the host sends the cleared list with the next request."""
    small = ClearToolInputs(keep_pairs=0, min_tokens=1)
    after = check(small, drafted([user(), *pair("w", "ok", body=LONG), *pair("v", "ok", body=LONG)]))
    assert small.shorten(after) is after
    sent_again = drafted(after.messages)
    assert small.shorten(sent_again) is sent_again


def test_under_a_bound_of_tokens_no_more_than_needed() -> None:
    messages = [user(), *pair("w", "ok", body=LONG), *pair("v", "ok", body=LONG)]
    after = check(CLEAR, drafted(messages, tokens=drafted(messages).tokens))
    assert after.messages[1] is not messages[1]
    assert after.messages[3] is messages[3]


@given(drafts())
def test_its_promises(draft: Draft) -> None:
    """D13, C16, C17."""
    strategy = ClearToolInputs(keep_pairs=1, min_tokens=20)
    after = check(strategy, draft)
    assert len(after.messages) == len(draft.messages)
    assert strategy.shorten(after) is after
    assert all(span.message.of_kind(CallPart) for span in after.taken)


@pytest.mark.parametrize("settings", [{"keep_pairs": -1}, {"min_tokens": 0}, {"exclude_tools": [""]}])
def test_bad_settings(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(settings))):
        ClearToolInputs(**settings)
