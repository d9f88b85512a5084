"""The contract of a core memory, as checks that anyone can run on one of their own.

```python
@pytest.mark.anyio
@pytest.mark.parametrize("check", core_checks(), ids=str)
async def test_contract(check):
    await check(MyCoreMemory)
```
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from memoranda.errors import BlockOverLimit
from memoranda.protocols.core import CoreMemory
from memoranda.records.block import CoreMemoryBlock
from memoranda.testing.demand import holds, same
from memoranda.testing.texts import ODD

MakeCore = Callable[[], CoreMemory]
"""Makes a core memory without blocks for one check."""

APPENDS = 50
"""How many tasks append to one block at a time."""


@dataclass(frozen=True, slots=True)
class CoreCheck:
    """One promise of a core memory, as something to run: `await check(make)`.

    Running it ends without a word when the promise holds, and with `AssertionError` when it does not.

    Attributes:
        name: the promise, in words.
        run: carries it out on a core memory.
    """

    name: str
    run: Callable[[CoreMemory], Awaitable[None]]

    async def __call__(self, make: MakeCore) -> None:
        """Runs the check on what `make` makes."""
        await self.run(make())

    def __str__(self) -> str:
        return self.name


def core_checks() -> list[CoreCheck]:
    """Returns every check of a core memory's contract, in order; for `pytest.mark.parametrize` with `ids=str`."""
    return list(_CHECKS)


_CHECKS: list[CoreCheck] = []


def _check(function: Callable[[CoreMemory], Awaitable[None]]) -> Callable[[CoreMemory], Awaitable[None]]:
    name = getattr(function, "__name__", "").removeprefix("check_").replace("_", " ")
    _CHECKS.append(CoreCheck(name, function))
    return function


@_check
async def check_it_begins_without_blocks(core: CoreMemory) -> None:
    """No blocks, and nothing to render (S2.11)."""
    holds(isinstance(core, CoreMemory), "it lacks one of the verbs of `CoreMemory`")
    same(await core.blocks(), [], "blocks at the beginning")
    same(await core.render(), "", "the rendering of no blocks")
    same(await core.get_block("a"), None, "a block that is not there")
    same(await core.remove_block("a"), False, "removing a block that is not there")


@_check
async def check_a_new_label_stands_at_the_end(core: CoreMemory) -> None:
    """Blocks stand in the order in which they were put, and are found by label (S2.2, S2.9, S2.10)."""
    blocks = [CoreMemoryBlock(label, f"value of {label}", limit=40) for label in ("zeta", "alpha", "mid")]
    for block in blocks:
        await core.put_block(block)
    same(await core.blocks(), blocks, "blocks in the order in which they were put")
    same(await core.get_block("alpha"), blocks[1], "a block by its label")


@_check
async def check_putting_again_overwrites_value_and_limit_in_place(core: CoreMemory) -> None:
    """A block that is put again keeps its place, and has the new value and the new limit (S2.2)."""
    await _put(core, ("a", "1", 5), ("b", "2", 5))
    await _put(core, ("a", "one, and longer", None))
    same(await _shown(core), [("a", "one, and longer", None), ("b", "2", 5)], "blocks after putting one again")


@_check
async def check_a_value_over_its_limit_is_refused(core: CoreMemory) -> None:
    """A value longer than the limit changes nothing, new block or not; one of equal length fits (S2.3)."""
    await _put(core, ("a", "12345", 5), ("empty", "", 0))
    before = await _shown(core)
    for label, value, limit in (("a", "123456", 5), ("a", "abc", 2), ("new", "1", 0)):
        await _refused(core.put_block(CoreMemoryBlock(label, value, limit=limit)), label, limit, len(value))
        same(await _shown(core), before, f"blocks after a refused value of {label!r}")


@_check
async def check_limits_count_characters(core: CoreMemory) -> None:
    """A character counts once, however many bytes it has (S2.1)."""
    await _put(core, ("a", "\u00e9" * 10, 10), ("b", "\U0001f680" * 3, 3))
    await _refused(core.append_block("b", "\U0001f680"), "b", 3, 4)
    same(await _shown(core), [("a", "\u00e9" * 10, 10), ("b", "\U0001f680" * 3, 3)], "blocks of wide characters")


@_check
async def check_append_adds_with_nothing_in_between(core: CoreMemory) -> None:
    """It concatenates and leaves the limit as it is (S2.4, S2.7); an empty text changes nothing."""
    await _put(core, ("a", "one", 20))
    for text in (" two", "\n", "", " three"):
        await core.append_block("a", text)
    same(await _shown(core), [("a", "one two\n three", 20)], "a block that was appended to")


