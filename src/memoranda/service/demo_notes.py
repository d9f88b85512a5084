"""What a step of the demo says and what it had to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from memoranda.errors import MemorandaError, StoreError
from memoranda.records.entry import JsonValue

MOST_SHOWN = 110
"""Most characters of a text that the demo shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one step did.

    Attributes:
        title: what it is about.
        lines: what it found, for people.
        result: the same for programs.
        problems: what it had to show and did not; empty when all is well.
    """

    title: str
    lines: tuple[str, ...]
    result: dict[str, JsonValue]
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class Notes:
    """Collects what a step has to say."""

    lines: list[str] = field(default_factory=list)
    result: dict[str, JsonValue] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def expect(self, holds: bool, otherwise: str) -> None:
        """Notes a problem unless it holds."""
        if not holds:
            self.problems.append(otherwise)


def step(title: str, work: Callable[[Notes], None]) -> Step:
    """Runs one step. A request that is refused is a problem of the step; a store that fails ends the demo."""
    notes = Notes()
    try:
        work(notes)
    except StoreError:
        raise
    except MemorandaError as error:
        notes.problems.append(f"{type(error).__name__}: {error}")
    return Step(title=title, lines=tuple(notes.lines), result=notes.result, problems=tuple(notes.problems))


def short(text: str) -> str:
    """Returns the start of a text on one line."""
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= MOST_SHOWN else f"{one_line[: MOST_SHOWN - 1]}…"
