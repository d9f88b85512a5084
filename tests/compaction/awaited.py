"""Strategies that await, for the tests of compaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.bridge.drive import Stepper
from memoranda.compaction.draft import Draft
from memoranda.compaction.strategy import AwaitingStrategy, Seams
from memoranda.records.message import Message


@dataclass(frozen=True)
class Awaited:
    """A strategy that awaits, as one that does not, so that what holds for all can be checked of it."""

    strategy: AwaitingStrategy
    seams: Seams

    @property
    def name(self) -> str:
        return self.strategy.name

    def shorten(self, draft: Draft) -> Draft:
        return Stepper().run(self.strategy.shorten_awaiting(draft, self.seams))


def texts(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages]
