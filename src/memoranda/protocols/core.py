"""What a core memory is: the seed's verbs over a small set of labelled blocks that are always in context."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol, runtime_checkable

from memoranda.records.block import CoreMemoryBlock, render_blocks


@runtime_checkable
class CoreMemory(Protocol):
    """A small set of labelled blocks that is rendered as a whole and put into the context at every turn (S2.18).

    Four verbs are required; `get_block` and `render` are provided. A core memory of your own inherits from this
    class and defines the four; `memoranda.testing.core` has the checks that prove it. What it refuses it refuses whole:
    a call that raises has changed nothing.
    """

    @abstractmethod
    async def blocks(self) -> list[CoreMemoryBlock]:
        """Returns all blocks in the order in which they were first put (S2.10)."""
        ...

    @abstractmethod
    async def put_block(self, block: CoreMemoryBlock, /) -> None:
        """Makes a block at the end, or overwrites value and limit of the one with its label, in its place (S2.2).

        Raises:
            BlockOverLimit: the value is longer than the limit (S2.3).
        """
        ...

    @abstractmethod
    async def append_block(self, label: str, text: str) -> None:
        """Appends to a block's value, with nothing in between (S2.4). Its limit stays (S2.7).

        An unknown label becomes a block without a limit (S2.5).

        Raises:
            BlockOverLimit: the value would be longer than the limit (S2.6).
        """
        ...

    @abstractmethod
    async def remove_block(self, label: str) -> bool:
        """Removes a block and returns whether it was there (S2.8). Put again, it stands at the end."""
        ...

    async def get_block(self, label: str) -> CoreMemoryBlock | None:
        """Returns the block of that label, None where there is none (S2.9)."""
        return next((block for block in await self.blocks() if block.label == label), None)

    async def render(self) -> str:
        r"""Returns all blocks as one text, `"## {label}\n{value}"` each; see `records.block.render_blocks` (S2.11)."""
        return render_blocks(await self.blocks())
