"""LongMemEval: for each question a haystack of sessions between a user and an assistant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoranda.bench.corpus import Corpus, Question, Unit
from memoranda.bench.dates import numeric
from memoranda.bench.reading import json_items_of


def read(path: Path) -> Iterator[Corpus]:
    """Yields the haystack of each question; turns are `<session id>#<index of the turn>`."""
    for item in json_items_of(path):
        asked_at = numeric(item["question_date"])
        question = Question(id=item["question_id"], text=item["question"], asked_at=asked_at)
        yield Corpus(name=item["question_id"], units=tuple(_units(item)), questions=(question,))


def _units(item: dict[str, Any]) -> Iterator[Unit]:
    sessions = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True)
    for session, date, turns in sessions:
        moment = numeric(date)
        for position, turn in enumerate(turns):
            yield Unit(
                id=f"{session}#{position}",
                text=turn["content"],
                speaker=turn["role"],
                session=session,
                position=position,
                occurred_at=moment,
            )
