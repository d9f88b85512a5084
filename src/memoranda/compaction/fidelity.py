"""How much of what later messages refer to a compacted list still shows.

A transcript can be cut to any size; what matters is whether what is left can still be worked with. A message that
speaks of `src/app.py` or of order 4711 refers to an earlier one that named it. Such references can be counted without a
model: values that cannot be inferred, each named by an earlier message and named again by a later one that is still
there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from memoranda.messages.readable import readable
from memoranda.records.entry import JsonValue
from memoranda.records.message import CallPart, Message, ResultPart
from memoranda.records.span import Span

EXAMPLES: Final = 5
"""Most values that are named as examples."""

_LONGEST: Final = 200  # characters of a value; what is longer is data
_SHORTEST_ID: Final = 5  # characters of an id; `20th` and `v2` are none
_HEAD: Final = 8  # characters that clamping leaves at the beginning of any text that is worth clamping
_WORD: Final = re.compile(r"""\w{2,10}://[^\s"'`<>()\[\]{}|]+|[^\s"'`<>()\[\]{},;|=*]+""")
_QUOTED: Final = re.compile(r"""`(\w[\w.:-]{2,63})`|(["'])(\w[\w.:-]{2,63})\2(?!\s{0,2}:)""")
_END: Final = ".,:;!?…"
_NUMBER: Final = re.compile(r"[#$€£¥]?\d[\d.,:/-]*%?")
_PATH: Final = re.compile(r"(?:~|\.{1,2})?/?[\w.@+-]+(?:/[\w.@+-]+)+/?|(?:~|\.{1,2})?/[\w.@+-]+/?")
_FILE: Final = re.compile(r"[\w+-]{2,}(?:\.[\w+-]+)*\.[a-z][a-z0-9]{0,4}")
_NAMED: Final = re.compile(r"[\w#][\w.:#@-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fidelity:
    """What became of the references of a list.

    A reference is a value that an earlier message named and a later one, still there, names again: a path, a URL, an
    id, a number of three digits or more, an identifier in quotes. Each value counts once.

    Attributes:
        references: how many there are: the sum of the other three.
        visible: an earlier message that is still there names it, or a summary.
        reachable: no message before the one that refers to it shows it; a span that was taken holds it, and its handle
            gives it back.
        gone: it is named by what refers to it alone.
        examples: values that are gone, at most `EXAMPLES`, in the order in which they were first named.
    """

    references: int
    visible: int
    reachable: int
    gone: int
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.references:
            return "nothing that is left refers to what came before"
        fates = [f"{self.visible} still visible"]
        fates += [f"{self.reachable} reachable by handle"] if self.reachable else []
        fates += [f"{self.gone} gone (such as {', '.join(self.examples)})"] if self.gone else []
        return f"values that later messages refer to: {self.references}, of which {', '.join(fates)}"

    def to_json(self) -> dict[str, JsonValue]:
        """Returns it as a JSON object, without the examples: those are texts of the transcript."""
        return {
            "references": self.references,
            "visible": self.visible,
            "reachable": self.reachable,
            "gone": self.gone,
        }


def fidelity(before: Sequence[Message], after: Sequence[Message], taken: Iterable[Span]) -> Fidelity:
    """Returns how much of what later messages refer to is still visible, or reachable by its handle.

    What a model thought is not read. It takes time in proportion to the texts.

    Args:
        before: the messages as they came in.
        after: the messages as they go out, in the same order.
        taken: what can be given back by its handle; empty where nothing keeps it.
    """
    repeated = {value: places for value, places in _places(before).items() if len(places) > 1}
    shown = _places(after)
    sources = _sources(before, after)
    kept = {value for span in taken for value in values(span.message)}
    found = {value: _found(places[0], shown.get(value, ()), sources) for value, places in repeated.items()}
    visible = sum(1 for count in found.values() if count > 1)
    alone = [value for value, count in found.items() if count == 1]
    gone = [value for value in alone if value not in kept]
    return Fidelity(
        references=visible + len(alone),
        visible=visible,
        reachable=len(alone) - len(gone),
        gone=len(gone),
        examples=tuple(gone[:EXAMPLES]),
    )


def _places(messages: Sequence[Message]) -> dict[str, list[int]]:
    """Returns for each value the places of the messages that name it, in order."""
    named: dict[str, list[int]] = {}
    for place, message in enumerate(messages):
        for value in values(message):
            named.setdefault(value, []).append(place)
    return named


def values(message: Message) -> list[str]:
    """Returns what a message names that could not be inferred, each value once."""
    text = readable(message, media=False)
    quoted = (match[1] or match[3] for match in _QUOTED.finditer(text) if match[1] or _is_unlike_a_word(match[3]))
    words = (match.group() for match in _WORD.finditer(text) if len(match.group()) <= _LONGEST and not _is_key(match))
    named = (value for word in words if (value := word.rstrip(_END)) and _is_value(value))
    return list(dict.fromkeys([*quoted, *named]))


def _is_key(word: re.Match[str]) -> bool:
    """Tells whether a word is the name of a field in JSON."""
    return word.string.startswith(('":', "':"), word.end())


def _is_value(word: str) -> bool:
    """Tells whether a word is a URL, a path, a file's name, an id, or a number of three digits or more."""
    if "://" in word:
        return True
    if "/" in word and not word.replace("/", "").isdigit():
        # `and/or` is none: a path begins at a root, has several steps, or ends in a file's name.
        is_sure = word[0] in "/.~" or word.count("/") > 1 or "." in word.rpartition("/")[2]
        return is_sure and len(word) > 2 and _PATH.fullmatch(word) is not None
    digits = sum(character.isdigit() for character in word)
    if _NUMBER.fullmatch(word):
        return digits >= 3
    is_named = digits > 0 and len(word) >= _SHORTEST_ID and _NAMED.fullmatch(word) is not None
    return is_named or _FILE.fullmatch(word) is not None


def _is_unlike_a_word(text: str) -> bool:
    """Tells whether a quoted text is an identifier rather than a word of prose."""
    return any(not character.isalpha() or character.isupper() for character in text[1:])


def _found(first: int, shown: Sequence[int], sources: Sequence[int | None]) -> int:
    """Returns how many messages up to the last one that refers back name a value; 0 where none that is left does."""
    for number in range(len(shown), 0, -1):
        source = sources[shown[number - 1]]
        if source is not None and source > first:
            return number
    return 0


def _sources(before: Sequence[Message], after: Sequence[Message]) -> list[int | None]:
    """Returns for each message the place that it came from; None for one that compaction made.

    A message that nobody changed is the same object. One that was changed has the same role, the same calls and
    results, and begins alike; it came from the last such place between its neighbours.
    """
    by_identity = {_identity(message): index for index, message in enumerate(before)}
    by_shape: dict[tuple[object, ...], list[int]] = {}
    for index, message in enumerate(before):
        by_shape.setdefault(_shape(message), []).append(index)
    same = [by_identity.get(_identity(message)) for message in after]
    floors = list(accumulate((-1 if place is None else place for place in same), max, initial=-1))
    sources: list[int | None] = [None] * len(after)
    end = len(before)
    for number in range(len(after) - 1, -1, -1):
        place: int | None = same[number]
        if place is None or place >= end:
            alike = by_shape.get(_shape(after[number]), [])
            at = bisect_left(alike, end) - 1
            place = alike[at] if at >= 0 and alike[at] > floors[number] else None
        if place is not None:
            sources[number] = end = place
    return sources


def _identity(message: Message) -> int:
    return id(next((one for one in (message.given, message.wire) if one is not None), message))


def _shape(message: Message) -> tuple[object, ...]:
    ids = tuple(part.id for part in message.parts if isinstance(part, CallPart | ResultPart))
    return (message.role, ids, message.text[:_HEAD])
