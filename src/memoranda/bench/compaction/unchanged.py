"""What a request costs when all of it but one message was there before."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, Final

from memoranda.bench.compaction.counters import Row
from memoranda.bench.compaction.texts import Wires, long_chat, tool_loop
from memoranda.compaction.compactor import Compactor
from memoranda.compaction.config import CompactionConfig

_ENDLESS: Final = CompactionConfig(context_window_tokens=10**9)
"""A window that no list fills, so that nothing is compacted."""


def unchanged_rows(messages: int, repeats: int) -> list[Row]:
    """Measures `on_request` with one new message at the end of a list of so many.

    Four ways: the host sends the same objects again; a list that was decoded anew from JSON; the same objects where
    three quarters of the tokens were taken before; and the same objects of a list in which a person spoke only once.
    Beside them what the whole list costs when a compactor sees it for the first time.
    """
    chat, loop = long_chat(messages), tool_loop(messages)
    taken = CompactionConfig(max_tokens=max(1, Compactor().count_tokens(chat) // 4), max_fraction=None)
    return [
        _row("same objects", chat, _ENDLESS, list, repeats),
        _row("decoded anew", chat, _ENDLESS, _decoded, repeats),
        _row("same objects, compacted before", chat, taken, list, repeats),
        _row("same objects, one long tool loop", loop, _ENDLESS, list, repeats),
    ]


def _row(way: str, messages: Wires, config: CompactionConfig, sent: Callable[[Wires], Wires], repeats: int) -> Row:
    first = median(_milliseconds(Compactor(_ENDLESS), messages)[0] for _ in range(repeats))
    return {
        "messages": len(messages),
        "tokens": Compactor().count_tokens(messages),
        "way": way,
        **_unchanged(config, messages, sent, repeats),
        "first_us": round(first * 1000 / len(messages), 3),
    }


def _unchanged(config: CompactionConfig, chat: Wires, sent: Callable[[Wires], Wires], repeats: int) -> Row:
    compactor = Compactor(config)
    compactor.on_request(chat)
    before, times, counted, new_tokens = chat, [], 0, 0
    for number in range(repeats):
        new = {"role": "user", "content": f"And now, after {number} more?"}
        before = [*before, new]
        spent, tokens = _milliseconds(compactor, sent(before))
        times.append(spent * 1000 / (len(before) - 1))
        counted += tokens
        new_tokens += compactor.count_tokens([new]) - compactor.count_tokens([])  # less what frames a request
    return {"unchanged_us": round(median(times), 3), "counted_tokens": counted, "new_tokens": new_tokens}


def _milliseconds(compactor: Compactor, messages: list[dict[str, Any]]) -> tuple[float, int]:
    """Sends a request; returns how long it took, and the tokens that had to be counted."""
    began = perf_counter()
    compacted = compactor.on_request(messages)
    return (perf_counter() - began) * 1000, compacted.report.counted_tokens


def _decoded(messages: Wires) -> Wires:
    made: Wires = json.loads(json.dumps(messages))
    return made
