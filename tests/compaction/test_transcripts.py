"""Real transcripts at five budgets: what holds for every request holds for them (S4.19, D13, cases P01 to P09)."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from memoranda.compaction import CompactionConfig, Compactor, WireFormat
from memoranda.compaction.fidelity import fidelity
from memoranda.messages.cost import REPLY_FRAME, MessageCost
from memoranda.messages.formats import read
from memoranda.messages.pairs import groups
from memoranda.messages.pins import first_system, last_user, pins
from memoranda.messages.validate import problems
from memoranda.records.message import Message
from memoranda.service.transcripts import read_transcript
from memoranda.text.encodings import tokenizer

ENCODER = "o200k_base"
BUDGETS = (0.9, 0.75, 0.6, 0.4, 0.25)
SAMPLE = 9
"""Of the transcripts every ninth is looked at in the fast suite."""


@dataclass(frozen=True)
class Conversation:
    """One transcript."""

    name: str
    format: WireFormat
    rows: Sequence[object]

    def compactor(self, budget: int | None = None) -> Compactor:
        fraction = 0.8 if budget is None else None
        config = CompactionConfig(encoder_name=ENCODER, max_tokens=budget, max_fraction=fraction)
        return Compactor(config, format=self.format)

    def read(self, rows: Sequence[object]) -> list[Message]:
        return read(rows, self.format)[1]


@cache
def conversations(folder: Path) -> list[Conversation]:
    """Returns every transcript of the shared material."""
    return list(_conversations(folder))


def _conversations(folder: Path) -> Iterator[Conversation]:
    for path in sorted(folder.glob("tau_bench/*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, run in enumerate(json.load(file)):
                yield Conversation(f"{path.name}#{number}", WireFormat.CHAT, run["traj"])
    for path in sorted(folder.glob("swe_agent/*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield Conversation(path.name, WireFormat.CHAT, json.load(file)["history"])
    for path in sorted(folder.glob("claude_code/*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            transcript = read_transcript(file.read(), path.name, "claude-code")
        yield Conversation(path.name, transcript.format, transcript.messages)


@pytest.fixture(scope="session")
def transcripts(shared: Path) -> list[Conversation]:
    found = conversations(shared / "data" / "transcripts")
    if not found:
        pytest.skip("the shared material holds no transcripts")
    return found


@pytest.mark.parametrize("share", BUDGETS)
def test_a_sample_of_real_transcripts(transcripts: list[Conversation], share: float) -> None:
    for conversation in transcripts[::SAMPLE]:
        check(conversation, share)


@pytest.mark.slow
@pytest.mark.parametrize("share", BUDGETS)
def test_all_real_transcripts(transcripts: list[Conversation], share: float) -> None:
    for conversation in transcripts:
        check(conversation, share)


def check(conversation: Conversation, share: float) -> None:
    """Compacts a transcript to a share of its tokens."""
    given = json.dumps(conversation.rows)
    budget = int(conversation.compactor().count_tokens(conversation.rows) * share)
    compactor = conversation.compactor(budget)
    done = compactor.on_request(conversation.rows)
    before, after = conversation.read(conversation.rows), conversation.read(done.messages)
    place = f"{conversation.name} at {share:.0%}"

    assert json.dumps(conversation.rows) == given, f"{place}: the host's list was changed"
    assert problems(after, conversation.format) == [], place
    for kept in (first_system(before), last_user(before)):
        assert kept is None or before[kept].text in {message.text for message in after}, f"{place}: {kept} is missing"
    assert are_in_order(conversation.rows, done.messages), f"{place}: the order changed"
    assert done.report.tokens_after <= done.report.tokens_before, place
    assert is_met(conversation, budget, before, done.report.tokens_after), f"{place}: {done.report.unmet}"

    assert compactor.on_request(done.messages).messages == done.messages, f"{place}: no fixed point"
    again = conversation.compactor(budget).on_request(conversation.rows)
    assert (again.messages, again.report) == (done.messages, done.report), f"{place}: another answer"

    assert fidelity(before, after, done.report.taken).gone == 0, f"{place}: something left without a handle"


def are_in_order(rows: Sequence[object], out: Sequence[object]) -> bool:
    """Tells whether the host's own objects come out in the order in which they came in."""
    places = {id(row): place for place, row in enumerate(rows)}
    found = [places[id(row)] for row in out if id(row) in places]
    return found == sorted(found)


def is_met(conversation: Conversation, budget: int, before: Sequence[Message], after: int) -> bool:
    """Tells whether a budget is met, or cannot be since what must stay is larger."""
    cost = MessageCost(tokenizer(ENCODER), format=conversation.format)
    held = REPLY_FRAME + sum(cost(before[place]) for place in pins(before, groups(before)))
    return after <= budget or held > budget
