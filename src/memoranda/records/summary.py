"""What a summarizer is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """One call of a summarizer.

    Attributes:
        messages: the messages to summarize as lines of text, oldest first; media are named, never included.
        previous: the summary so far, which the new one takes the place of; empty for none.
        must_keep: lines whose content the summary must hold: the first goal, open tasks, names and numbers.
        max_characters: longest summary that is taken.
    """

    messages: tuple[str, ...]
    previous: str = ""
    must_keep: tuple[str, ...] = ()
    max_characters: int = 8_000

    @property
    def prompt(self) -> str:
        """The request as one text for a model."""
        asked = [
            "Summarize the conversation below for the assistant that goes on with it.",
            f"At most {self.max_characters} characters. Say who wanted what, what was done and found, what is open.",
            "Keep names, numbers, paths and identifiers exactly. Write nothing that is not below.",
        ]
        if self.must_keep:
            asked += ["", "These must be in it:", *(f"- {line}" for line in self.must_keep)]
        if self.previous:
            asked += ["", "Summary so far, which yours takes the place of:", self.previous]
        return "\n".join([*asked, "", "Conversation:", *self.messages])
