"""Made-up conversations for tests of compaction, as OpenAI Chat messages."""

from __future__ import annotations

from typing import Any

Chat = list[dict[str, Any]]


def chat(turns: int, *, words: int = 20, system: str = "You are terse.") -> Chat:
    """Returns a system message and `turns` pairs of a question and an answer of so many words each."""
    messages: Chat = [{"role": "system", "content": system}]
    for turn in range(turns):
        messages.append({"role": "user", "content": f"question {turn} " + "word " * words})
        messages.append({"role": "assistant", "content": f"answer {turn} " + "word " * words})
    return messages


def tool_loop(steps: int, *, lines: int = 60) -> Chat:
    """Returns one request of a user and `steps` calls of a tool with their results."""
    messages: Chat = [{"role": "system", "content": "You review code."}, {"role": "user", "content": "review this"}]
    for step in range(steps):
        call = {"id": f"k{step}", "type": "function", "function": {"name": "get", "arguments": f'{{"n": {step}}}'}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append(
            {"role": "tool", "tool_call_id": f"k{step}", "content": f"step {step} " + "line of output " * lines}
        )
    return messages


def contents(messages: list[Any]) -> list[str]:
    """Returns the texts of messages."""
    return [message["content"] for message in messages]
