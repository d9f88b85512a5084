"""Block and ranking of seed 1 as they were there, to compare with ours and for hosts that rely on them.

Two things are as everywhere here. Texts are escaped before they are cut (C19), which leaves ordinary text of one line
as it is. And Unicode is cut between characters, never within one.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from memoranda.recall.dedup import distinct
from memoranda.recall.render import CAVEAT, HEADING
from memoranda.records.entry import MemoryEntry
from memoranda.text.escape import TRUNCATED, clamped, escaped
from memoranda.text.folding import fold
from memoranda.text.stop_words import without_stop_words

COSINE_FLOOR: Final = 0.25
"""Under this cosine a row is no answer (S1.12)."""
HALF_LIFE_DAYS: Final = 30.0
KEYWORD_LIMIT: Final = 8
MOST_BY_KEYWORD: Final = 50
"""Keyword recall takes a limit of 0 or less, or above this, for `KEYWORD_LIMIT`."""

Row = tuple[MemoryEntry, float | None]
"""An entry and the cosine of its vector with the query's; None for an entry without a vector."""


def seed1_block(entries: Sequence[MemoryEntry], max_entry_bytes: int = 600, max_block_bytes: int = 6000) -> str:
    """Returns the block of entries, best first (S1.3 to S1.8, S1.10, S1.11).

    Restatements go first, by likeness of words alone: without the guard of `recall.dedup` (C6). Each text is cut to
    `max_entry_bytes`, its marker on a line of its own and inside of them. Texts are taken in order up to the first that
    would pass `max_block_bytes`; only bytes of texts count, neither heading nor bullets. So the block is a little
    longer than it says. Without a text there is no block.
    """
    bullets: list[str] = []
    spent = 0
    for entry in distinct(entries, difference=None, word_set=seed1_words):
        text = clamped(escaped(entry.memory), max_entry_bytes, f"\n{TRUNCATED}")
        spent += len(text.encode())
        if spent > max_block_bytes:
            break
        bullets.append(f"- ({entry.category.value}) {text}")
    return "\n".join((HEADING, CAVEAT, *bullets)) if bullets else ""


def seed1_words(text: str) -> frozenset[str]:
    """Returns the words by which seed 1 compares texts (S1.10).

    Marks are dropped after decomposition, đ is d, case does not matter; ASCII that is neither letter nor digit
    separates words, everything beyond ASCII belongs to them.
    """
    bare = "".join(character for character in unicodedata.normalize("NFD", text) if not _is_mark(character))
    plain = unicodedata.normalize("NFC", bare).replace("đ", "d").replace("Đ", "D").lower()
    return frozenset("".join(c if c.isalnum() or not c.isascii() else " " for c in plain).split())


def seed1_rank(
    rows: Iterable[Row], now: datetime, limit: int, floor: float = COSINE_FLOOR
) -> list[tuple[MemoryEntry, float]]:
    """Returns the best rows by meaning, each with its score (S1.12, S1.14 to S1.20).

    The score is `cosine * clamp(confidence, 0.6, 1) * (0.7 + 0.3 * 0.5 ** (age / 30 days))`. Rows without a vector and
    rows under the floor are left out. A limit of 0 or less means all. Rows of equal score keep their order.
    """
    scored = [
        (entry, likeness * confidence_factor(entry.confidence) * (0.7 + 0.3 * recency(_seen(entry), now)))
        for entry, likeness in rows
        if likeness is not None and likeness >= floor
    ]
    scored.sort(key=lambda pair: pair[1], reverse=True)  # stable, in reverse too
    return scored if limit <= 0 else scored[:limit]


def seed1_recall(rows: Sequence[Row], query: str, now: datetime, limit: int) -> list[MemoryEntry]:
    """Returns what seed 1 recalls: by meaning, or by keywords where that finds nothing (S1.12, S1.13)."""
    if query.strip() and (ranked := seed1_rank(rows, now, limit)):
        return [entry for entry, _ in ranked]
    most = limit if 0 < limit <= MOST_BY_KEYWORD else KEYWORD_LIMIT
    return keyword_rank([entry for entry, _ in rows], query)[:most]


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Returns the cosine of two vectors; 0 where their lengths differ or one is all zeros, never NaN (S1.16)."""
    if len(a) != len(b):
        return 0.0
    norms = math.hypot(*a) * math.hypot(*b)
    found = math.fsum(x * y for x, y in zip(a, b, strict=True)) / norms if norms else 0.0
    return found if math.isfinite(found) else 0.0


def confidence_factor(confidence: float) -> float:
    """Returns the confidence, at least 0.6 and at most 1 (S1.17)."""
    return min(confidence, 1.0) if confidence > 0.6 else 0.6


def recency(seen: datetime | None, now: datetime) -> float:
    """Returns 1 for now or later, halved with every 30 days since, and 0 where no time is known (S1.18)."""
    if seen is None:
        return 0.0
    days = max((now - seen).total_seconds(), 0.0) / 86_400
    return float(0.5 ** (days / HALF_LIFE_DAYS))


def keyword_rank(entries: Iterable[MemoryEntry], query: str) -> list[MemoryEntry]:
    """Returns the entries that hold a keyword of the query in text or tag (S1.21).

    Most distinct keywords first, then what was seen last. A query without keywords gives all, what was seen last first.
    """
    terms = keywords(query)
    counted = [(sum(term in text for term in terms), entry) for entry in entries for text in [_searched(entry)]]
    found = [(count, entry) for count, entry in counted if count or not terms]
    found.sort(key=lambda pair: (-pair[0], -(_seen(pair[1]).timestamp())))
    return [entry for _, entry in found]


def keywords(query: str) -> list[str]:
    """Returns the distinct words of a query in lower case, without stop words and words of one character (S1.21).

    The stop words are ours: the seed names none.
    """
    split = "".join(character if character.isalnum() else " " for character in query.lower()).split()
    long = [word for word in dict.fromkeys(split) if len(word) > 1]
    telling = frozenset(without_stop_words([fold(word).casefold() for word in long]))
    return [word for word in long if fold(word).casefold() in telling]


def _searched(entry: MemoryEntry) -> str:
    """Returns text and tags as one, so divided that no keyword stands across them."""
    return "\n".join((entry.memory, *entry.tags)).lower()


def _seen(entry: MemoryEntry) -> datetime:
    return entry.last_seen or entry.created_at


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) == "Mn"
