from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoranda.service.importing.item import ImportItem, Skipped
from memoranda.service.importing.jsonlines import parse


def one(data: str) -> ImportItem | Skipped:
    (found,) = parse(data, name="f.jsonl")
    return found


def test_every_field_is_read_and_the_rest_kept_as_metadata() -> None:
    line = (
        '{"text": "Hi", "category": "fact", "tags": ["a", "b", "a"], "key": "k", "role": "user", "session": "s",'
        ' "position": 7, "created_at": "2026-03-04T10:00:00+01:00", "source": "m-1", "metadata": {"x": 1},'
        ' "origin": "host", "likes": [2]}'
    )
    assert one(line) == ImportItem(
        "Hi",
        category="fact",
        tags=("a", "b"),
        key="k",
        speaker="user",
        session="s",
        position=7,
        occurred_at=datetime(2026, 3, 4, 9, tzinfo=UTC),
        source="m-1",
        metadata={"origin": "host", "likes": [2], "x": 1},
    )


def test_what_is_left_out_is_filled_in() -> None:
    assert one('{"content": "x"}') == ImportItem("x", category="fact", source="f.jsonl#L1")
    assert one('{"memory": "x", "tags": "t", "speaker": "Mira"}') == ImportItem(
        "x", category="episode", tags=("t",), speaker="Mira", source="f.jsonl#L1"
    )


def test_positions_count_on_within_each_session() -> None:
    lines = ['{"text":"a","session":"s"}', '{"text":"b","session":"t"}', '{"text":"c","session":"s","position":5}']
    found = list(parse("\n".join([*lines, '{"text":"d","session":"s"}']), name="f"))
    assert [item.position for item in found if isinstance(item, ImportItem)] == [0, 0, 5, 6]


def test_a_line_is_ended_by_a_line_feed_only() -> None:
    item = one('{"memory": "a\u2028b\x85c"}')
    assert isinstance(item, ImportItem)
    assert item.memory == "a\u2028b\x85c"


def test_seconds_since_1970_are_a_time() -> None:
    item = one('{"memory": "x", "timestamp": 1700000000.5}')
    assert isinstance(item, ImportItem)
    assert item.occurred_at == datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"memory": "a"}{"memory": "b"}', "a second value starts at column 16"),
        ('{"memory": "hal', "not whole JSON"),
        ("\0" * 40, "only NUL bytes"),
        ("[1, 2]", "a list, not an object"),
        ("null", "null, not an object"),
        ("true", "true or false, not an object"),
        ('{"note": "x"}', "put it into the field `memory`, `text` or `content`"),
        ('{"memory": 5}', "`memory` is a number; it must be text"),
        ('{"memory": "  "}', "blank"),
        ('{"memory": "x", "category": "memo"}', "`category` is 'memo'; it must be one of fact"),
        ('{"memory": "x", "tags": [1]}', "`tags` must be a list of texts"),
        ('{"memory": "x", "tags": [" "]}', "`tags` must have"),
        ('{"memory": "x", "position": "3"}', "`position` is text"),
        ('{"memory": "x", "position": -1}', "from 0"),
        ('{"memory": "x", "metadata": []}', "`metadata` is a list"),
        ('{"memory": "x", "weight": NaN}', "`metadata` cannot be written as JSON"),
        ('{"memory": "x", "weight": 1e999}', "`metadata` cannot be written as JSON"),
        ('{"memory": "x", "timestamp": "2026-03-04T10:00:00"}', "with no offset"),
        ('{"memory": "x", "timestamp": "yesterday"}', "write it as 2026-03-04T10:00:00+01:00"),
        ('{"memory": "x", "timestamp": "0001-01-01T00:00:00+10:00"}', "outside the years"),
        ('{"memory": "x", "timestamp": 1700000000000}', "not milliseconds"),
        ('{"memory": "x", "timestamp": NaN}', "outside the years"),
        ('{"memory": "x", "timestamp": true}', "not bool"),
        ('{"memory": "\\ud83d"}', "lone surrogate"),
        ('{"memory": "x\udcff"}', "not UTF-8: byte 0xff at column 14"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "digits"),
    ],
)
def test_a_bad_line_is_reported_with_its_number_and_spoils_no_other(line: str, reason: str) -> None:
    """Case K01."""
    first, bad, last = parse(f'\ufeff{{"memory": "a"}}\r\n\r\n{line}\n\ufeff{{"memory": "z"}}', name="f.jsonl")
    assert isinstance(bad, Skipped)
    assert bad.where == "line 3"
    assert reason in bad.reason
    assert first == ImportItem("a", category="fact", source="f.jsonl#L1")
    assert last == ImportItem("z", category="fact", source="f.jsonl#L4")


def test_an_empty_file_holds_nothing() -> None:
    """Case K01: 0 bytes are an empty file, not an error."""
    assert not list(parse("", name="f.jsonl"))
