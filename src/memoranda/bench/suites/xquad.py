"""XQuAD: paragraphs and questions, the same in several languages; the file as a whole is one corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memoranda.bench.corpus import Corpus, Question, Unit
from memoranda.bench.reading import json_of


def read(path: Path) -> Iterator[Corpus]:
    """Yields one corpus; paragraphs are `p<running number>`, questions have the file's ids."""
    paragraphs = [paragraph for article in json_of(path)["data"] for paragraph in article["paragraphs"]]
    units = tuple(Unit(id=f"p{i}", text=one["context"], position=i) for i, one in enumerate(paragraphs))
    questions = tuple(Question(id=qa["id"], text=qa["question"]) for one in paragraphs for qa in one["qas"])
    yield Corpus(name=path.name, units=units, questions=questions)
