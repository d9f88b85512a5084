"""Cases from the field: scope names, isolation, ids, secrets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda import EntryNotFound, InvalidScope, Memory
from memoranda.memory.transfer import HEADER
from tests.conftest import Case

CaseOf = Callable[[str], Case]


def test_case_X07(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Odd scope names: each accepted one round-trips exactly; the others are refused by one documented error."""
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "link").symlink_to(data)
    names = case("X07")["input"]["scopes"]
    refused = []
    with Memory(tmp_path / "link" / "m.db") as memory:
        for name in names:
            try:
                memory.scope(name).remember(f"text of {ascii(name)[:50]}")
            except InvalidScope:
                refused.append(name)
        accepted = [name for name in names if name not in refused]
        assert refused == [name for name in names if len(name) > 1024 or not name.strip() or "\0" in name]
        assert memory.scopes() == sorted(accepted)
        for name in accepted:
            scope = memory.scope(name)
            assert scope.path == name
            assert [entry.memory for entry in scope.list()] == [f"text of {ascii(name)[:50]}"]
            assert len(scope.recall("text")) == 1
            scope.dump(data / "dump")
    assert {file.name for file in tmp_path.iterdir()} == {"data", "link"}
    assert {file.name for file in data.iterdir()} == {"m.db", "dump"}


def test_case_X04(case: CaseOf) -> None:  # noqa: N802
    with Memory(":memory:") as memory:
        steps = case("X04")["input"]["steps"]
        stored = [step for step in steps if step["op"] == "store"]
        for step in stored:
            memory.scope(step["scope"]).remember(step["text"])
        assert memory.scopes("tenant/acme") == ["tenant/acme"]
        seen = {
            step["scope"]: [hit.entry.memory for hit in memory.scope(step["scope"]).recall(step["query"], limit=5)]
            for step in steps
            if step["op"] == "retrieve"
        }
        assert seen == {"tenant/acme": ["acme note"], "user_1": ["x"], "user_": [], "user%": []}
        assert len(memory.scopes()) == len(stored)


def test_case_X06(case: CaseOf) -> None:  # noqa: N802
    """The paths that there are: recall by words, the newest, listing, and ids of another scope."""
    with Memory(":memory:") as memory:
        first, second = (step for step in case("X06")["input"]["steps"] if step["op"] == "store")
        theirs = memory.scope(first["scope"]).remember(first["text"]).entry
        bob = memory.scope(second["scope"])
        bob.remember(second["text"])
        assert theirs is not None
        shown: list[Any] = [bob.recall("salary", limit=5), bob.recall(""), bob.list(), bob.get(theirs.id)]
        assert all("salary" not in repr(part).replace("query='salary'", "") for part in shown)
        with pytest.raises(EntryNotFound):
            bob.retract(theirs.id)
        assert memory.scope(first["scope"]).count() == 1


def test_case_W08(case: CaseOf) -> None:  # noqa: N802
    """An id with two characters swapped: an error that lists nothing, and nothing is changed."""
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        entry = scope.remember(case("W08")["input"]["steps"][0]["text"]).entry
        assert entry is not None
        place = next(n for n in range(1, 36) if entry.id[n - 1] != entry.id[n] and "-" not in entry.id[n - 1 : n + 1])
        swapped = entry.id[: place - 1] + entry.id[place] + entry.id[place - 1] + entry.id[place + 1 :]
        with pytest.raises(EntryNotFound) as caught:
            scope.retract(swapped)
        assert entry.id not in str(caught.value)
        assert [hit.entry.id for hit in scope.recall("entry", limit=5)] == [entry.id]


def test_case_R03(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Secrets are masked on every path that there is; what is no secret stays as it is."""
    texts = case("R03")["input"]["texts"]
    secret, plain = texts[:4], texts[4:]
    secrets = ["sk-test-51HxQ9mZ2kL8vN3pR7tY4wB6", "c2lnbmF0dXJlLWhlcmU", "MIIB", "hunter2"]
    with Memory(tmp_path / "m.db") as memory:
        scope = memory.scope("u1")
        for text in secret:
            entry = scope.remember(f"it printed {text} and went on", metadata={"output": text}, source=text).entry
            assert entry is not None
            assert entry.memory.startswith("it printed ")
            assert entry.memory.endswith(" and went on")
            scope.update(entry.id, f"then {text} again")
            scope.remember_many([text, {"text": "a note", "tags": [text.split("\n")[0]]}])
            scope.retract(scope.remember("wrong").entry.id, because=f"{text} leaked")  # type: ignore[union-attr]  # added
        kept = [receipt.entry and receipt.entry.memory for receipt in scope.remember_many(plain)]
        assert kept == plain
        scope.dump(tmp_path / "dump")
        shown = repr(scope.list(superseded=True, limit=1000)) + (tmp_path / "dump").read_text(encoding="utf-8")
        assert [one for one in secrets if one in shown] == []
    raw = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [one for one in secrets if one.encode() in raw] == []


VARIANTS: dict[str, tuple[bytes, int, list[int]]] = {
    "valid lines + half a line without newline": (b'{"entry":{"id":"00000000-0000-4000-8000-0000000', 2, [4]),
    "a blank line and a BOM": (b"\n\n", 2, []),
    "one line of NUL bytes": (b"\0" * 50 + b"\n", 2, [4]),
    "valid JSON of the wrong shape": (b'{"memory":"x"}\n[1]\nnull\n7\n{"entry":5}\n', 2, [4, 5, 6, 7, 8]),
}


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_case_K01(case: CaseOf, variant: str, tmp_path: Path) -> None:  # noqa: N802
    """A dump that was damaged: good lines load, bad ones are reported with their number, nothing is overwritten."""
    assert variant in case("K01")["input"]["file_variants"]
    with Memory(":memory:") as memory:
        memory.scope("u1").remember_many(["one", "two"])
        memory.scope("u1").dump(tmp_path / "dump")
    rest, added, refused = VARIANTS[variant]
    bom = b"\xef\xbb\xbf" if "BOM" in variant else b""
    (tmp_path / "dump").write_bytes(bom + (tmp_path / "dump").read_bytes() + rest)
    with Memory(":memory:") as memory:
        report = memory.scope("u1").load(tmp_path / "dump")
        assert (report.added, [one.line for one in report.refused]) == (added, refused)
        assert memory.scope("u1").remember("y").entry is not None
        assert memory.scope("u1").count() == added + 1


def test_case_K01_two_objects_on_one_line(tmp_path: Path) -> None:  # noqa: N802
    with Memory(":memory:") as memory:
        memory.scope("u1").remember_many(["one", "two", "three"])
        memory.scope("u1").dump(tmp_path / "dump")
    header, first, second, third = (tmp_path / "dump").read_text(encoding="utf-8").splitlines()
    assert header == HEADER
    (tmp_path / "dump").write_text(f"{header}\n{first}{second}\n{third}\n", encoding="utf-8")
    with Memory(":memory:") as memory:
        report = memory.scope("u1").load(tmp_path / "dump")
        assert (report.added, [one.line for one in report.refused]) == (1, [2])


def test_case_K01_empty_file_is_an_empty_store(tmp_path: Path) -> None:  # noqa: N802
    (tmp_path / "m.db").touch()
    with Memory(tmp_path / "m.db") as memory:
        assert memory.scope("u1").count() == 0
        memory.scope("u1").remember("y")
        assert memory.scope("u1").count() == 1
