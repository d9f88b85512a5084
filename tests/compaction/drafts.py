"""Messages and drafts for the tests of compaction, and what must hold whatever a strategy does."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from memoranda.compaction.budget import RequestBudget
from memoranda.compaction.draft import Cost, Draft
from memoranda.compaction.handles import handle_of
from memoranda.compaction.strategy import CompactionStrategy
from memoranda.messages.formats import read
from memoranda.records.message import (
    CallPart,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
)
from tests.messages.lists import lists_of

NAMES = ("read_file", "search", "write_file")


def characters(part: Part) -> int:
    """Returns the characters that a part has."""
    match part:
        case TextPart() | ThinkingPart():
            return len(part.text)
        case MediaPart():
            return len(part.data or part.url or "")
        case CallPart():
            text = part.arguments if isinstance(part.arguments, str) else json.dumps(dict(part.arguments))
            return len(part.name) + len(text)
        case ResultPart():
            return sum(characters(inner) for inner in part.parts)
        case OpaquePart():
            return len(json.dumps(dict(part.wire)))


def cost(message: Message) -> int:
    """Counts a message: 3 tokens, and one for every 4 characters."""
    return sum(characters(part) for part in message.parts) // 4 + 3


def says(role: Role, text: str) -> Message:
    return Message(role, (TextPart(text),))


def system(text: str = "Be brief.") -> Message:
    return says(Role.SYSTEM, text)


def user(text: str = "and now?") -> Message:
    return says(Role.USER, text)


def assistant(text: str = "noted") -> Message:
    return says(Role.ASSISTANT, text)


def call(id: str, name: str = "read_file", **arguments: Any) -> CallPart:
    return CallPart(id, name, json.dumps(arguments))


def asks(*calls: CallPart) -> Message:
    return Message(Role.ASSISTANT, calls)


def gives(id: str, text: str = "done", *, is_error: bool = False) -> Message:
    return Message(Role.TOOL, (ResultPart(id, (TextPart(text),), is_error),))


def pair(id: str, text: str, name: str = "read_file", **arguments: Any) -> list[Message]:
    """Returns a call and its result."""
    return [asks(call(id, name, **arguments)), gives(id, text)]


def in_letters(letters: str) -> list[Message]:
    """Returns messages from letters: S, U, A as the seed shows them; C is a call, T its result."""
    made: list[Message] = []
    number = 0
    for letter in letters:
        number += letter == "C"
        made.append(_of_letter(letter, len(made), f"c{number}"))
    return made


def _of_letter(letter: str, place: int, id: str) -> Message:
    if letter == "C":
        return asks(call(id))
    if letter == "T":
        return gives(id)
    return {"S": system, "U": user, "A": assistant}[letter](f"message {place}")


def letters(draft: Draft) -> str:
    """Returns the shape of a draft, as `in_letters` reads it."""
    return "".join(
        "C" if message.of_kind(CallPart) else "T" if message.of_kind(ResultPart) else message.role.value[0].upper()
        for message in draft.messages
    )


def draft_of(
    messages: Sequence[Message],
    *,
    budget: RequestBudget,
    cost: Cost,
    pending: Collection[str] = (),
    archived: bool = False,
) -> Draft:
    """Returns a draft of which nothing was taken."""
    return Draft(
        messages=tuple(messages),
        sizes=tuple(cost(message) for message in messages),
        sources=tuple(range(len(messages))),
        given=tuple(messages),
        budget=budget,
        cost=cost,
        pending=frozenset(pending),
        archived=archived,
    )


def drafted(
    messages: Sequence[Message],
    *,
    most: int | None = None,
    tokens: int | None = None,
    low_mark: int | None = None,
    pending: Collection[str] = (),
    archived: bool = True,
) -> Draft:
    """Returns a draft; without `most` messages and `tokens` it has no bound."""
    budget = RequestBudget(messages=most, tokens=tokens, low_mark=low_mark)
    return draft_of(messages, budget=budget, cost=cost, pending=pending, archived=archived)


def texts_of(part: ResultPart) -> list[str]:
    return [inner.text for inner in part.parts if isinstance(inner, TextPart)]


def result(draft: Draft, place: int) -> str:
    """Returns the text of the result at a place."""
    (part,) = draft.messages[place].of_kind(ResultPart)
    (text,) = texts_of(part)
    return text


# Generated drafts

_WORDS = st.sampled_from(["ok", "where is it?", "line of output ", "金曜日", "👨‍👩‍👧🇵🇹", "é", '{"k": "v"}'])
_TEXTS = st.builds(lambda word, times: word * times, _WORDS, st.sampled_from([1, 1, 2, 40, 400]))
_MEDIA = st.builds(lambda size: MediaPart("image", "image/png", "QUJD" * size), st.integers(1, 400))
_GIVEN = st.lists(st.one_of(_TEXTS.map(TextPart), _TEXTS.map(TextPart), _MEDIA), max_size=2).map(tuple)
_ARGUMENTS = st.one_of(
    st.builds(lambda path, text: {"path": path, "text": text}, st.sampled_from(["a", "b"]), _TEXTS),
    st.builds(lambda path: {"path": path}, st.sampled_from(["a", "b"])),
)


@st.composite
def _turns(draw: st.DrawFn) -> list[Message]:
    kind = draw(st.sampled_from(["system", "user", "answer", "picture", "thought", "calls", "calls", "calls"]))
    text = draw(_TEXTS)
    if kind == "calls":
        return draw(_calls())
    made = {
        "system": system(text),
        "user": user(text),
        "answer": assistant(text),
        "picture": Message(Role.USER, (TextPart(text), draw(_MEDIA))),
        "thought": Message(Role.ASSISTANT, (ThinkingPart(text, {"signature": "s=="}), TextPart("so"))),
    }
    return [made[kind]]


@st.composite
def _calls(draw: st.DrawFn) -> list[Message]:
    """Calls of one message and their results: each in a message, or all in one of the user's."""
    ids = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True))
    as_text = draw(st.booleans())
    made: list[Part] = [ThinkingPart("hm", {"signature": "s=="})] if draw(st.booleans()) else []
    for id in ids:
        arguments = draw(_ARGUMENTS)
        made.append(CallPart(id, draw(st.sampled_from(NAMES)), json.dumps(arguments) if as_text else arguments))
    results = [ResultPart(id, draw(_GIVEN), draw(st.booleans())) for id in ids]
    apart = [Message(Role.TOOL, (one,)) for one in results]
    return [
        Message(Role.ASSISTANT, tuple(made)),
        *(apart if as_text else [Message(Role.USER, tuple(results))]),
    ]


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """Valid lists: each call is answered, ids are used again in later turns."""
    turns = draw(st.lists(_turns(), min_size=1, max_size=12))
    return [*draw(st.sampled_from([[], [system()]])), *(message for turn in turns for message in turn)]


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Drafts without a bound, with one of messages, and with one of tokens, in the last pass or before."""
    messages = draw(st.one_of(conversations(), read_lists()))
    if not messages:
        messages = [user()]
    bound = draw(st.sampled_from(["none", "messages", "tokens", "tokens", "tokens"]))
    tokens = draw(st.integers(1, sum(map(cost, messages)) + 1)) if bound == "tokens" else None
    made = drafted(
        messages,
        most=draw(st.integers(1, len(messages))) if bound == "messages" else None,
        tokens=tokens,
        low_mark=draw(st.integers(0, tokens - 1)) if tokens is not None and draw(st.booleans()) else None,
        archived=draw(st.booleans()),
    )
    return in_last_pass(made) if draw(st.booleans()) else made


def read_lists() -> st.SearchStrategy[list[Message]]:
    """Valid lists of each wire format, as they are read."""
    return st.sampled_from(list(WireFormat)).flatmap(
        lambda format: lists_of(format).map(lambda wires: read(wires, format)[1])
    )


def in_last_pass(draft: Draft) -> Draft:
    """Returns the draft as the last pass gets it."""
    return replace(draft, last_pass=True)


# What must hold


def check(strategy: CompactionStrategy, draft: Draft) -> Draft:
    """Lets a strategy shorten a draft, and checks all that every strategy promises.

    Args:
        strategy: the strategy.
        draft: a draft whose list is valid.

    Returns:
        The shortened draft.
    """
    after = strategy.shorten(draft)
    assert strategy.shorten(draft) == after  # the same for the same
    if draft.is_enough:
        assert after is draft
    if after is draft:
        return after
    assert after != draft
    assert after.sizes == tuple(map(cost, after.messages))
    assert after.tokens < draft.tokens
    assert len(after.taken) > len(draft.taken)
    kept = _check_kept(draft, after)
    for group in draft.groups:
        assert {place in kept for place in group} in ({True}, {False})  # whole groups
    for place in draft.pins:
        assert after.messages[kept[place]] is draft.messages[place]
    assert unpaired(after.messages) == unpaired(draft.messages) == []
    for span in after.taken:
        assert span.handle == handle_of(span.message)
        assert span.by in {strategy.name, *(old.by for old in draft.taken)}
    return after


def _check_kept(draft: Draft, after: Draft) -> dict[int, int]:
    """Checks order and identity of what is still there; returns its new places by the old ones."""
    new = {source: place for place, source in enumerate(after.sources) if source is not None}
    old = {source: place for place, source in enumerate(draft.sources) if source is not None}
    assert set(new) <= set(old)
    assert list(new) == sorted(new)  # the order is kept
    taken = {span.index for span in after.taken}
    for source, place in new.items():
        before, now = draft.messages[old[source]], after.messages[place]
        assert now is before or source in taken
        assert now.role is before.role
        assert [_bones(part) for part in now.parts] == [_bones(part) for part in before.parts]
        for one, other in zip(now.of_kind(CallPart), before.of_kind(CallPart), strict=True):
            assert _names(one.arguments) == (_names(other.arguments) or _names(one.arguments))
            assert one.arguments == other.arguments or _names(one.arguments) is not None
    for source in set(old) - set(new):
        assert source in taken
    return {old[source]: place for source, place in new.items()}


def _bones(part: Part) -> object:
    """Returns what of a part no strategy may change."""
    match part:
        case CallPart():
            return part.id, part.name
        case ResultPart():
            return part.id, part.is_error
        case ThinkingPart() | OpaquePart():
            return part
    return None


def _names(arguments: Any) -> list[str] | None:
    """Returns the names of a call's arguments; None where they are no JSON object."""
    try:
        read = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return None
    return sorted(read) if isinstance(read, dict) else None


def unpaired(messages: Sequence[Message]) -> list[str]:
    """Returns ids of calls without a result, and of results without a call before them, by position (case P09)."""
    waiting: set[str] = set()
    wrong = []
    for message in messages:
        for part in message.parts:
            if isinstance(part, CallPart):
                wrong += [part.id] if part.id in waiting else []
                waiting.add(part.id)
            elif isinstance(part, ResultPart):
                wrong += [] if part.id in waiting else [part.id]
                waiting.discard(part.id)
    return [*wrong, *sorted(waiting)]
