"""Which changes of core blocks are allowed, what they keep, and where the bounds are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from memoranda.core import edits
from memoranda.core.codec import Held, block_key, held_document, held_of, revision_key, revision_of
from memoranda.core.decide import Draft, Make, Step
from memoranda.core.limits import CoreLimits
from memoranda.errors import BlockOverLimit, CapacityReached, InvalidBlock, MemorandaError, NotPermitted
from memoranda.memory.nothing import EmptySnapshot
from memoranda.protocols.plan import Plan
from memoranda.records.block import BlockChange, BlockRevision, CoreMemoryBlock
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import Origin

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class Kept(EmptySnapshot):
    """The documents of one core memory, which follow plans as a store does."""

    def __init__(self, *blocks: CoreMemoryBlock) -> None:
        held = [held_document("", Held(label=block.label, block=block), NOW) for block in blocks]
        self.kept = {document.key: document for document in held}

    def document(self, key: DocumentKey) -> Document | None:
        return self.kept.get(key)

    def documents(self, kind: DocumentKind, session: str) -> Sequence[Document]:
        return [one for one in self.kept.values() if (one.key.kind, one.key.session) == (kind, session)]

    def apply(self, plan: Plan[object]) -> None:
        for key in plan.dropped:
            self.kept.pop(key, None)
        self.kept |= {document.key: document for document in plan.documents}

    def blocks(self) -> list[CoreMemoryBlock]:
        found = [held_of(document).block for document in self.documents(DocumentKind.BLOCK, "")]
        return [block for block in found if block is not None]

    def of_label(self, label: str) -> list[BlockRevision]:
        kept = map(revision_of, self.documents(DocumentKind.BLOCK_REVISION, ""))
        return sorted((one for one in kept if one.block.label == label), key=lambda one: one.number)


def edit(
    kept: Kept,
    label: str,
    make: Make,
    change: BlockChange = BlockChange.PUT,
    *,
    by: Origin = Origin.HOST,
    limits: CoreLimits | None = None,
) -> bool:
    """Makes one change and applies its plan; a change that is refused leaves everything as it was."""
    before = dict(kept.kept)
    draft = Draft(kept, "", limits or CoreLimits(), NOW)
    try:
        changed = draft.edit(label, Step(change=change, by=by, because="why"), make)
        kept.apply(draft.plan(None))
    except MemorandaError:
        assert kept.kept == before
        raise
    return changed


def put(kept: Kept, label: str, value: str, *, by: Origin = Origin.HOST, limits: CoreLimits | None = None) -> bool:
    return edit(kept, label, edits.Parts(value=value).put(label, by), by=by, limits=limits)


def append(kept: Kept, label: str, text: str, *, by: Origin = Origin.HOST, limits: CoreLimits | None = None) -> bool:
    return edit(kept, label, edits.append(label, text), BlockChange.APPEND, by=by, limits=limits)


def remove(kept: Kept, label: str, *, by: Origin = Origin.HOST, limits: CoreLimits | None = None) -> bool:
    return edit(kept, label, edits.remove, BlockChange.REMOVE, by=by, limits=limits)


CHANGES: dict[str, Callable[[Kept, Origin], bool]] = {
    "put": lambda kept, by: put(kept, "a", "2", by=by),
    "append": lambda kept, by: append(kept, "a", "2", by=by),
    "empty append": lambda kept, by: append(kept, "a", "", by=by),
    "replace": lambda kept, by: edit(kept, "a", edits.replace_in("a", "1", "2"), BlockChange.REPLACE, by=by),
    "remove": lambda kept, by: remove(kept, "a", by=by),
}


@pytest.mark.parametrize("writable_by", Origin)
@pytest.mark.parametrize("by", Origin)
@pytest.mark.parametrize("change", CHANGES)
def test_who_may_write_a_block(change: str, by: Origin, writable_by: Origin) -> None:
    """Design D10: the one whom it names, and who is trusted as much or more."""
    kept = Kept(CoreMemoryBlock("a", "1", writable_by=writable_by))
    if by.trust >= writable_by.trust:
        assert CHANGES[change](kept, by) == (change != "empty append")
    else:
        with pytest.raises(NotPermitted, match=f"not by '{by.value}'"):
            CHANGES[change](kept, by)


@pytest.mark.parametrize("by", Origin)
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_read_only_is_put_anew_by_the_host(change: str, by: Origin) -> None:
    kept = Kept(CoreMemoryBlock("a", "1", read_only=True, writable_by=Origin.WEB))
    if (change, by) == ("put", Origin.HOST):
        assert CHANGES[change](kept, by)
        assert kept.blocks()[0].read_only
        edit(kept, "a", edits.Parts(value="2", read_only=False).put("a", by))
        assert append(kept, "a", "3", by=Origin.WEB)
    else:
        with pytest.raises(NotPermitted, match="read only"):
            CHANGES[change](kept, by)


@pytest.mark.parametrize("by", [origin for origin in Origin if origin is not Origin.HOST])
def test_only_the_host_makes_a_block(by: Origin) -> None:
    kept = Kept()
    for change in (put, append):
        with pytest.raises(NotPermitted, match="only the host makes one"):
            change(kept, "a", "1", by=by)
    assert not remove(kept, "a", by=by)


def test_only_the_host_lays_down_the_rules_of_a_block() -> None:
    block = CoreMemoryBlock("a", "1", limit=5, writable_by=Origin.MODEL)
    for given in (
        edits.put(CoreMemoryBlock("a", "2", writable_by=Origin.MODEL)),
        edits.Parts(value="2", limit=6).put("a", Origin.MODEL),
        edits.Parts(value="2", description="mine").put("a", Origin.MODEL),
        edits.Parts(value="2", read_only=True).put("a", Origin.MODEL),
        edits.Parts(value="2", writable_by=Origin.WEB).put("a", Origin.MODEL),
    ):
        with pytest.raises(NotPermitted, match="only the host changes the limit"):
            edit(Kept(block), "a", given, by=Origin.MODEL)
    kept = Kept(block)
    assert put(kept, "a", "22222", by=Origin.MODEL)
    assert kept.blocks() == [CoreMemoryBlock("a", "22222", limit=5, writable_by=Origin.MODEL)]
    with pytest.raises(BlockOverLimit):
        put(kept, "a", "333333", by=Origin.MODEL)


def test_every_change_keeps_what_was_before() -> None:
    kept = Kept()
    put(kept, "a", "1")
    assert kept.of_label("a") == []
    append(kept, "a", "2")
    append(kept, "a", "")
    put(kept, "a", "12")
    edit(kept, "a", edits.replace_in("a", "1", ""), BlockChange.REPLACE)
    remove(kept, "a")
    put(kept, "a", "5")
    put(kept, "a", "6")
    found = kept.of_label("a")
    assert [(one.number, one.change.value, one.block.value) for one in found] == [
        (1, "append", "1"),
        (2, "replace", "12"),
        (3, "remove", "2"),
        (4, "put", "5"),
    ]
    assert {(one.at, one.by, one.because) for one in found} == {(NOW, Origin.HOST, "why")}


@pytest.mark.parametrize("most", [2, 3, 10])
def test_the_first_and_the_newest_revisions_are_kept(most: int) -> None:
    """Design D17."""
    kept, limits = Kept(CoreMemoryBlock("a", "0")), CoreLimits(max_revisions=most)
    for number in range(1, 26):
        put(kept, "a", str(number), limits=limits)
        numbers = [one.number for one in kept.of_label("a")]
        assert numbers == [*range(1, number + 1)] if number <= most else [1, *range(number - most + 2, number + 1)]
    assert all(int(one.block.value) == one.number - 1 for one in kept.of_label("a"))


def test_a_lower_bound_of_revisions_lets_go_of_all_that_is_too_many() -> None:
    kept = Kept(CoreMemoryBlock("a", "0"))
    for number in range(1, 21):
        put(kept, "a", str(number), limits=CoreLimits(max_revisions=10))
    put(kept, "a", "21", limits=CoreLimits(max_revisions=3))
    assert [one.number for one in kept.of_label("a")] == [1, 20, 21]
    put(kept, "a", "22", limits=CoreLimits(max_revisions=10))
    assert [one.number for one in kept.of_label("a")] == [1, 20, 21, 22]


def test_too_many_blocks_are_refused() -> None:
    """C13, design D17: what is in context is refused, not dropped."""
    kept, limits = Kept(), CoreLimits(max_blocks=2)
    for label in "ab":
        append(kept, label, "1", limits=limits)
    for change in (put, append):
        with pytest.raises(CapacityReached, match="would be 3 core blocks, and there may be 2"):
            change(kept, "c", "1", limits=limits)
    assert put(kept, "a", "2", limits=limits)
    remove(kept, "b", limits=limits)
    assert put(kept, "c", "1", limits=limits)


def test_too_many_characters_are_refused_and_fewer_never_are() -> None:
    """C13, case W01: a core memory that is full can be made smaller."""
    kept, limits = Kept(CoreMemoryBlock("a", "1234"), CoreMemoryBlock("b", "5")), CoreLimits(max_characters=5)
    for change, label in ((append, "b"), (put, "c")):
        with pytest.raises(CapacityReached, match="would have 6 characters together, and may have 5"):
            change(kept, label, "6", limits=limits)
    assert put(kept, "a", "123", limits=limits)
    assert append(kept, "b", "6", limits=limits)
    lower = CoreLimits(max_characters=2, max_blocks=1)
    assert put(kept, "a", "12", limits=lower)
    assert put(kept, "a", "21", limits=lower)
    assert remove(kept, "b", limits=lower)


def test_labels_that_were_removed_first_are_forgotten() -> None:
    """Design D17: what removed labels keep has a bound, too."""
    kept, limits = Kept(), CoreLimits(max_blocks=2)
    for label in ("a", "b", "a", "c", "d"):
        put(kept, label, "1", limits=limits)
        append(kept, label, "2", limits=limits)
        remove(kept, label, limits=limits)
    assert [document.key.name for document in kept.documents(DocumentKind.BLOCK, "")] == ["c", "d"]
    assert kept.of_label("a") == kept.of_label("b") == []
    assert [one.number for one in kept.of_label("c")] == [1, 2]


def test_secrets_are_masked() -> None:
    """S1.27, and across the seam of two texts."""
    kept, limits = Kept(), CoreLimits()
    put(kept, "a", "password: hunter2hunter2", limits=limits)
    assert "hunter2" not in kept.blocks()[0].value
    put(kept, "b", "password=", limits=limits)
    append(kept, "b", "hunter2hunter2", limits=limits)
    edit(kept, "c", edits.Parts(value="", description="token=ghp_" + "a1" * 20).put("c", Origin.HOST))
    assert "hunter2" not in kept.blocks()[1].value
    assert "ghp_" not in kept.blocks()[2].description
    with pytest.raises(InvalidBlock, match="label of a core block holds a secret") as error:
        put(kept, "ghp_" + "a1" * 20, "x", limits=limits)
    assert "ghp_" not in str(error.value)
    put(kept, "d", "password: hunter2hunter2", limits=CoreLimits(redact=False))
    assert kept.blocks()[3].value == "password: hunter2hunter2"


def test_the_limit_holds_for_what_is_stored() -> None:
    """S2.1: a mark may be longer than the secret in whose place it stands, and shorter."""
    kept = Kept(CoreMemoryBlock("a", "", limit=20))
    assert append(kept, "a", "password=abc123def456ghi789")
    assert kept.blocks()[0].value == "password=[REDACTED]"
    kept = Kept(CoreMemoryBlock("a", "", limit=16))
    with pytest.raises(BlockOverLimit) as error:
        append(kept, "a", "password=abc123")
    assert (error.value.limit, error.value.size) == (16, 19)


def test_one_plan_holds_the_block_and_its_revision() -> None:
    kept = Kept(CoreMemoryBlock("a", "1"))
    draft = Draft(kept, "", CoreLimits(), NOW)
    draft.edit("a", Step(change=BlockChange.APPEND, by=Origin.HOST, because=""), edits.append("a", "2"))
    plan = draft.plan("done")
    assert plan.result == "done"
    assert {document.key for document in plan.documents} == {block_key("", "a"), revision_key("", "a", 1)}
    assert plan.dropped == ()
