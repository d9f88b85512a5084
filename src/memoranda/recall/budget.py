"""Filling a text line by line within a budget."""

from __future__ import annotations

from memoranda.records.budget import Budget, TokenCounter
from memoranda.text.tokens import estimated_tokens


class Filling:
    """A text that grows by whole lines and never beyond its budget (case R04, design D11).

    What stands above the first line is counted, but not before there is a line: a heading alone is worth nothing.

    Args:
        head: what stands above the first line.
        budget: what the whole may cost.
        count_tokens: how tokens are counted; None for `estimated_tokens`.
    """

    def __init__(self, head: str, budget: Budget, count_tokens: TokenCounter | None = None) -> None:
        self._text = head
        self._budget = budget
        self._count_tokens = count_tokens or estimated_tokens
        self._lines = 0
        self._tokens: int | None = None

    @property
    def text(self) -> str:
        """The text so far; empty without a line."""
        return self._text if self._lines else ""

    @property
    def tokens(self) -> int:
        """How many tokens the text has; 0 without a line."""
        if self._tokens is None:
            self._tokens = self._count_tokens(self.text) if self._lines else 0
        return self._tokens

    def add(self, line: str) -> str | None:
        """Adds a line, which may hold line feeds, if it fits; else returns why it does not and changes nothing."""
        budget = self._budget
        if budget.entries is not None and self._lines >= budget.entries:
            return f"over the budget of {budget.entries} entries"
        longer = f"{self._text}\n{line}" if self._text else line
        size = len(longer.encode())
        if size > budget.bytes:
            return f"over the budget of {budget.bytes} bytes: the block would have {size}"
        tokens = None if budget.tokens is None else self._count_tokens(longer)
        if tokens is not None and budget.tokens is not None and tokens > budget.tokens:
            return f"over the budget of {budget.tokens} tokens: the block would have {tokens}"
        self._text, self._tokens = longer, tokens
        self._lines += 1
        return None
