"""`bench recall`: ranks all corpora of a data file and tells how good the rankings are."""

from __future__ import annotations

import json
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TextIO

from memoranda.bench.corpus import Corpus
from memoranda.bench.evidence import evidence_of
from memoranda.bench.machine import changed, machine
from memoranda.bench.ranking import Approach, Ranked, Ranking, rank
from memoranda.bench.scoring import Figures, figures_by_group
from memoranda.bench.suites.reading import WITH_SESSIONS, corpora_of
from memoranda.errors import InvalidInput
from memoranda.records.entry import JsonValue

Progress = Callable[[int, int], None]
"""Called after each corpus with the numbers of corpora and questions that are done."""


@dataclass(slots=True, kw_only=True)
class RecallReport:
    """What a run did.

    Attributes:
        suite, data: what was run: the suite, and the file's name.
        approach: how.
        corpora, questions, remembered, blank: how many of each; blank units are left out.
        seconds: how long the whole run took.
        remember_seconds, recall_seconds: how long remembering and recalling took, summed over the workers.
        groups: figures by group, `all` first of all; None for a file without evidence.
    """

    suite: str
    data: str
    approach: Approach
    corpora: int = 0
    questions: int = 0
    remembered: int = 0
    blank: int = 0
    seconds: float = 0.0
    remember_seconds: float = 0.0
    recall_seconds: float = 0.0
    groups: dict[str, Figures] | None = None
    rankings: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def add(self, ranked: Ranked) -> None:
        """Takes in what became of one corpus."""
        self.corpora += 1
        self.questions += len(ranked.rankings)
        self.remembered += ranked.remembered
        self.blank += ranked.blank
        self.remember_seconds += ranked.remember_seconds
        self.recall_seconds += ranked.recall_seconds
        self.rankings |= {one.question_id: one.ranked for one in ranked.rankings}

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report with the machine that it was made on, as one JSON object, without the rankings."""
        return {
            "suite": self.suite,
            "data": self.data,
            "unit": self.approach.unit,
            "embedder": self.approach.embedder,
            "settings": changed(self.approach.settings),
            "corpora": self.corpora,
            "questions": self.questions,
            "remembered": self.remembered,
            "blank": self.blank,
            "seconds": round(self.seconds, 3),
            "remember_seconds": round(self.remember_seconds, 3),
            "recall_seconds": round(self.recall_seconds, 3),
            "groups": None if self.groups is None else {name: dict(row) for name, row in self.groups.items()},
            "machine": machine(),
        }


def run_recall(
    suite: str,
    data: Path,
    approach: Approach,
    *,
    rankings: Path | None = None,
    limit_questions: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> RecallReport:
    """Ranks the units of each corpus of a data file for its questions.

    Args:
        suite: one of `SUITES`.
        data: the data set's file, or a copy that was stripped of evidence and answers.
        approach: how to rank.
        rankings: a file to write the rankings to as they come, as JSON lines `{"question_id", "ranked"}`.
        limit_questions: only so many questions, the first of the file; figures then cover only them.
        workers: processes that share the corpora.
        progress: is told what is done.

    Raises:
        InvalidInput: the suite, unit or embedder cannot be used, or the file is damaged or of another shape.
        OSError: a file cannot be opened.
    """
    if approach.unit == "session" and suite not in WITH_SESSIONS:
        raise InvalidInput(f"suite {suite} has no evidence by session; only {' and '.join(WITH_SESSIONS)} have")
    report = RecallReport(suite=suite, data=data.name, approach=approach)
    began = perf_counter()
    corpora = _first_questions(corpora_of(suite, data), limit_questions)
    with _writer(rankings) as write:
        for ranked in _ranked(corpora, approach, workers):
            report.add(ranked)
            write(ranked.rankings)
            if progress is not None:
                progress(report.corpora, report.questions)
    report.seconds = perf_counter() - began
    asked = (one for one in evidence_of(suite, data, approach.unit) if one.question_id in report.rankings)
    report.groups = figures_by_group(report.rankings, asked) or None
    return report


def _first_questions(corpora: Iterable[Corpus], limit: int | None) -> Iterator[Corpus]:
    left = limit
    for corpus in corpora:
        if left is None:
            yield corpus
            continue
        if left <= 0:
            return
        yield replace(corpus, questions=corpus.questions[:left])
        left -= len(corpus.questions)


def _ranked(corpora: Iterator[Corpus], approach: Approach, workers: int) -> Iterator[Ranked]:
    """Ranks the corpora, in order. No more of them than workers need are held at once."""
    if workers <= 1:
        yield from map(partial(rank, approach=approach), corpora)
        return
    # A fresh interpreter for each worker: forking a process that has threads is not safe.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting: deque[Future[Ranked]] = deque()
        for corpus in corpora:
            waiting.append(pool.submit(rank, corpus, approach))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _writer(path: Path | None) -> Iterator[Callable[[Iterable[Ranking]], None]]:
    if path is None:
        yield lambda rankings: None
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield partial(_write, file)


def _write(file: TextIO, rankings: Iterable[Ranking]) -> None:
    for one in rankings:
        row = {"question_id": one.question_id, "ranked": list(one.ranked)}
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    file.flush()
