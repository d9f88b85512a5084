"""The example of seed 4, message for message and token for token."""

from __future__ import annotations

from typing import Any

import pytest

from memoranda.compaction import CompactionConfig, Compactor, ContextUsage, SlidingWindow

TURNS = (
    "The vault is in Lisbon. Reply with: noted",
    "The key rotates on friday. Reply with: noted",
    "The owner is ops@example.com. Reply with: noted",
    "Where is the vault? Answer in one word.",
)


class Gauge:
    """Keeps every reading."""

    def __init__(self) -> None:
        self.readings: list[ContextUsage] = []

    def observe(self, usage: ContextUsage) -> None:
        self.readings.append(usage)


def shape(messages: list[Any]) -> str:
    return "".join(message["role"][0].upper() for message in messages)


def config(gauge: Gauge, **more: Any) -> CompactionConfig:
    return CompactionConfig(
        context_window_tokens=256,
        max_messages=6,
        warn_fraction=0.2,
        counting="text",
        observers=[gauge],
        strategies=[SlidingWindow(keep_messages=4)],
        **more,
    )


@pytest.mark.parametrize("markers", ["memoranda", "seed"])
def test_the_example(markers: str) -> None:
    """S4.3, S4.11, S4.13, S4.14, S4.19, C37, C45."""
    gauge = Gauge()
    compactor = Compactor(config(gauge, markers=markers))
    messages: list[dict[str, str]] = [{"role": "system", "content": "You are terse."}]
    shapes, warned, request = [], [], compactor.on_request(messages)
    gauge.readings.clear()
    for turn in TURNS:
        messages.append({"role": "user", "content": turn})
        request = compactor.on_request(messages)
        shapes.append((len(messages), shape(request.messages)))
        warned.append(request.report.warned)
        messages.append({"role": "assistant", "content": "noted"})
    assert shapes == [(2, "SU"), (4, "SUAU"), (6, "SUAUAU"), (8, "SAUS")]
    assert warned == [False, False, False, True]
    assert [reading.used_tokens for reading in gauge.readings] == [16, 29, 43, 56]
    assert {reading.window_tokens for reading in gauge.readings} == {256}
    assert [f"{reading.fraction:.0%}" for reading in gauge.readings] == ["6%", "11%", "17%", "22%"]
    assert not any(reading.resolved for reading in gauge.readings)
    assert request.report.compacted
    assert [str(action).partition(":")[0] for action in request.report.actions] == ["sliding_window"]
    note = request.messages[-1]["content"]  # type: ignore[index]
    assert note.startswith("CUCA context warning:" if markers == "seed" else "Note on the context window:")
    assert "22% " in note
    assert request.messages[2]["content"] == TURNS[-1]  # type: ignore[index]


def test_the_warning_is_given_once_however_the_host_goes_on() -> None:
    """S4.12, C20: whether the host goes on with its own list or with the one that it was given."""
    for adopts in (True, False):
        compactor = Compactor(config(Gauge()))
        messages: list[Any] = [{"role": "system", "content": "You are terse."}]
        warnings = 0
        for number in range(12):
            messages.append({"role": "user", "content": f"{TURNS[number % 3]} {number}"})
            request = compactor.on_request(messages)
            warnings += request.report.warned
            messages = list(request.messages) if adopts else messages
            messages.append({"role": "assistant", "content": "noted"})
        assert warnings == 1
