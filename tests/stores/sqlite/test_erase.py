"""What was erased is nowhere in the files, by a search made outside the product (design D16)."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import MemorandaError, Memory
from memoranda.models.function import from_function
from memoranda.protocols.plan import Plan
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.settings import Settings
from memoranda.runtime.sync import Scope
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.files import SCOPE, is_sound, run, sql
from tests.stores.sqlite.raw import holding

LONG = "".join(f"<{number:07d}\u00e9>" for number in range(20_000))
"""200 kB without a repeat, over many overflow pages."""
TARGETS = {
    "plain": "zyxglonk vurpstadt 7391 quibbelfax",
    "multi-byte": "\u7d14\u7c8b\u306a\u79d8\u5bc6 \U0001f980\U0001f9ad\u03a9\u2248",
    "escaped": 'glonk "quoted" back\\slash\nline\ttab \u2028 vurpstadt',
    "short": "\ubdc1",
    "long": LONG,
}
SIZES = st.sampled_from([1, 3, 20, 60, 400])
STEPS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 10**6), SIZES), min_size=3, max_size=25)


def text(number: int, size: int) -> str:
    """A text that no other number gives, of about that many words."""
    return " ".join(f"w{number * 7919 + part * 104_729:x}" for part in range(size))


def step(scope: Scope, ids: list[str], verb: int, number: int, size: int) -> None:
    """Does one of the things that users do; what cannot be done now is passed over."""
    one = ids[number % len(ids)] if ids else ""
    try:
        match verb:
            case 0:
                receipts = [scope.remember(text(number, size), metadata={"n": number}, idempotency_key=f"i{number}")]
            case 1:
                receipts = [scope.remember(text(number, size), key=f"k{number % 5}", source=f"s{number % 3}.md")]
            case 2:
                receipts = scope.remember_many([text(number + part, size) for part in range(number % 20)])
            case 3:
                receipts = [scope.update(one, text(number, size))]
            case 4:
                receipts = [scope.retract(one)]
            case _:
                receipts = [scope.restore(one)]
    except MemorandaError:
        return
    ids.extend(receipt.entry.id for receipt in receipts if receipt.entry)


def lines(scope: Scope, folder: Path) -> dict[str, Any]:
    """What a dump holds, by entry, outside the folder that is searched."""
    scope.dump(folder / "dump")
    found = [json.loads(line) for line in (folder / "dump").read_text("utf-8").split("\n")[1:] if line]
    return {record["entry"]["id"]: record for record in found}


WAYS = {
    "before": STEPS,
    "after": STEPS,
    "target": st.sampled_from(sorted(TARGETS)),
    "how": st.sampled_from(["one", "key", "many", "update"]),
    "then": st.sampled_from(["nothing", "retract", "update", "restore"]),
    "shared": st.booleans(),
}


@settings(max_examples=12)
@given(**WAYS)
def test_erased_text_is_nowhere_and_the_rest_is_as_it_was(**way: Any) -> None:
    check_erased(**way)


@pytest.mark.slow
@settings(max_examples=150)
@given(**WAYS)
def test_erased_text_is_nowhere_after_many_ways(**way: Any) -> None:
    check_erased(**way)


def check_erased(before: list[Any], after: list[Any], target: str, how: str, then: str, shared: bool) -> None:
    secret = TARGETS[target]
    with TemporaryDirectory() as kept, TemporaryDirectory() as aside:
        with Memory(Path(kept, "m.db"), embedder=None, settings=Settings(durability="relaxed")) as memory:
            scope, other, ids = memory.scope("a"), memory.scope("b"), [""]
            for one in before:
                step(scope, ids, *one)
            id = _put(scope, ids, secret, how)
            if shared:
                other.remember(secret)
            for one in after:
                step(scope, ids, *one)
            _then(scope, id, then)
            theirs, mine = lines(other, Path(aside)), lines(scope, Path(aside))
            receipt = scope.erase(id)
            assert receipt.verified == "yes", receipt.because
            assert holding(Path(kept), secret[:24]) == ({"m.db"} if shared else set())
            if not shared and len(secret) > 1000:
                assert not any(holding(Path(kept), secret[at : at + 24]) for at in range(0, len(secret), 40_000))
            assert lines(other, Path(aside)) == theirs
            left = lines(scope, Path(aside))
            assert set(left) == set(mine) - set(receipt.ids)
            for entry in left:
                changed = left[entry] != mine[entry]
                assert not changed or _without_link(left[entry]) == _without_link(mine[entry])
        assert is_sound(Path(kept, "m.db"))
        assert holding(Path(kept), secret[:24]) == ({"m.db"} if shared else set())


def _put(scope: Scope, ids: list[str], secret: str, how: str) -> str:
    if how == "many":
        entry = scope.remember_many([text(1, 30), secret, text(2, 900)])[1].entry
    elif how == "update":
        first = scope.remember("something that will be said otherwise").entry
        assert first is not None
        entry = scope.update(first.id, secret).entry
    else:
        entry = scope.remember(secret, key="k1" if how == "key" else None).entry
    assert entry is not None
    ids.append(entry.id)
    return entry.id


def _then(scope: Scope, id: str, then: str) -> None:
    try:
        if then == "update":
            scope.update(id, "nothing of the kind")
        if then in ("retract", "restore"):
            scope.retract(id)
        if then == "restore":
            scope.restore(id)
    except MemorandaError:
        return  # it was replaced or retracted before


def _without_link(record: dict[str, Any]) -> dict[str, Any]:
    entry = {name: value for name, value in record["entry"].items() if name not in ("superseded_by", "contested_with")}
    return record | {"entry": entry}


def test_the_erased_source_and_scope_are_nowhere(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        a, b = memory.scope("a"), memory.scope("b")
        for scope in (a, b):
            scope.remember_many(
                [
                    {"text": f"vurp{scope.path}{number} " + text(number, 40), "source": f"f.md#L{number}"}
                    for number in range(300)
                ]
            )
        a.remember("unrelated quibbelfax")
        assert a.erase_where(source="f.md").counts.entries == 300
        assert holding(tmp_path, "vurpa") == set()
        assert holding(tmp_path, "vurpb") != set()
        assert b.erase_scope(confirm="b").verified == "yes"
        assert holding(tmp_path, "vurpb") == set()
        assert holding(tmp_path, "quibbelfax") == {"m.db"}


def free_places(data: bytes | bytearray) -> list[int]:
    """Where the leaf pages of a file have 64 free bytes or more between pointers and cells."""
    found = []
    for start in range(4096, len(data), 4096):
        if data[start] in (10, 13):
            cells, content = (int.from_bytes(data[start + at : start + at + 2], "big") for at in (3, 5))
            if content - 8 - 2 * cells > 100:
                found.append(start + content - 80)
    return found


@pytest.mark.parametrize("known", [True, False], ids=["texts known", "texts unknown"])
def test_a_copy_that_a_page_split_left_behind_is_found_and_cleaned(tmp_path: Path, known: bool) -> None:
    """`secure_delete` does not reach what a moved cell leaves in free space: that is why the bytes are read."""
    path, secret = tmp_path / "m.db", "zyxglonk vurpstadt 7391 quibbelfax"
    with Memory(path, embedder=None) as memory:
        entry = memory.scope("a").remember_many(["one other", secret, "one more"])[1].entry
        assert entry is not None
    data = bytearray(path.read_bytes())
    for place in free_places(data):
        data[place : place + 24] = secret.encode()[5:29]
    path.write_bytes(data)
    assert holding(tmp_path, secret[5:29]) == {"m.db"}
    with Memory(path, embedder=None) as memory:
        scope = memory.scope("a")
        if known:
            assert scope.erase(entry.id).verified == "yes"
        else:
            store = SqliteStore(path)
            run(store.write(ScopePath("a"), lambda _: Plan(result=None, erasures=(entry.id,))))
            store.close()
            assert "m.db" in holding(tmp_path, secret[5:29])
            assert memory.finish_erasures().settled == 1
        assert holding(tmp_path, secret[5:29]) == set()
        assert sorted(one.memory for one in scope.list()) == ["one more", "one other"]
    assert is_sound(path)


def test_what_is_left_of_other_texts_needs_no_rewriting(tmp_path: Path) -> None:
    """So that an erasure costs a look through the file, not a copy of it."""
    path = tmp_path / "m.db"
    with Memory(path, embedder=None) as memory:
        entry = memory.scope("a").remember_many(["one other", "zyxglonk vurpstadt"])[1].entry
        assert entry is not None
    data = bytearray(path.read_bytes())
    place = free_places(data)[-1]
    data[place : place + 9] = b"one other"
    path.write_bytes(data)
    with Memory(path, embedder=None) as memory:
        assert memory.scope("a").erase(entry.id).verified == "yes"
    assert path.read_bytes()[place : place + 9] == b"one other"


def test_looking_at_the_file_keeps_the_locks_of_this_process(tmp_path: Path) -> None:
    """Were the file opened and closed, another process could take the log away (sqlite.org/howtocorrupt.html)."""
    locks = Path("/proc/locks")
    if not locks.exists():
        pytest.skip("this system does not list the locks of files")
    path = tmp_path / "m.db"

    def held() -> list[str]:
        return [line for line in locks.read_text(encoding="utf-8").splitlines() if f":{path.stat().st_ino} " in line]

    with Memory(path, embedder=None) as memory:
        entry = memory.scope("a").remember("glonk").entry
        assert entry is not None
        before = held()
        assert before
        memory.scope("a").erase(entry.id)
        assert [line.split()[1:] for line in held()] == [line.split()[1:] for line in before]


def test_an_erasure_that_was_cut_short_is_finished_when_the_file_is_opened(tmp_path: Path) -> None:
    entry = fact("vurpstadt glonk " * 50)
    with closing(SqliteStore(tmp_path / "m.db")) as store:
        run(store.store(SCOPE, entry))
        run(store.write(SCOPE, lambda _: Plan(result=None, erasures=(entry.id,))))
        assert run(store.owed_erasures()) == 1  # as after a crash between the commit and the proof
    assert sql(tmp_path / "m.db", "SELECT count(*) FROM erasures") == [(1,)]
    with Memory(tmp_path / "m.db", embedder=None):
        pass
    assert sql(tmp_path / "m.db", "SELECT count(*) FROM erasures") == [(0,)]
    assert holding(tmp_path, "vurpstadt") == set()


@pytest.mark.parametrize("name", ["m.db.format1.bak", "m.db.doctor.bak", "m.db.format1.bak.unfinished"])
def test_a_copy_beside_the_file_that_holds_it_is_named(tmp_path: Path, name: str) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        scope = memory.scope("a")
        receipts = scope.remember_many(["glonk vurpstadt", "another thing"])
        memory.backup(tmp_path / name)
        late = scope.remember("said after the copy").entry
        first = receipts[0].entry
        assert first is not None
        assert late is not None
        assert scope.erase(late.id).verified == "yes"
        receipt = scope.erase(first.id)
        assert receipt.verified == "pending"
        assert name in receipt.because
        proof = memory.finish_erasures()
        assert (proof.proved, proof.owed) == (False, 1)
        (tmp_path / name).unlink()
        proof = memory.finish_erasures()
        assert (proof.proved, proof.settled, proof.owed) == (True, 1, 0)
    assert holding(tmp_path, "vurpstadt") == set()


def test_a_copy_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.db.format1.bak").write_bytes(b"not a database, vurpstadt")
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        entry = memory.scope("a").remember("glonk").entry
        assert entry is not None
        assert memory.scope("a").erase(entry.id).verified == "pending"


@pytest.mark.parametrize("memory_text", ["a", "ok", "\0", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"])
def test_the_shortest_texts_are_proved_though_others_hold_their_letters(tmp_path: Path, memory_text: str) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        scope = memory.scope("a")
        scope.remember("a book about okapis")
        entry = scope.remember(memory_text).entry
        assert entry is not None
        assert scope.erase(entry.id).verified == "yes"
        assert [kept.memory for kept in scope.list()] == ["a book about okapis"]


def test_vectors_go_with_their_entries(tmp_path: Path, open_with_vectors: Callable[[Path], Memory]) -> None:
    path = tmp_path / "m.db"
    with open_with_vectors(path) as memory:
        entry = memory.scope("a").remember_many(["one other", "glonk vurpstadt"])[1].entry
        assert entry is not None
    numbers = sql(
        path, f"SELECT hex(numbers) FROM vectors JOIN entries USING (place) WHERE id = x'{entry.id.replace('-', '')}'"
    )
    vector = bytes.fromhex(str(numbers[0][0]))
    data = bytearray(path.read_bytes())
    place = free_places(data)[-1]
    data[place : place + 16] = vector[8:24]  # as a moved cell leaves it behind
    path.write_bytes(data)
    with open_with_vectors(path) as memory:
        receipt = memory.scope("a").erase(entry.id)
        assert (receipt.counts.vectors, receipt.verified) == (1, "yes")
    assert vector[8:24] not in path.read_bytes()
    assert sql(path, "SELECT count(*) FROM vectors") == [(1,)]


def test_every_wording_that_was_folded_goes(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        scope = memory.scope("a")
        scope.remember("the glonk is kept in the blue vurpstadt")
        receipt = scope.remember("The glonk is kept in the blue Vurpstadt!")
        assert receipt.entry is not None
        assert receipt.outcome == "folded"
        assert holding(tmp_path, "vurpstadt") != set()
        assert scope.erase(receipt.entry.id).verified == "yes"
        assert holding(tmp_path, "vurpstadt") | holding(tmp_path, "Vurpstadt") == set()


def test_a_file_is_found_after_the_working_folder_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Memory("m.db", embedder=None) as memory:
        entry = memory.scope("a").remember("glonk vurpstadt").entry
        assert entry is not None
        memory.scope("a").list()
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert memory.scope("a").erase(entry.id).verified == "yes"
    assert holding(tmp_path, "vurpstadt") == set()


@pytest.fixture
def open_with_vectors() -> Callable[[Path], Memory]:
    embedder = from_function(
        "digests", 32, lambda texts: [list(sha256(text.encode()).digest()) for text in texts], floor=0.5
    )
    return lambda path: Memory(path, embedder=embedder)
