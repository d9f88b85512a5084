"""Cases from the field: core blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.errors import BlockOverLimit, InvalidBlock
from memoranda.records.block import CoreMemoryBlock
from memoranda.runtime.core import Core
from tests.conftest import Case

CaseOf = Callable[[str], Case]


def block(core: Core, label: str) -> CoreMemoryBlock:
    found = core.get_block(label)
    assert found is not None
    return found


def test_case_W01(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Limits count characters, a refused edit changes nothing, and a full block can be made smaller."""
    full, over, accented, lower, unknown, empty, zero, _ = case("W01")["input"]["steps"]
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        core = memory.scope("u1").core
        core.put_block(full["label"], full["value"], limit=full["limit"])
        with pytest.raises(BlockOverLimit, match=r"'human' has a limit of 10 .* would have 11") as error:
            core.append_block(over["label"], over["text"])
        assert (error.value.label, error.value.limit, error.value.size) == ("human", 10, 11)
        assert block(core, "human").value == full["value"]

        core.put_block(accented["label"], accented["value"], limit=accented["limit"])
        before = core.revisions("human")
        with pytest.raises(BlockOverLimit):
            core.put_block(lower["label"], lower["value"], limit=lower["limit"])
        core.append_block(unknown["label"], unknown["text"])
        core.append_block(empty["label"], empty["text"])
        core.put_block(zero["label"], zero["value"], limit=zero["limit"])
        assert core.revisions("human") == before
        assert core.get_block("new") == CoreMemoryBlock("new", "made")
        assert core.render() == f"## human\n{accented['value']}\n\n## new\nmade\n\n## z\n"

        core.put_block("human", "1 2 3 4 5!", limit=10)
        core.replace_in_block("human", "2 3 ", "")
        assert block(core, "human") == CoreMemoryBlock("human", "1 4 5!", limit=10)


def test_case_W02(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Every way of writing is checked; labels are exact; the order stays when the file is opened again."""
    put, upper, spaced, edited, unknown, known, *_ = case("W02")["input"]["steps"]
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        core = memory.scope("u1").core
        core.put_block(put["label"], put["value"], limit=put["limit"])
        core.put_block(upper["label"], upper["value"])
        with pytest.raises(InvalidBlock, match="begins or ends with white space"):
            core.put_block(spaced["label"], spaced["value"])
        core.put_block("c", "3")
        core.put_block("a", "4", limit=5)
        writes: list[Callable[[], None]] = [
            lambda: core.put_block(edited["label"], edited["text"], limit=5),
            lambda: core.put_block(CoreMemoryBlock(edited["label"], edited["text"], limit=5)),
            lambda: core.put_blocks([CoreMemoryBlock("A"), CoreMemoryBlock(edited["label"], edited["text"], limit=5)]),
            lambda: core.append_block(edited["label"], edited["text"]),
            lambda: core.replace_in_block(edited["label"], "4", edited["text"]),
        ]
        for write in writes:
            with pytest.raises(BlockOverLimit):
                write()
        assert core.render() == "## a\n4\n\n## A\n2\n\n## c\n3"
        assert core.remove_block(unknown["label"]) is False
        assert core.remove_block(known["label"]) is True
        rendered = core.render()
        assert rendered == "## A\n2\n\n## c\n3"
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        assert memory.scope("u1").core.render() == rendered
