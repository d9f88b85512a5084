"""One check of a contract, and the groups that checks stand in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from memoranda.testing.ground import MakeStore

CheckFunction = Callable[[MakeStore], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of a store, as something to run: `await check(make)`.

    Running it ends without a word when the promise holds, with `AssertionError` when it does not, and with
    `NotOffered` when the store lacks the power that it is about.

    Attributes:
        capability: what it belongs to.
        name: the promise, in words.
        run: carries it out on a store that the maker makes for it.
    """

    capability: str
    name: str
    run: CheckFunction

    async def __call__(self, make: MakeStore) -> None:
        """Runs the check."""
        await self.run(make)

    def __str__(self) -> str:
        return f"{self.capability}: {self.name}"


class Group:
    """The checks of one capability, in the order in which they are written.

    Args:
        capability: its name.
    """

    def __init__(self, capability: str) -> None:
        self.capability = capability
        self.checks: list[Check] = []

    def check(self, function: CheckFunction) -> CheckFunction:
        """Adds a function `check_...` to the group; its name without `check_` is the promise."""
        name = getattr(function, "__name__", "").removeprefix("check_").replace("_", " ")
        self.checks.append(Check(self.capability, name, function))
        return function
