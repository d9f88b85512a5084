"""How much of the request before is the beginning of the next one, which a provider's prompt cache then still holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import takewhile
from statistics import mean
from time import perf_counter
from typing import Any, Final

from memoranda.bench.compaction.counters import Absent, Row
from memoranda.bench.compaction.texts import Wires, requests
from memoranda.compaction.compactor import Compactor
from memoranda.compaction.config import CompactionConfig
from memoranda.compaction.strategies.drop_turns import DropTurns
from memoranda.messages.cost import MessageCost
from memoranda.messages.formats import read_one
from memoranda.messages.validate import problems
from memoranda.records.message import Message, WireFormat
from memoranda.text.encodings import tokenizer

Shorten = Callable[[Wires], Sequence[object]]
"""Returns the request for a whole conversation."""
PART: Final = 4
"""The budget is the whole conversation's tokens divided by this."""


class Sizes:
    """Knows each message that it was shown, and what it costs; by identity, so each is read once."""

    def __init__(self) -> None:
        self._cost = MessageCost(tokenizer())
        self._known: dict[int, tuple[object, Message, int]] = {}

    def tokens(self, wire: object) -> int:
        """Returns the tokens of a message."""
        return self._seen(wire)[2]

    def message(self, wire: object) -> Message:
        """Returns a message as it is read."""
        return self._seen(wire)[1]

    def _seen(self, wire: object) -> tuple[object, Message, int]:
        known = self._known.get(id(wire))
        if known is None:
            message = read_one(wire, WireFormat.CHAT)
            known = self._known[id(wire)] = (wire, message, self._cost(message))
        return known


def prefix_figures(turns: int) -> Row:
    """Measures ways to keep a long conversation with tools within a quarter of its tokens.

    Each gets the same whole list with each request. What a request has in common with the one before counts by whole
    messages: up to the first that is not equal.
    """
    lists = list(requests(turns))
    sizes = Sizes()
    whole = sum(map(sizes.tokens, lists[-1]))
    budget = whole // PART
    skipped: dict[str, str] = {}
    rows: list[Row] = []
    for name, make in _WAYS.items():
        try:
            shorten = make(budget, sizes)
        except Absent as reason:
            skipped[name] = str(reason)
            continue
        rows.append({"way": name, **_run(shorten, lists, budget, sizes)})
    return {
        "turns": turns,
        "requests": len(lists),
        "messages": len(lists[-1]),
        "tokens": whole,
        "budget_tokens": budget,
        "ways": list(rows),
        "skipped": dict(skipped),
    }


def _run(shorten: Shorten, lists: Sequence[Wires], budget: int, sizes: Sizes) -> Row:
    """Sends each list through one way; a share is that of the tokens of a request, the first request's left out."""
    before: Sequence[object] = ()
    shares: list[float] = []
    sent = anew = invalid = over = 0
    spent = 0.0
    for messages in lists:
        began = perf_counter()
        request = shorten(messages)
        spent += perf_counter() - began
        tokens, held = sum(map(sizes.tokens, request)), _held(before, request, sizes)
        if before:
            shares.append(held / max(1, tokens))
        sent, anew = sent + tokens, anew + tokens - held
        invalid += bool(problems([sizes.message(wire) for wire in request], WireFormat.CHAT))
        over += tokens > budget
        before = request
    return {
        "prefix_share": round(mean(shares), 4),
        "tokens_sent": sent,
        "tokens_anew": anew,
        "invalid_requests": invalid,
        "over_budget": over,
        "ms_a_request": round(spent * 1000 / len(lists), 3),
    }


def _held(before: Sequence[object], request: Sequence[object], sizes: Sizes) -> int:
    """Returns the tokens of the messages at the beginning that are equal to those of the request before."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(before, request, strict=False))
    return sum(sizes.tokens(wire) for _, wire in pairs)


def _default(budget: int, sizes: Sizes) -> Shorten:
    compactor = Compactor(CompactionConfig(max_tokens=budget, max_fraction=None))
    return lambda messages: compactor.on_request(messages).messages


def _drop_turns(budget: int, sizes: Sizes) -> Shorten:
    compactor = Compactor(CompactionConfig(max_tokens=budget, max_fraction=None, strategies=(DropTurns(),)))
    return lambda messages: compactor.on_request(messages).messages


def _sliding_window(budget: int, sizes: Sizes) -> Shorten:
    """The system message, and as many of the last messages as fit: chosen anew for each request, whatever they are."""

    def shorten(messages: Wires) -> Sequence[object]:
        left, start = budget - sizes.tokens(messages[0]), len(messages)
        while start > 1 and sizes.tokens(messages[start - 1]) <= left:
            start -= 1
            left -= sizes.tokens(messages[start])
        return [messages[0], *messages[start:]]

    return shorten


def _langchain(budget: int, sizes: Sizes) -> Shorten:
    """LangChain's `trim_messages`, told what each message costs; its time includes turning messages into its own."""
    try:
        library: Any = import_module("langchain_core.messages")
    except ImportError as error:
        raise Absent("langchain-core is not installed") from error

    def shorten(messages: Wires) -> Sequence[object]:
        theirs = library.convert_to_messages(messages)
        for place, one in enumerate(theirs):
            one.id = str(place)

        def count(some: Sequence[Any]) -> int:
            return sum(sizes.tokens(messages[int(one.id)]) for one in some)

        kept = library.trim_messages(
            theirs, strategy="last", max_tokens=budget, token_counter=count, start_on="human", include_system=True
        )
        return [messages[int(one.id)] for one in kept]

    return shorten


_WAYS: Final[dict[str, Callable[[int, Sizes], Shorten]]] = {
    "memoranda, default strategies": _default,
    "memoranda, DropTurns only": _drop_turns,
    "sliding window": _sliding_window,
    "LangChain trim_messages": _langchain,
}
