"""An error text never becomes a summary."""

from __future__ import annotations

import pytest

from memoranda.compaction import CompactionConfig, Compactor, Summarize
from memoranda.compaction.error_text import is_error_text
from memoranda.testing import ScriptedSummarizer
from tests.compaction.chats import chat

ERRORS = [
    "Error: 429 rate limit exceeded",
    "error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error'}}",
    "openai.RateLimitError: Error code: 429 - Rate limit reached for gpt-4o",
    "API Error (500): Internal server error",
    "[Error generating summary: connection refused]",
    "An error occurred while summarizing the conversation.",
    "Failed to generate a summary: the request timed out.",
    "Summary unavailable",
    "Traceback (most recent call last):\n  File 'x.py', line 1\nTimeoutError",
    "429 Too Many Requests",
    "HTTP/1.1 503 Service Unavailable",
    "Rate limit exceeded, please try again in 20s.",
    "Request timed out.",
    "Internal Server Error",
    '{"error": {"message": "Overloaded", "type": "server_error"}}',
    '```json\n{"type": "error", "request_id": null}\n```',
    "<html><head><title>502 Bad Gateway</title></head><body>" + "<hr>" * 500 + "</body></html>",
    "<error>the model is not available</error>",
]
SUMMARIES = [
    "Ana asked why db-9 answers with error 500; it was out of memory.",
    "The user wants the rate limit of the gateway raised to 429 requests a minute.",
    "An error occurred in the deploy of db-9 on 3 May; Ana had it rolled back.",
    "Error handling was moved to src/errors.py. Open: tests for it.",
    "Errors in the log were traced to db-9.",
    "Request 48213 timed out on db-9 and waits in pending-2.",
    "Connection pooling was set up by Ana.",
    "Internal server errors on db-9 began after the update; Ana will roll it back.",
    "500 orders were packed, 429 of them on db-7.",
    "Service accounts were renamed.",
    "Ana fixed error 500 of db-9.",
    "The server error 502 of the gateway came from db-9.",
    "Failed tests: test_cost.py, test_lead.py. Ana wants both repaired.",
    "Goal: repair the import. Error: `KeyError` in read.py, line 40, is still open.",
    '{"goal": "repair the import", "open": ["tests"]}',
    "The context window was reached twice, so the log was cut.",
]


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_is_told_by_how_it_begins(text: str) -> None:
    assert is_error_text(text)


@pytest.mark.parametrize("text", SUMMARIES)
def test_a_summary_may_speak_of_errors(text: str) -> None:
    assert not is_error_text(text)


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_text_never_becomes_a_summary(text: str) -> None:
    """S4.31, case B10: the list stays as it was, and the report says why."""
    messages = chat(8, words=200)
    compactor = Compactor(CompactionConfig(strategies=[Summarize(turns=8)]), summarizer=ScriptedSummarizer(text))
    request = compactor.compress(messages)
    assert request.messages == messages
    assert "the text of an error" in (request.report.last_error or "")
