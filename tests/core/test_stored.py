"""The verbs of a stored core memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.bridge.drive import Stepper
from memoranda.core.limits import CoreLimits
from memoranda.core.stored import StoredCoreMemory
from memoranda.errors import (
    BlockNotFound,
    BlockOverLimit,
    CapacityReached,
    InvalidBlock,
    MemorandaError,
    NotPermitted,
    Unsupported,
)
from memoranda.records.block import CoreMemoryBlock
from memoranda.records.entry import Origin
from memoranda.records.session import SessionKey
from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing import FrozenClock
from tests.contract.four_verbs import FourVerbs

run = Stepper().run


def made(limits: CoreLimits | None = None) -> StoredCoreMemory:
    return StoredCoreMemory(InMemoryStore(), "acme/alice", limits=limits)


def labels(core: StoredCoreMemory) -> list[str]:
    return [block.label for block in run(core.blocks())]


def test_put_takes_a_block_or_its_parts() -> None:
    core = made()
    run(core.put_block("a", "1", limit=5, description="d", writable_by="model"))
    block = CoreMemoryBlock("a", "1", limit=5, description="d", writable_by=Origin.MODEL)
    assert run(core.blocks()) == [block]
    run(core.put_block(block))
    assert run(core.revisions("a")) == []
    run(core.put_block(replace(block, label="b")))
    assert labels(core) == ["a", "b"]


def test_every_verb_takes_its_arguments_by_name() -> None:
    """W01, W02: the steps of a case are the arguments."""
    core = made()
    run(core.put_block(label="a", value="12", limit=5))
    run(core.append_block(label="a", text="3"))
    run(core.replace_in_block(label="a", old="2", new="4"))
    assert run(core.get_block(label="a")) == CoreMemoryBlock("a", "143", limit=5)
    assert run(core.remove_block(label="a"))


def test_put_says_what_is_missing_or_too_much() -> None:
    core = made()
    with pytest.raises(InvalidBlock, match="`value` is missing"):
        run(core.put_block("a"))
    with pytest.raises(InvalidBlock, match="not both"):
        run(core.put_block(CoreMemoryBlock("a", "1"), limit=5))
    with pytest.raises(InvalidBlock, match="must be text, not int"):
        run(core.put_block(5, "x"))  # type: ignore[arg-type]
    with pytest.raises(InvalidBlock, match="`by` is 'robot'"):
        run(core.put_block("a", "x", by="robot"))
    assert run(core.blocks()) == []


def test_put_without_a_limit_takes_it_away() -> None:
    """S2.2."""
    core = made()
    run(core.put_block("a", "1", limit=5))
    run(core.put_block("a", "more than five"))
    assert run(core.blocks()) == [CoreMemoryBlock("a", "more than five")]


def test_seeding_is_all_or_nothing() -> None:
    """S2.16: of two with one label the later is put; one over its limit fails the whole."""
    core = made()
    run(core.put_blocks([CoreMemoryBlock("a", "1"), CoreMemoryBlock("b", "2"), CoreMemoryBlock("a", "3", limit=1)]))
    seeded = [CoreMemoryBlock("a", "3", limit=1), CoreMemoryBlock("b", "2")]
    assert run(core.blocks()) == seeded
    with pytest.raises(BlockOverLimit):
        run(core.put_blocks([CoreMemoryBlock("b", "x"), CoreMemoryBlock("c", "22", limit=1)]))
    with pytest.raises(BlockOverLimit):  # although a later one of its label would fit
        run(core.put_blocks([CoreMemoryBlock("c", "22", limit=1), CoreMemoryBlock("c", "2", limit=1)]))
    with pytest.raises(CapacityReached):
        run(core.put_blocks([CoreMemoryBlock(str(number)) for number in range(40)]))
    with pytest.raises(InvalidBlock):
        run(core.put_blocks([CoreMemoryBlock("c", "1"), "d"]))  # type: ignore[list-item]
    assert run(core.blocks()) == seeded
    assert run(core.revisions("b")) == []


def test_replace_in_block() -> None:
    core = made()
    run(core.put_block("a", "likes tea", limit=10))
    run(core.replace_in_block("a", "tea", "cake"))
    assert run(core.render()) == "## a\nlikes cake"
    with pytest.raises(InvalidBlock, match="stands 0 times"):
        run(core.replace_in_block("a", "tea", "cake"))
    with pytest.raises(InvalidBlock, match="stands 2 times"):
        run(core.replace_in_block("a", "e", "x"))
    with pytest.raises(BlockOverLimit):
        run(core.replace_in_block("a", "cake", "cakes"))
    with pytest.raises(BlockNotFound, match=r"no core block 'b'; there are 'a'"):
        run(core.replace_in_block("b", "tea", "cake"))
    assert run(core.render()) == "## a\nlikes cake"


def test_what_may_not_be_written_is_not_told_apart() -> None:
    """Who may not write a block learns nothing of its value by trying."""
    core = made()
    run(core.put_block("a", "the code is 1234"))
    for old in ("1234", "9999"):
        with pytest.raises(NotPermitted):
            run(core.replace_in_block("a", old, "", by="model"))


def test_revisions_say_who_when_and_why() -> None:
    clock = FrozenClock()
    core = StoredCoreMemory(InMemoryStore(), "a", clock=clock)
    run(core.put_block("a", "1", writable_by="model"))
    clock.advance(timedelta(hours=1))
    run(core.append_block("a", "2", by="model", because="the user said so; password=hunter2hunter2"))
    [revision] = run(core.revisions("a"))
    assert (revision.number, revision.at, revision.by) == (1, clock.now(), Origin.MODEL)
    assert revision.block.value == "1"
    assert revision.because.startswith("the user said so")
    assert "hunter2" not in revision.because
    assert run(core.revisions("b")) == run(core.revisions("")) == []
    for because in (None, "x" * 1001):
        with pytest.raises(InvalidBlock, match="`because`"):
            run(core.append_block("a", "3", because=because))  # type: ignore[arg-type]


def test_revisions_survive_removing() -> None:
    core = made()
    run(core.put_block("a", "1"))
    assert run(core.remove_block("a"))
    assert [one.block.value for one in run(core.revisions("a"))] == ["1"]
    assert run(core.get_block("a")) is None


def test_labels_that_no_block_can_have_are_not_there() -> None:
    core = made()
    for label in ("", " a", "a\nb", "x" * 2000, "\ud800"):
        assert run(core.get_block(label)) is None
        assert run(core.revisions(label)) == []
        for call in (core.append_block(label, "x"), core.remove_block(label), core.replace_in_block(label, "a", "b")):
            with pytest.raises(InvalidBlock):
                run(call)


def test_each_scope_and_each_session_has_blocks_of_its_own() -> None:
    """S2.15."""
    store = InMemoryStore()
    places = [(scope, key) for scope in ("a", "a/b") for key in (None, SessionKey("s"), SessionKey("s", "x"))]
    cores = [StoredCoreMemory(store, scope, key) for scope, key in places]
    for number, core in enumerate(cores):
        run(core.put_block("a", str(number)))
        run(core.append_block("a", "!"))
    assert [run(core.render()) for core in cores] == [f"## a\n{number}!" for number in range(len(cores))]
    assert run(cores[0].remove_block("a"))
    assert [len(run(core.blocks())) for core in cores] == [0, 1, 1, 1, 1, 1]


def test_a_store_that_keeps_no_documents() -> None:
    core = StoredCoreMemory(FourVerbs(), "a")
    for call in (core.blocks(), core.put_block("a", "1"), core.remove_block("a"), core.render()):
        with pytest.raises(Unsupported, match="does not keep core blocks; it would have to implement"):
            run(call)


def test_blocks_stay_in_order_when_the_file_is_opened_again(tmp_path: Path) -> None:
    """S2.10, S2.15, case W02."""
    store = SqliteStore(tmp_path / "m.db")
    core = StoredCoreMemory(store, "a", SessionKey("s"))
    for label in ("zeta", "alpha", "mid", "beta"):
        run(core.put_block(label, label))
    run(core.put_block("alpha", "again"))
    run(core.remove_block("zeta"))
    run(core.put_block("zeta", "last"))
    rendered, revisions = run(core.render()), run(core.revisions("zeta"))
    store.close()
    again = StoredCoreMemory(SqliteStore(tmp_path / "m.db"), "a", SessionKey("s"))
    assert labels(again) == ["alpha", "mid", "beta", "zeta"]
    assert run(again.render()) == rendered
    assert run(again.revisions("zeta")) == revisions


LABELS = st.sampled_from(["a", "b", "A"])
WORDS = st.text("xy", max_size=6)
LIMITS = st.none() | st.integers(0, 8)
OPERATIONS = st.one_of(
    st.tuples(st.just("put"), LABELS, WORDS, LIMITS),
    st.tuples(st.just("append"), LABELS, WORDS),
    st.tuples(st.just("replace"), LABELS, WORDS, WORDS),
    st.tuples(st.just("remove"), LABELS),
)


class Model:
    """What a core memory does, as a dict says it."""

    def __init__(self) -> None:
        self.blocks: dict[str, tuple[str, int | None]] = {}
        self.changes = dict.fromkeys("abA", 0)

    def do(self, what: str, label: str, *given: object) -> bool:
        """Returns whether it was done; when not, nothing is changed."""
        before = self.blocks.get(label)
        match what, given:
            case "put", (str(value), limit):
                return self.set(label, value, limit)  # type: ignore[arg-type]
            case "append", (str(text),):
                value, limit = before or ("", None)
                return self.set(label, value + text, limit)
            case "replace", (str(old), str(new)):
                places = (
                    [place for place in range(len(before[0])) if before[0].startswith(old, place)] if before else []
                )
                if not before or not old or len(places) != 1:
                    return False
                return self.set(label, before[0].replace(old, new), before[1])
            case _:
                self.changes[label] += before is not None
                return self.blocks.pop(label, None) is not None

    def set(self, label: str, value: str, limit: int | None) -> bool:
        if limit is not None and len(value) > limit:
            return False
        self.changes[label] += label in self.blocks and self.blocks[label] != (value, limit)
        self.blocks[label] = (value, limit)
        return True


def do(core: StoredCoreMemory, what: str, label: str, *given: object) -> bool:
    try:
        match what, given:
            case "put", (value, limit):
                run(core.put_block(label, value, limit=limit))  # type: ignore[arg-type]
            case "append", (text,):
                run(core.append_block(label, text))  # type: ignore[arg-type]
            case "replace", (old, new):
                run(core.replace_in_block(label, old, new))  # type: ignore[arg-type]
            case _:
                return run(core.remove_block(label))
    except MemorandaError:
        return False
    return True


@given(st.lists(OPERATIONS, max_size=25))
def test_any_row_of_changes_does_what_a_dict_does(operations: list[tuple[str, ...]]) -> None:
    """S2.2 to S2.10; no value is ever longer than its limit (S2.3, S2.6)."""
    core, model = made(), Model()
    for operation in operations:
        assert do(core, *operation) == model.do(*operation), operation
        blocks = run(core.blocks())
        assert [(block.label, (block.value, block.limit)) for block in blocks] == list(model.blocks.items())
        assert all(block.limit is None or len(block.value) <= block.limit for block in blocks)
    for label, changes in model.changes.items():
        assert [one.number for one in run(core.revisions(label))] == list(range(1, changes + 1))
