from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from memoranda.records.check import ENTRY_FIELDS

Call = Callable[..., Any]
Remember = Callable[..., str]
NOBODY = "00000000-0000-4000-8000-000000000000"


def test_recall_shows_score_memory_category_time_and_reason(call: Call, remember: Remember) -> None:
    id = remember("Deploys go to the blue cluster", "--occurred-at", "2026-03-04T10:00Z")
    answer = call("recall", "which cluster?")
    header, _, row, second = answer.out.splitlines()[:4]
    assert header.split() == ["score", "memory", "category", "time", "because"]
    assert "Deploys go to the blue cluster" in row
    assert "fact" in row
    assert "2026-03-04 1" in row
    assert "cluster" in row.partition("fact")[2]
    assert id in second


def test_recall_as_json_has_whole_entries_and_score_parts(call: Call, remember: Remember) -> None:
    remember("测试数据库每周一早上六点重置")
    remember("数据库 postgres")
    answer = call("recall", "测试数据库什么时候重置?", "--limit", "1", "--json")
    hit = answer.json["hits"][0]
    assert set(hit) == {"score", "parts", "because", "entry"}
    assert set(hit["entry"]) == set(ENTRY_FIELDS)
    assert hit["entry"]["memory"] == "测试数据库每周一早上六点重置"
    assert "测试数据库" in answer.out  # readable, not escaped
    assert answer.json["dropped"][0]["reason"] == "over the limit of 1"


def test_recall_explains_each_part_and_what_was_left_out(call: Call, remember: Remember) -> None:
    remember("blue cluster")
    remember("green cluster")
    answer = call("recall", "cluster", "--limit", "1", "--explain")
    rows = {line.rpartition(" ")[0].strip(): line.split()[-1] for line in answer.out.splitlines() if line}
    assert rows["confidence"] == "-0.357"
    parts = call("recall", "cluster", "--limit", "1", "--json").json["hits"][0]["parts"]
    assert set(parts) <= set(rows)
    assert float(rows["x"]) == pytest.approx(sum(parts.values()), abs=0.001)
    assert float(rows["score"]) == pytest.approx(1 / (1 + math.exp(-sum(parts.values()))), abs=0.001)
    assert "blue cluster" in answer.out.partition("Left out:")[2]
    assert "over the limit of 1" in answer.out


def test_a_wide_explanation_is_broken_into_several_tables(call: Call, remember: Remember) -> None:
    for number in range(20):
        remember(f"cluster number {number}")
    answer = call("recall", "cluster", "--limit", "0", "--explain")
    assert answer.out == ""
    answer = call("recall", "cluster", "--limit", "20", "--explain", env={"COLUMNS": "80"})
    assert answer.out.count("part ") > 1
    assert "hit 20" in answer.out


def test_why_not_tells_the_place_or_the_reason(call: Call, remember: Remember) -> None:
    id = remember("blue cluster")
    remember("green cluster")
    assert call("recall", "cluster", "--why-not", id).out.startswith("it is a hit, at place ")
    assert "is no answer" in call("recall", "tea", "--why-not", id).out
    assert "`categories`" in call("recall", "cluster", "--category", "insight", "--why-not", id).out
    answer = call("recall", "cluster", "--why-not", NOBODY, "--json").json
    assert (answer["query"], answer["id"]) == ("cluster", NOBODY)
    assert NOBODY in answer["why"]


def test_words_alone_are_told_once_with_what_to_do(call: Call, remember: Remember) -> None:
    remember("blue cluster")
    for args in (("recall", "cluster"), ("remember", "green cluster")):
        err = call(*args).err
        assert err.startswith("recall works with words only: ")
        assert err.count("\n") == 1
        assert "run `" in err
        for silent in (("--json",), ("--quiet",), ("--embedder", "none")):
            assert call(*args, *silent).err == ""
        assert call(*args, env={"MEMORANDA_EMBEDDER": "none"}).err == ""
    assert call("list").err == ""


def test_finding_nothing_is_an_answer(call: Call) -> None:
    answer = call("recall", "anything")
    assert (answer.code, answer.out) == (0, "")
    assert "nothing that answers this was found\n" in answer.err
    assert call("recall", "anything", "--json").json == {"query": "anything", "hits": [], "dropped": []}


