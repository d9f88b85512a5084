from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


def test_import_reports_what_it_did_and_what_it_left_out(call: Call, tmp_path: Path) -> None:
    (tmp_path / "facts.jsonl").write_text('{"text": "one"}\n[]\n{"text": "password=hunter2-Zq81LmPx9"}\n', "utf-8")
    answer = call("import", "facts.jsonl")
    assert answer.code == 0
    assert answer.out == "facts.jsonl (jsonlines): 2 imported (2 added), 1 left out, 1 secrets masked\n"
    assert "left out: line 2" in answer.err
    (report,) = call("import", "facts.jsonl", "--json", "--scope", "b").json["files"]
    assert (report["imported"], report["unchanged"], report["skipped"][0]["where"]) == (2, 0, "line 2")


def test_importing_again_adds_nothing(call: Call, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Team\n\n- Tea at ten\n- Tea at ten\n\n密码是什么\n", "utf-8")
    (tmp_path / "plain.txt").write_text("eins\n\nzwei\n", "utf-8")
    first = call("import", "notes.md", "plain.txt", "--json").json["files"]
    assert sum(report["imported"] for report in first) == 5
    assert first[0]["outcomes"] == {"added": 2, "folded": 1}
    assert call("count", "--json").json["count"] == 4
    again = call("import", "notes.md", "plain.txt", "--json").json["files"]
    assert [report["imported"] for report in again] == [0, 0]
    assert sum(report["unchanged"] for report in again) == 5
    assert sorted(entry["seen_count"] for entry in call("list", "--json").json["entries"]) == [1, 1, 1, 2]


def test_imported_entries_say_where_they_come_from(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a.data").write_text("hello\n", "utf-8")
    assert call("import", "a.data").code == 1
    assert call("import", "a.data", "--format", "plain", "--category", "insight").code == 0
    (entry,) = call("list", "--json").json["entries"]
    assert (entry["origin"], entry["source"], entry["category"]) == ("import", "a.data#L1", "insight")


def test_dump_and_load_lose_nothing(call: Call, remember: Callable[..., str], tmp_path: Path) -> None:
    remember("The port is 8080", "--key", "port")
    remember("The port is 9090", "--key", "port", "--metadata", '{"x": "ü"}')
    assert call("dump", "a.jsonl", "--json").json == {"file": "a.jsonl", "scope": "default", "entries": 2}
    loaded = call("load", "a.jsonl", "--store", "second.db", "--json").json
    assert loaded == {"added": 2, "unchanged": 0, "refused": []}
    assert call("export", "b.jsonl", "--store", "second.db").code == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert call("load", "a.jsonl").out == "0 added, 2 there already, 0 left out\n"


def test_load_reports_the_lines_that_it_leaves_out(call: Call, remember: Callable[..., str], tmp_path: Path) -> None:
    remember("x")
    call("dump", "a.jsonl")
    with (tmp_path / "a.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"entry": 7}\n')
    answer = call("load", "a.jsonl")
    assert "1 left out" in answer.out
    assert "line 3" in answer.err


def test_a_dump_replaces_a_dump_and_nothing_else(call: Call, remember: Callable[..., str], tmp_path: Path) -> None:
    remember("x")
    assert call("dump", "memory.db").code == 1
    assert call("count").out == "1\n"
    assert call("dump", "a.jsonl").code == 0
    assert call("dump", "a.jsonl").code == 0
    (tmp_path / "empty").touch()
    assert call("dump", "empty").code == 0
    (tmp_path / "mine.txt").write_text("\nmine", "utf-8")
    refused = call("dump", "mine.txt")
    assert (refused.code, "--force" in refused.err) == (1, True)
    assert call("dump", "mine.txt", "--force").code == 0


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("import",), 2, "FILE"),
        (("import", "missing.txt"), 1, "missing.txt"),
        (("import", "."), 1, "error: "),
        (("import", "broken.txt"), 1, "not UTF-8"),
        (("import", "broken.txt", "--format", "word"), 2, "--format"),
        (("dump",), 2, "FILE"),
        (("dump", "no/such/folder.jsonl"), 1, "no/such"),
        (("dump", "."), 1, "error: "),
        (("load", "missing.jsonl"), 1, "missing.jsonl"),
        (("load", "broken.txt"), 1, "not a dump"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(
    call: Call, tmp_path: Path, args: tuple[str, ...], code: int, says: str
) -> None:
    (tmp_path / "broken.txt").write_bytes(b"caf\xe9")
    answer = call(*args)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert says in answer.err
    error = json.loads(call(*args, "--json").err)["error"]
    assert set(error) == {"type", "message"}