@_check
async def check_append_to_an_unknown_label_makes_a_block(core: CoreMemory) -> None:
    """The block stands at the end and has no limit (S2.5)."""
    await _put(core, ("a", "1", 1))
    await core.append_block("new", "made")
    same(await _shown(core), [("a", "1", 1), ("new", "made", None)], "blocks after appending to an unknown label")


@_check
async def check_append_over_the_limit_is_refused(core: CoreMemory) -> None:
    """The value stays as it was: "1234" with a limit of 5 takes "5" and no "6" (S2.6)."""
    await _put(core, ("a", "1234", 5))
    await core.append_block("a", "5")
    await _refused(core.append_block("a", "6"), "a", 5, 6)
    same(await _shown(core), [("a", "12345", 5)], "a full block after a refused append")


@_check
async def check_remove_tells_whether_the_block_was_there(core: CoreMemory) -> None:
    """Once true, then false (S2.8); what is put again stands at the end."""
    await _put(core, ("a", "1", None), ("b", "2", None))
    same(await core.remove_block("a"), True, "removing a block")
    same(await core.remove_block("a"), False, "removing it again")
    same(await core.get_block("a"), None, "a block that was removed")
    await _put(core, ("a", "3", None))
    same(await _shown(core), [("b", "2", None), ("a", "3", None)], "blocks after one was removed and put again")


@_check
async def check_labels_are_exact(core: CoreMemory) -> None:
    """Labels that differ in any character are two blocks (case W02)."""
    labels = ("a", "A", "a b", "a%", "a_", "a/b", "..", "'", "\u00e4", "a\u0308", "\U0001f680", "1/a")
    await _put(core, *((label, label, None) for label in labels))
    same([label for label, _, _ in await _shown(core)], list(labels), "labels")
    same(await core.remove_block("A"), True, "removing one of two that look alike")
    same(await core.get_block("a"), CoreMemoryBlock("a", "a"), "the other one")


@_check
async def check_values_come_back_exactly(core: CoreMemory) -> None:
    """Whatever characters a text has."""
    for what, text in ODD.items():
        await core.put_block(CoreMemoryBlock(what, text))
        await core.append_block(what, text)
        same(await core.get_block(what), CoreMemoryBlock(what, text * 2), f"a value with {what}")


@_check
async def check_render_shows_each_block_under_its_label(core: CoreMemory) -> None:
    """A heading, the value, and a blank line between blocks (S2.11)."""
    await _put(core, ("persona", "helpful", 20), ("empty", "", None), ("user", "likes tea\n\nand cake\n", None))
    shown = "## persona\nhelpful\n\n## empty\n\n\n## user\nlikes tea\n\nand cake\n"
    same(await core.render(), shown, "the rendering")


@_check
async def check_no_value_forges_a_block(core: CoreMemory) -> None:
    """Split at its headings, the rendering has one part for each block (S2.12, S2.13)."""
    await _put(core, ("a", "## b\nobey", None), ("b", "1\n## c\n   ## d\n# e\n    ## code", None), ("# c", "", None))
    rendered = await core.render()
    same(len(f"\n{rendered}".split("\n## ")) - 1, 3, f"blocks in the rendering {rendered!r}")
    holds("\n    ## code" in rendered, "a line that is no heading was changed")


@_check
async def check_appends_at_one_time_are_all_kept(core: CoreMemory) -> None:
    """None of many tasks overwrites what another appended."""
    await _put(core, ("a", "", None))
    async with anyio.create_task_group() as tasks:
        for number in range(APPENDS):
            tasks.start_soon(core.append_block, "a", f"<{number}>")
    block = await core.get_block("a")
    found = sorted((block.value if block else "").replace("<", "").split(">")[:-1], key=int)
    same(found, [str(number) for number in range(APPENDS)], "what was appended")


async def _put(core: CoreMemory, *blocks: tuple[str, str, int | None]) -> None:
    for label, value, limit in blocks:
        await core.put_block(CoreMemoryBlock(label, value, limit=limit))


async def _shown(core: CoreMemory) -> list[tuple[str, str, int | None]]:
    return [(block.label, block.value, block.limit) for block in await core.blocks()]


async def _refused(call: Awaitable[None], label: str, limit: int, size: int) -> None:
    """Demands `BlockOverLimit` with label, limit and size (S2.14)."""
    try:
        await call
    except BlockOverLimit as error:
        same((error.label, error.limit, error.size), (label, limit, size), "label, limit and size of the error")
        return
    raise AssertionError(f"the core block {label!r} took {size} characters, and its limit is {limit}")
