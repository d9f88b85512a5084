"""MemDaily: short lists of what a person told an assistant in passing, in Chinese."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoranda.bench.corpus import Corpus, Question, Unit
from memoranda.bench.dates import numeric
from memoranda.bench.reading import json_of


def read(path: Path) -> Iterator[Corpus]:
    """Yields each trajectory; messages are `mid`, questions `<file stem>/<group>/<tid>/<qid>`."""
    for group, trajectory in trajectories(path):
        name = f"{path.stem}/{group}/{trajectory['tid']}"
        units = tuple(
            Unit(
                id=str(message["mid"]),
                text=message["message"],
                speaker="user",
                position=position,
                occurred_at=numeric(message["time"]),
                metadata={"place": message["place"]},
            )
            for position, message in enumerate(trajectory["message_list"])
        )
        questions = tuple(
            Question(id=f"{name}/{asked['qid']}", text=asked["question"], asked_at=numeric(asked["time"]))
            for asked in trajectory["question_list"]
        )
        yield Corpus(name=name, units=units, questions=questions)


def trajectories(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields each trajectory with the name of its group: the keys that lead to its list, joined by dots.

    Raises:
        ValueError: the file holds none.
    """
    found = list(_walk(json_of(path), ""))
    if not found:
        raise ValueError("it holds no list of trajectories with a `question_list`")
    yield from found


def _walk(node: Any, group: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _walk(value, f"{group}.{key}" if group else str(key))
    elif isinstance(node, list) and node and isinstance(node[0], dict) and "question_list" in node[0]:
        yield from ((group, trajectory) for trajectory in node)
