"""What the channels say about a query, gathered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memoranda.recall import channels
from memoranda.recall.channels import Words
from memoranda.recall.columns import Flags, Floats
from memoranda.recall.question import Question
from memoranda.recall.view import View


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the channels found.

    Attributes:
        weighted: by the channel's name, the weight, the values, and the slots among which they are standardised.
        hints: by name, values that are weighted already and not standardised.
        answers: which entries are an answer at all.
        words: what the words say.
        cosines: cosine of each entry; None without vectors.
        speakers: codes of the speakers whom the query names.
        tags: the tags that it names.
        happened: which entries happened when it says.
    """

    weighted: Mapping[str, tuple[float, Floats, Flags]]
    hints: Mapping[str, Floats]
    answers: Flags
    words: Words
    cosines: Floats | None
    speakers: Sequence[int]
    tags: Sequence[str]
    happened: Flags


def evidence(view: View, question: Question) -> Evidence:
    """Asks every channel about a question."""
    weights, size = question.weights, len(view)
    every, talks = np.ones(size, np.bool_), view.in_session
    said = channels.words(view, question.terms.informative)
    sees = question.coverage if question.vector is not None and view.vectors is not None else 0.0
    found = {
        "words": (weights.words + BLIND_WORDS * (1 - sees), said.entry, every),
        "passage words": (weights.passage_words + BLIND_PASSAGE * (1 - sees), said.passage, every),
        "session words": (weights.session_words, said.session, talks),
    }
    answers, cosines = said.near, None
    if question.vector is not None and view.vectors is not None and sees > 0:
        like = channels.meaning(view, question.vector)
        embedded, cosines = view.scales > 0, like.entry
        found["meaning"] = (weights.meaning * sees, like.entry, embedded)
        found["passage meaning"] = (weights.passage_meaning * sees, like.passage, embedded)
        found["session meaning"] = (weights.session_meaning * sees, like.session, embedded & talks)
        answers = answers | (embedded & (like.entry >= question.floor))
    terms = frozenset(question.terms.terms)
    speakers, tags = view.speakers_named(terms), view.tags_named(terms)
    happened = channels.happened(view, question.ranges)
    tagged = channels.tagged(view, tags)
    named = channels.named(view, question.ids)
    found["length"] = (weights.length, view.wordiness, talks)
    hints: dict[str, Floats] = {
        "speaker": weights.speaker * channels.asked_about(view, speakers).astype(np.float32),
        "user": weights.user * view.by_user,
        "question": weights.question * view.asking,
        "time": weights.time * happened.astype(np.float32),
        "tag": weights.tag * tagged.astype(np.float32),
        "id": weights.id * named.astype(np.float32),
    }
    return Evidence(found, hints, answers | tagged | named, said, cosines, speakers, tags, happened)


BLIND_WORDS = 0.2
BLIND_PASSAGE = 0.1
"""What the words and the passage's words count more where no vector speaks, or none that reads the query's script."""
