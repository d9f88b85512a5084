"""BEAM: very long chats between a user and an assistant, probed for ten abilities."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoranda.bench.corpus import Corpus, Question, Unit
from memoranda.bench.dates import anchor
from memoranda.bench.reading import json_items_of


def read(path: Path) -> Iterator[Corpus]:
    """Yields each chat; messages have the file's numbers, questions are `<chat_id>/<ability>/<index>`."""
    for chat in json_items_of(path):
        name = str(chat["chat_id"])
        questions = tuple(
            Question(id=f"{name}/{ability}/{index}", text=probe["question"])
            for ability, probes in chat["probing_questions"].items()
            for index, probe in enumerate(probes)
        )
        yield Corpus(name=name, units=tuple(_units(chat["chat"])), questions=questions)


def _units(batches: list[dict[str, Any]]) -> Iterator[Unit]:
    """Yields the messages; one without a time anchor of its own was said at the anchor before it."""
    moment = None
    for batch in batches:
        messages = [message for turn in batch["turns"] for message in turn]
        for position, message in enumerate(messages):
            written = message.get("time_anchor")
            moment = anchor(written) if written else moment
            yield Unit(
                id=str(message["id"]),
                text=message["content"],
                speaker=message["role"],
                session=f"batch {batch['batch_number']}",
                position=position,
                occurred_at=moment,
            )
