from __future__ import annotations

import json

import pytest

from memoranda.compaction import CompactionConfig, default_strategies
from memoranda.errors import InvalidInput
from memoranda.service.compacting import compact, strategies_named
from memoranda.service.transcripts import Transcript, read_transcript


def transcript(**more: object) -> Transcript:
    rows = [{"role": "system", "content": "Be kind."}]
    for number in range(12):
        rows += [
            {"role": "user", "content": f"What of order {48200 + number % 3}? " + "It is late. " * 20},
            {"role": "assistant", "content": f"Order {48200 + number % 3} waits. " + "Be patient. " * 20},
        ]
    rows.append({"role": "user", "content": "And order 48200?"})
    return read_transcript(json.dumps({"messages": rows, **more}), "a.json", "chat")


def config(tokens: int) -> CompactionConfig:
    return CompactionConfig(max_fraction=None, max_tokens=tokens, low_fraction=1.0)


def test_what_must_stay_and_what_became_of_references_is_told() -> None:
    """S4.18, S4.19."""
    done = compact(transcript(), config(300))
    assert done.report.tokens_after <= 300 < done.report.tokens_before
    assert [(one.number, one.role) for one in done.pinned] == [(1, "system"), (26, "user")]
    assert done.fidelity.references == done.fidelity.visible + done.fidelity.gone > 0
    lines = done.lines()
    assert any(line.startswith("  must stay: 1 (system, ") for line in lines)
    assert f"refer to: {done.fidelity.references}, " in lines[-1]
    assert done.to_json()["fidelity"] == done.fidelity.to_json()
    assert "48200" not in json.dumps(done.to_json())


def test_what_stands_beside_the_messages_is_counted() -> None:
    bare = compact(transcript(), config(100_000)).report.tokens_before
    with_tools = compact(transcript(tools=[{"type": "function", "function": {"name": "look"}}]), config(100_000))
    assert with_tools.report.tokens_before > bare


def test_strategies_have_names() -> None:
    known = [one.name for one in default_strategies() if one.name not in ("offload", "summarize")]
    assert [one.name for one in strategies_named(known)] == known
    assert [one.name for one in strategies_named(["drop-turns", " clear_tool_results", "drop_turns"])] == [
        "drop_turns",
        "clear_tool_results",
    ]
    for name in ("forget", "offload", "summarize"):
        with pytest.raises(InvalidInput, match=f"'{name}'; choose from deduplicate_file_reads, "):
            strategies_named([name])
