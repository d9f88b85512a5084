"""Compacting one transcript: what goes out, what was done, and how much of what later messages refer to is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.compaction.compactor import Compactor
from memoranda.compaction.config import CompactionConfig, Strategy, default_strategies
from memoranda.compaction.fidelity import Fidelity, fidelity
from memoranda.compaction.report import CompressionReport
from memoranda.compaction.strategy import AwaitingStrategy
from memoranda.errors import InvalidInput
from memoranda.messages.cost import MessageCost
from memoranda.messages.formats import read
from memoranda.messages.pairs import groups
from memoranda.messages.pins import pins
from memoranda.records.entry import JsonValue
from memoranda.records.message import Message
from memoranda.service.transcripts import Transcript
from memoranda.text.encodings import tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A message that no strategy may take.

    Attributes:
        number: its place in the transcript, from 1.
        role: who speaks.
        tokens: what it costs.
    """

    number: int
    role: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactedTranscript:
    """A transcript that was made to fit.

    Attributes:
        messages: the messages, in the format that came in.
        report: what was done.
        pinned: what had to stay.
        fidelity: how much of what later messages refer to is left.
    """

    messages: Sequence[object]
    report: CompressionReport
    pinned: tuple[Pinned, ...]
    fidelity: Fidelity

    def lines(self) -> list[str]:
        """Returns in words what was done, a line each."""
        held = ", ".join(f"{one.number} ({one.role}, {one.tokens:,} tokens)" for one in self.pinned)
        return [*self.report.lines(), f"  must stay: {held or 'nothing'}", f"  {self.fidelity}"]

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report as a JSON object, without texts."""
        return {
            **self.report.to_json(),
            "pinned": [{"message": one.number, "role": one.role, "tokens": one.tokens} for one in self.pinned],
            "fidelity": self.fidelity.to_json(),
        }


def compact(transcript: Transcript, config: CompactionConfig) -> CompactedTranscript:
    """Compacts a transcript as one request. Nothing is archived, so what is taken is gone from the result.

    Raises:
        InvalidMessages: the messages cannot be read.
        InvalidInput: the encoder is not known.
    """
    compactor = Compactor(config, format=transcript.format)
    done = compactor.on_request(transcript.messages, system=transcript.system, tools=transcript.tools)
    _, before = read(transcript.messages, transcript.format)
    _, after = read(done.messages, transcript.format)
    cost = MessageCost(tokenizer(config.encoder_name), config.counting, transcript.format, config.model)
    return CompactedTranscript(
        messages=done.messages,
        report=done.report,
        pinned=_pinned(before, cost),
        fidelity=fidelity(before, after, taken=()),
    )


def strategies_named(names: Sequence[str]) -> tuple[Strategy, ...]:
    """Returns strategies with their defaults, by their names; `-` and `_` count as the same.

    Those that need an archive or a summarizer are not among them: a file has neither.

    Raises:
        InvalidInput: there is no such strategy; the message lists those there are.
    """
    known = {one.name: one for one in default_strategies() if not isinstance(one, AwaitingStrategy)}
    wanted = [name.strip().replace("-", "_") for name in names]
    for name in wanted:
        if name not in known:
            raise InvalidInput(f"there is no strategy {name!r}; choose from {', '.join(known)}")
    return tuple(known[name] for name in dict.fromkeys(wanted))


def _pinned(messages: Sequence[Message], cost: MessageCost) -> tuple[Pinned, ...]:
    return tuple(
        Pinned(number=place + 1, role=messages[place].role.value, tokens=cost(messages[place]))
        for place in sorted(pins(messages, groups(messages)))
    )
