"""LoCoMo: long conversations of two friends in sessions, with questions about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoranda.bench.corpus import Corpus, Question, Unit
from memoranda.bench.dates import spoken
from memoranda.bench.reading import json_of

_SESSION = re.compile(r"session_(\d+)")


def read(path: Path) -> Iterator[Corpus]:
    """Yields each conversation; turns are `D1:3`, sessions `S1`, questions `<sample_id>/<index>`."""
    for sample in json_of(path):
        name = sample["sample_id"]
        questions = tuple(Question(id=f"{name}/{i}", text=qa["question"]) for i, qa in enumerate(sample["qa"]))
        yield Corpus(name=name, units=tuple(_units(sample["conversation"])), questions=questions)


def _units(conversation: dict[str, Any]) -> Iterator[Unit]:
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        moment = spoken(conversation[f"session_{number}_date_time"])
        for position, turn in enumerate(conversation[f"session_{number}"]):
            yield Unit(
                id=turn["dia_id"],
                text=_text(turn),
                speaker=turn["speaker"],
                session=f"S{turn['dia_id'].split(':')[0][1:]}",
                position=position,
                occurred_at=moment,
            )


def _text(turn: dict[str, Any]) -> str:
    """Returns what was said, and what the picture shows that was sent with it."""
    text: str = turn["text"]
    caption = turn.get("blip_caption")
    return f"{text} [picture: {caption}]" if caption else text
