"""What compaction did, and why."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.compaction.budget import RequestBudget
from memoranda.records.entry import JsonValue
from memoranda.records.span import Fate, Span
from memoranda.records.usage import ContextUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionAction:
    """One step that changed the request.

    Attributes:
        strategy: the name of the strategy.
        messages: how many messages left.
        parts: how many parts of messages were cleared or clamped.
        tokens: tokens that it saved.
    """

    strategy: str
    messages: int
    parts: int
    tokens: int

    def __str__(self) -> str:
        done = [f"{count} {what}{'s' if count > 1 else ''}" for count, what in self._counts() if count]
        return f"{self.strategy}: {' and '.join(done) or 'list'} shortened by {self.tokens:,} tokens"

    def _counts(self) -> tuple[tuple[int, str], tuple[int, str]]:
        return ((self.messages, "message"), (self.parts, "part"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionReport:
    """What became of one request (S4.18).

    Tokens are those of the whole request: of its messages, and of a system prompt and tools that go beside them.

    Attributes:
        usage: the size that observers were told; None for `compress`, which is no request.
        budget: the bound that the request had to keep.
        tokens_before: tokens before compaction, the warning included, and without what earlier requests took.
        tokens_after: tokens of what is returned, injected context included.
        messages_before: messages before compaction, likewise.
        messages_after: messages of what is returned.
        actions: what was done, in order; a strategy that acted in several passes is there several times.
        taken: what this request no longer shows whole and the one before did, with handles. What earlier requests took
            stays taken, and stands in their reports.
        archived: whether those handles can be expanded.
        passes: how often the strategies were gone through.
        warned: whether this request got the warning that the window is nearly full.
        last_error: what went wrong last; the strategies after it went on. None when nothing did.
        repairs: what was wrong with the list that came in, and was mended.
        unmet: why the request is still over its budget; empty when it is not.
        prefix_tokens: tokens at the beginning that are the same as in the request before: what a provider's prompt
            cache still holds.
        counted_tokens: tokens that had to be counted for it; what was there before is not counted again.
        counter: what counted them.
    """

    usage: ContextUsage | None
    budget: RequestBudget
    tokens_before: int
    tokens_after: int
    messages_before: int
    messages_after: int
    actions: tuple[CompressionAction, ...] = ()
    taken: tuple[Span, ...] = ()
    archived: bool = False
    passes: int = 0
    warned: bool = False
    last_error: str | None = None
    repairs: tuple[str, ...] = ()
    unmet: str = ""
    prefix_tokens: int = 0
    counted_tokens: int = 0
    counter: str = ""

    @property
    def compacted(self) -> bool:
        """Whether something was taken."""
        return bool(self.actions)

    def lines(self) -> list[str]:
        """Returns the report in words, a line each."""
        said = [
            (
                f"{self.tokens_before:,} tokens in {self.messages_before} messages, now {self.tokens_after:,} in "
                f"{self.messages_after} (counted by {self.counter})"
            )
        ]
        said += [f"  {action}" for action in self.actions]
        said += [f"  mended: {note}" for note in self.repairs]
        said += ["  warned that the window is nearly full"] if self.warned else []
        said += [f"  failed: {self.last_error}"] if self.last_error else []
        said += [f"  still over the budget: {self.unmet}"] if self.unmet else []
        return said

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report as a JSON object; of what was taken, handles and sizes, never texts."""
        return {
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "messages_before": self.messages_before,
            "messages_after": self.messages_after,
            "budget": {
                "messages": self.budget.messages,
                "tokens": self.budget.tokens,
                "low_mark": self.budget.low_mark,
            },
            "used_tokens": self.usage.used_tokens if self.usage else None,
            "window_tokens": self.usage.window_tokens if self.usage else None,
            "actions": [str(action) for action in self.actions],
            "taken": [_span_to_json(span) for span in self.taken],
            "archived": self.archived,
            "passes": self.passes,
            "warned": self.warned,
            "last_error": self.last_error,
            "repairs": list(self.repairs),
            "unmet": self.unmet,
            "prefix_tokens": self.prefix_tokens,
            "counted_tokens": self.counted_tokens,
            "counter": self.counter,
        }


@dataclass(frozen=True, slots=True)
class Compacted:
    """A request that was made to fit, and what that took.

    Attributes:
        messages: the list to send, in the format that came in. Messages that nothing was done to are the host's own
            objects.
        report: what was done.
    """

    messages: list[object]
    report: CompressionReport


def action_of(strategy: str, taken: tuple[Span, ...], saved: int) -> CompressionAction:
    """Returns what one step did, from the spans that it took."""
    gone = sum(span.fate in {Fate.DROPPED, Fate.OFFLOADED, Fate.SUMMARIZED} for span in taken)
    return CompressionAction(strategy=strategy, messages=gone, parts=len(taken) - gone, tokens=saved)


def _span_to_json(span: Span) -> JsonValue:
    return {
        "handle": span.handle,
        "index": span.index,
        "role": span.message.role.value,
        "fate": span.fate.value,
        "tokens": span.tokens,
        "by": span.by,
    }