def test_recall_filters_and_reads_further_scopes(call: Call, remember: Remember) -> None:
    remember("tea in the morning", "--tag", "drinks", "--category", "preference", "--session", "s-1")
    remember("tea in the evening")
    remember("tea at noon", "--scope", "other")

    def texts(*args: str) -> list[str]:
        return sorted(hit["entry"]["memory"] for hit in call("recall", "tea", "--json", *args).json["hits"])

    assert texts() == ["tea in the evening", "tea in the morning"]
    assert texts("--tag", "drinks") == ["tea in the morning"]
    assert texts("--category", "preference") == ["tea in the morning"]
    assert texts("--session", "s-1") == ["tea in the morning"]
    assert "tea at noon" in texts("--also", "other")
    assert texts("--min-score", "1") == []
    assert texts("--limit", "-3") == []


def test_recall_of_an_earlier_day(call: Call, remember: Remember) -> None:
    remember("The port is 8080", "--key", "port", "--occurred-at", "2026-01-01T00:00Z")
    remember("The port is 9090", "--key", "port", "--occurred-at", "2026-02-01T00:00Z")
    answer = call("recall", "port", "--as-of", "2026-01-15T00:00Z", "--json")
    assert [hit["entry"]["memory"] for hit in answer.json["hits"]] == ["The port is 8080"]


def test_list_pages_until_the_end(call: Call, remember: Remember) -> None:
    ids = [remember(f"number {i}") for i in range(5)]
    seen, after = list[str](), list[str]()
    while True:
        page = call("list", "--limit", "2", "--json", *after).json
        seen += [entry["id"] for entry in page["entries"]]
        if page["next"] is None:
            break
        after = ["--after", page["next"]]
    assert seen == ids[::-1]
    assert f"--after {ids[3]}" in call("list", "--limit", "2").err
    assert call("list", "--limit", "0", "--json").json == {"entries": [], "next": None}


def test_list_shows_superseded_ones_on_request(call: Call, remember: Remember) -> None:
    old = remember("one", "--key", "k")
    new = remember("two", "--key", "k")
    assert old not in call("list").out
    answer = call("list", "--superseded")
    assert old in answer.out
    assert "superseded by" in answer.out
    assert [entry["id"] for entry in call("list", "--superseded", "--json").json["entries"]] == [new, old]


def test_an_empty_list_is_told_on_stderr(call: Call) -> None:
    answer = call("list")
    assert (answer.code, answer.out, answer.err) == (0, "", "no entries\n")


def test_get_shows_every_field(call: Call, remember: Remember) -> None:
    id = remember("long " * 500, "--tag", "a", "--metadata", '{"n": 1}', "--validated")
    answer = call("get", id)
    assert "".join(answer.out.split()).count("long") == 500
    assert '{"n": 1}' in answer.out
    assert set(call("get", id, "--json").json) == set(ENTRY_FIELDS)


def test_revisions(call: Call, remember: Remember) -> None:
    old = remember("The port is 8080", "--key", "port")
    new = remember("The port is 9090", "--key", "port")
    answer = call("revisions", new)
    assert answer.out.split()[:3] == ["change", "memory", "time"]
    assert "The port is 8080" in answer.out
    (revision,) = call("revisions", new, "--json").json["revisions"]
    assert (revision["change"], revision["entry"]["id"]) == ("replace", old)
    assert call("revisions", remember("never changed")).err == "it was never changed\n"


def test_count(call: Call, remember: Remember) -> None:
    remember("one")
    assert call("count").out == "1\n"
    assert call("count", "--json").json == {"scope": "default", "count": 1}


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("recall",), 2, "QUERY"),
        (("recall", "x", "--limit", "many"), 2, "--limit"),
        (("recall", "x", "--as-of", "2026-01-01T00:00"), 2, "offset"),
        (("recall", "x", "--category", "none"), 2, "--category"),
        (("recall", "x", "--tag", " "), 1, "tags"),
        (("recall", "x", "--also", ""), 1, "scope"),
        (("recall", "x", "--scope", ""), 1, "scope"),
        (("list", "--after", NOBODY), 3, NOBODY),
        (("list", "--limit", "1.5"), 2, "--limit"),
        (("get",), 2, "ID"),
        (("get", NOBODY), 3, NOBODY),
        (("revisions", "x"), 3, "'x'"),
        (("count", "surplus"), 2, "surplus"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(call: Call, args: tuple[str, ...], code: int, says: str) -> None:
    answer = call(*args)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert says in answer.err
