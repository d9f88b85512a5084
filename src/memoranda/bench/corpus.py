"""What a data set's file holds, as the runner sees it: things to remember and questions, and nothing of the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from memoranda.records.entry import JsonValue

UnitKind = Literal["turn", "session"]
"""What is ranked: single turns (messages, paragraphs), or the sessions that they stand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One thing to remember: a turn, a message or a paragraph.

    Attributes:
        id: the data file's id of it.
        text: what was said; may be blank, as some turns of the data sets are.
        speaker: who said it.
        session: the data file's id of the session; None where the data set has none.
        position: its place in the session, or in the corpus where there are none, counted from 0.
        occurred_at: when it was said, in UTC; None where the file does not say.
        metadata: what else the file tells of it.
    """

    id: str
    text: str
    speaker: str | None = None
    session: str | None = None
    position: int | None = None
    occurred_at: datetime | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question to the corpus.

    Attributes:
        id: the id that rankings and scorers know it by.
        text: the question.
        asked_at: when it was asked, in UTC; None where the file does not say.
    """

    id: str
    text: str
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What one user's memory holds, and the questions to it: a conversation, a haystack, a chat, a list of paragraphs.

    Attributes:
        name: what the data file calls it.
        units: in the order of the file.
        questions: in the order of the file.
    """

    name: str
    units: tuple[Unit, ...]
    questions: tuple[Question, ...]
