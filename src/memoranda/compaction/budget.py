"""What a request may cost."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBudget:
    """The bound that a request must keep (S4.7, S4.8): a number of messages, or of tokens, or none.

    Attributes:
        messages: most messages; more than that is over.
        tokens: tokens from which on it is over.
        low_mark: tokens that compaction goes down to once it has begun, so that the next requests only add to the list
            and the provider's prompt cache holds. Below `tokens`.

    Raises:
        InvalidInput: both bounds are given, or one is below 1, or the low mark is not below `tokens`.
    """

    messages: int | None = None
    tokens: int | None = None
    low_mark: int | None = None

    def __post_init__(self) -> None:
        if self.messages is not None and self.tokens is not None:
            raise InvalidInput("a budget is a number of messages or of tokens, not both")
        for name, value in (("messages", self.messages), ("tokens", self.tokens)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise InvalidInput(f"`{name}` of a request's budget is {value!r}; it must be a whole number above 0")
        if self.low_mark is not None and not (self.tokens is not None and 0 <= self.low_mark < self.tokens):
            raise InvalidInput(f"`low_mark` is {self.low_mark!r}; it must be from 0 to below `tokens`")

    @property
    def is_unlimited(self) -> bool:
        """Whether there is no bound."""
        return self.messages is None and self.tokens is None

    def is_over(self, messages: int, tokens: int) -> bool:
        """Tells whether a request of that size must be compacted."""
        if self.messages is not None:
            return messages > self.messages
        return self.tokens is not None and tokens >= self.tokens

    def is_enough(self, messages: int, tokens: int) -> bool:
        """Tells whether compaction may stop at that size: under the budget, and at the low mark where there is one.

        Without a bound nothing is ever enough: every strategy does all that it can (S4.9).
        """
        if self.is_unlimited or self.is_over(messages, tokens):
            return False
        return self.low_mark is None or tokens <= self.low_mark
