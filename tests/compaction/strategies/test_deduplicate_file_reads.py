"""Keeping only the newest of the reads that give the same (S4.24, C27, C36)."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategies.deduplicate_file_reads import DeduplicateFileReads
from memoranda.errors import InvalidInput
from memoranda.records.message import CallPart, Message, ResultPart
from tests.compaction.drafts import asks, call, check, drafted, drafts, gives, pair, result, user

LONG = "content of the file " * 20
DEDUPLICATE = DeduplicateFileReads()


def cleared(messages: list[Message], strategy: DeduplicateFileReads = DEDUPLICATE, **bounds: int) -> list[int]:
    """Returns the places of the results that were cleared."""
    after = check(strategy, drafted(messages, **bounds))  # type: ignore[arg-type]
    return [place for place, message in enumerate(after.messages) if message is not messages[place]]


def reads(*paths: str, name: str = "read_file") -> list[Message]:
    """Returns a read of each path; results stand at 2, 4, 6, ..."""
    pairs = [pair(f"r{number}", LONG, name, path=path) for number, path in enumerate(paths)]
    return [user(), *(message for one in pairs for message in one)]


def test_s4_24_only_the_newest_read_of_a_path_stays() -> None:
    assert cleared(reads("a", "b", "a", "a")) == [2, 6]


def test_c36_one_line_stands_in_its_place() -> None:
    after = check(DEDUPLICATE, drafted(reads("a", "a"), archived=False))
    assert result(after, 2) == "[older result of read_file cleared, read again below: 100 tokens]"


def test_s4_24_a_read_without_result_does_not_count() -> None:
    assert cleared([*reads("a"), asks(call("r9", path="a"))]) == []


def test_a_read_that_failed_does_not_count() -> None:
    """The older one is the only one that gave the file."""
    failed = [asks(call("r9", path="a")), gives("r9", "no such file", is_error=True)]
    assert cleared([*reads("a"), *failed]) == []


def test_a_read_that_was_cleared_does_not_count() -> None:
    last = pair("r9", "[result of read_file cleared: 1,000 tokens]", path="a")
    assert cleared([*reads("a"), *last]) == []


def test_c27_a_ranged_read_is_another_read() -> None:
    messages = [user()]
    messages += pair("r0", LONG, path="a", offset=0, limit=100)
    messages += pair("r1", LONG, path="a", offset=100, limit=100)
    messages += pair("r2", LONG, path="a")
    assert cleared(messages) == []
    assert cleared([*messages, *pair("r3", LONG, path="a", limit=100, offset=0)]) == [2]


def test_keys_choose_what_is_compared() -> None:
    messages = [user(), *pair("r0", LONG, path="a", why="look"), *pair("r1", LONG, path="a", why="check")]
    assert cleared(messages) == []
    assert cleared(messages, DeduplicateFileReads(keys="path")) == [2]
    assert cleared(messages, DeduplicateFileReads(keys=["file"])) == []  # compared by all


def test_arguments_are_compared_as_json() -> None:
    spelled = [
        CallPart("r0", "read_file", '{"path": "a", "n": 1}'),
        CallPart("r1", "read_file", '{"n":1,"path":"\\u0061"}'),
        CallPart("r2", "read_file", {"n": 1, "path": "a"}),
        CallPart("r3", "read_file", '{"path": "a", "n": "1"}'),
        CallPart("r4", "read_file", "a"),
        CallPart("r5", "read_file", "a"),
    ]
    messages = [user(), *(message for one in spelled for message in (asks(one), gives(one.id, LONG)))]
    assert cleared(messages) == [2, 4, 10]


def test_other_tools_stay() -> None:
    messages = [*reads("a", "a", name="search")]
    assert cleared(messages) == []
    assert cleared(messages, DeduplicateFileReads(("read_file", "search"))) == [2]


def test_p09_an_id_that_is_used_again() -> None:
    messages = [user(), *pair("c", LONG, path="a"), *pair("c", LONG, path="b"), *pair("c", LONG, path="a")]
    assert cleared(messages) == [2]


def test_s4_16_under_a_bound_of_tokens_no_more_than_needed() -> None:
    messages = reads("a", "a", "a")
    assert cleared(messages, tokens=drafted(messages).tokens) == [2]


@given(drafts())
def test_its_promises(draft: Draft) -> None:
    """D13, C16, C17."""
    after = check(DEDUPLICATE, draft)
    assert len(after.messages) == len(draft.messages)
    assert DEDUPLICATE.shorten(after) is after
    assert all(span.message.of_kind(ResultPart) for span in after.taken)


@pytest.mark.parametrize("settings", [{"tool_name": ""}, {"tool_name": []}, {"keys": [1]}, {"keys": ()}])
def test_bad_settings(settings: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(settings))):
        DeduplicateFileReads(**settings)  # type: ignore[arg-type]
