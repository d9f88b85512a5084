"""What each question's answer rests on, read apart from the runner, which never sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoranda.bench.corpus import UnitKind
from memoranda.bench.reading import expected_shape, json_items_of, json_of
from memoranda.bench.suites.memdaily import trajectories


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The units that answer one question.

    Attributes:
        question_id: the question.
        units: their ids; never empty.
        groups: the kinds of questions that it belongs to, for figures by kind.
    """

    question_id: str
    units: frozenset[str]
    groups: tuple[str, ...] = ()


def evidence_of(suite: str, path: Path, unit: UnitKind) -> Iterator[Evidence]:
    """Yields the evidence of each question that has some; nothing for a file that was stripped of it.

    Raises:
        InvalidInput: the file is damaged or of another shape.
        OSError: the file cannot be opened.
    """
    with expected_shape(path, suite):
        yield from (found for found in _READERS[suite](path, unit) if found.units)


def _locomo(path: Path, unit: UnitKind) -> Iterator[Evidence]:
    for sample in json_of(path):
        turns = [value for value in sample["conversation"].values() if isinstance(value, list)]
        known = {turn["dia_id"] for session in turns for turn in session}
        for index, qa in enumerate(sample["qa"]):
            # Some evidence is written `D:11:26` or `D8:6; D9:17`, or with a zero too many; some names no turn.
            written = (pair for text in qa.get("evidence", ()) for pair in re.findall(r"D:?(\d+):(\d+)", text))
            cited = {f"D{int(session)}:{int(turn)}" for session, turn in written} & known
            if unit == "session":
                cited = {f"S{turn[1:].split(':')[0]}" for turn in cited}
            yield Evidence(
                question_id=f"{sample['sample_id']}/{index}",
                units=frozenset(cited),
                groups=_locomo_groups(qa.get("category")),
            )


def _locomo_groups(category: int | None) -> tuple[str, ...]:
    """Returns the category by its number, since its names differ between publications; 5 is adversarial."""
    if category is None:
        return ()
    return (f"category {category}", "categories 1-4") if category < 5 else (f"category {category}",)


def _longmemeval(path: Path, unit: UnitKind) -> Iterator[Evidence]:
    for item in json_items_of(path):
        units = frozenset(item.get("answer_session_ids", ())) if unit == "session" else frozenset(_answering(item))
        kind = "_abs" if item["question_id"].endswith("_abs") else "without _abs"
        groups = (item["question_type"], kind) if "question_type" in item else (kind,)
        yield Evidence(question_id=item["question_id"], units=units, groups=groups)


def _answering(item: dict[str, Any]) -> Iterator[str]:
    for session, turns in zip(item["haystack_session_ids"], item["haystack_sessions"], strict=True):
        yield from (f"{session}#{index}" for index, turn in enumerate(turns) if turn.get("has_answer"))


def _beam(path: Path, unit: UnitKind) -> Iterator[Evidence]:
    for chat in json_items_of(path):
        for ability, probes in chat["probing_questions"].items():
            for index, probe in enumerate(probes):
                yield Evidence(
                    question_id=f"{chat['chat_id']}/{ability}/{index}",
                    units=frozenset(_leaves(probe.get("source_chat_ids"))),
                    groups=(ability,),
                )


def _leaves(node: Any) -> Iterator[str]:
    """Yields the message numbers of a BEAM question, which are nested in lists and objects."""
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list):
        for value in node:
            yield from _leaves(value)
    elif node is not None:
        yield str(node)


def _memdaily(path: Path, unit: UnitKind) -> Iterator[Evidence]:
    for group, trajectory in trajectories(path):
        for asked in trajectory["question_list"]:
            yield Evidence(
                question_id=f"{path.stem}/{group}/{trajectory['tid']}/{asked['qid']}",
                units=frozenset(str(mid) for mid in asked.get("target_step_id", ())),
                groups=(path.stem,),
            )


def _xquad(path: Path, unit: UnitKind) -> Iterator[Evidence]:
    paragraphs = (paragraph for article in json_of(path)["data"] for paragraph in article["paragraphs"])
    for number, paragraph in enumerate(paragraphs):
        for qa in paragraph["qas"]:
            # A file without answers is one without evidence, even though the paragraph could be told from the nesting.
            units = frozenset({f"p{number}"}) if "answers" in qa else frozenset()
            yield Evidence(question_id=qa["id"], units=units)


_READERS: dict[str, Callable[[Path, UnitKind], Iterator[Evidence]]] = {
    "locomo": _locomo,
    "longmemeval": _longmemeval,
    "beam": _beam,
    "memdaily": _memdaily,
    "xquad": _xquad,
}
