"""Lines that a summary must hold, since what they name cannot be made up again once it is gone (case D02).

A summary of summaries generalises: "bucket zebra-archive" becomes "the bucket". So what cannot be inferred is found by
its form before a summarizer sees the messages: identifiers, paths, addresses, dates, and numbers that are more than a
count. Beside them stand the goal that the person began with, and tasks that are marked as open.

Only what persons and the assistant say is read. Results of tools are full of names that nobody asks for again; they
stay readable in the archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memoranda.records.message import Message, ResultPart, Role, TextPart
from memoranda.text.clamp import clamp_chars
from memoranda.text.sentences import sentences
from memoranda.text.time_words import MONTHS, SHORT_MONTHS

MAX_LINES: Final = 24
"""Most lines of what was named, beside the goal and open tasks. Beyond it the first and the last half stay: what was
named early is what a summary of summaries loses, and what was named last is what is worked on."""
MAX_TASKS: Final = 8
"""Most open tasks; the newest stay."""
MAX_LINE: Final = 160
"""Longest line, in characters."""
GOAL: Final = "Goal: "
"""What the line of the first goal begins with."""

_LINES_OF_A_MESSAGE: Final = 4  # one message, such as a pasted log, must not fill the list
_READ: Final = 20_000  # characters of a message that are read; what is longer is no sentence of a person's
_NEAR: Final = 60  # characters before a value that are shown of a sentence that is too long

_MONTH: Final = "(?i:" + "|".join(sorted({*MONTHS, *SHORT_MONTHS}, key=len, reverse=True)) + ")"
_VALUE: Final = re.compile(  # within a word
    r"https?://[^\s<>\"')\]]+"
    r"|[\w.+-]+@[\w-]+\.[\w.-]*\w"
    r"|(?<![\w/])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,}/?"  # a path from the root or from here
    r"|(?<![\w/.])(?:[\w.@+-]+/)+[\w@+-]*\.\w{1,8}\b"  # src/main.py
    # A name that holds a digit, has two parts, an ending or an inner capital: INC-4471, max_tokens, node.js, fooBar.
    r"|\b(?=[\w.:#-]*\d)(?=[\w.:#-]*[^\W\d_])[\w#]+(?:[.:#-]\w+)*"
    r"|\b[^\W\d_]\w*(?:[_-][^\W_]+)+\b"
    r"|\b[^\W\d_]\w+\.[a-z]{1,5}\b(?!\.\w)"
    r"|\b[A-Za-z]*[a-z][A-Z]\w*\b"
    r"|[$€£¥]\d[\d.,]*\d|[$€£¥]\d|\d[\d.,]*[%€£¥]"
    r"|\b\d{3,}(?:[.,:/-]\d+)*\b|\b\d+(?:[.,:/-]\d+)+\b"
)
_OF_SEVERAL_WORDS: Final = re.compile(
    r"(?<!\w)`[^`\n]{2,80}`"
    rf"|\b\d{{1,2}}\.? {_MONTH}\b\.?(?: \d{{4}}\b)?|\b{_MONTH}\.? \d{{1,2}}\b(?:,? \d{{4}}\b)?"
)
_WORD: Final = re.compile(r"\S+")
_SHORTEST_NAME: Final = 3  # characters; "q1" and "v2" name too little to be looked for
_LONGEST_NAME: Final = 200  # characters of a word; what is longer is data, and `_VALUE` takes the square of its length
_TASK: Final = re.compile(
    r"^\s*(?:[-*+]|\d+[.)])?\s*\[(?P<box>[ xX])\]\s+(?P<task>\S.*)$|^\W{0,4}(?P<todo>(?:TODO|FIXME)\b.*)$"
)


def goal_of(messages: Iterable[Message]) -> str:
    """Returns the line of the first goal: what a person said first; empty where nobody said anything."""
    for message in messages:
        if message.role is Role.USER and (said := " ".join(_said(message).split())):
            return GOAL + clamp_chars(said, MAX_LINE)
    return ""


def kept_lines(known: Sequence[str], summary: str, messages: Iterable[Message]) -> list[str]:
    """Returns the lines that the next summary must hold: the goal, open tasks, and what was named, in this order.

    Args:
        known: the lines that the summary so far had to hold and did not.
        summary: the summary so far; what it names must not be lost either.
        messages: what is to be summarized, oldest first.
    """
    told = list(messages)
    goal = next((line for line in known if line.startswith(GOAL)), "") or goal_of(told)
    others = [line for line in known if not line.startswith(GOAL)]
    texts = [summary, *map(_said, told)]
    tasks = _open_tasks([*others, *texts])
    return [*filter(None, [goal]), *tasks, *_named(others, texts, {value.casefold() for value in _values(goal)})]


def holds(text: str, line: str) -> bool:
    """Tells whether a text holds all that a line names; for one that names nothing, the line itself."""
    there = " ".join(text.split()).casefold()
    values = [value.casefold() for value in _values(line)]
    return all(value in there for value in values) if values else " ".join(line.split()).casefold() in there


def _said(message: Message) -> str:
    """Returns what a person or the assistant says in a message, without what tools gave."""
    if message.role not in (Role.USER, Role.ASSISTANT) or message.of_kind(ResultPart):
        return ""
    return "\n".join(part.text[:_READ] for part in message.of_kind(TextPart))


def _open_tasks(texts: Iterable[str]) -> list[str]:
    """Returns the lines of tasks that are marked as open and not marked as done later."""
    found: dict[str, str] = {}
    for line in (line for text in texts for line in text.splitlines()):
        match = _TASK.match(line)
        if match is None:
            continue
        task = " ".join((match["task"] or match["todo"]).split())
        found.pop(task.casefold(), None)
        if match["box"] not in ("x", "X"):
            found[task.casefold()] = clamp_chars(f"[ ] {task}" if match["task"] else task, MAX_LINE)
    return list(found.values())[-MAX_TASKS:]


def _named(known: Iterable[str], texts: Iterable[str], seen: set[str]) -> list[str]:
    """Returns the known lines, and one for each sentence that names something that was not seen before."""
    lines: dict[str, None] = {}
    for line in known:
        if _TASK.match(line) is None:
            seen.update(value.casefold() for value in _values(line))
            lines[line] = None
    for text in texts:
        for line in _new_lines(text, seen):
            lines[line] = None
    found = list(lines)
    return found if len(found) <= MAX_LINES else [*found[: MAX_LINES // 2], *found[-(MAX_LINES - MAX_LINES // 2) :]]


def _new_lines(text: str, seen: set[str]) -> list[str]:
    found: list[str] = []
    for sentence in sentences(text):
        new = [value for value in _values(sentence) if value.casefold() not in seen]
        if not new or _TASK.match(sentence):
            continue
        seen.update(value.casefold() for value in new)
        found.append(_around(" ".join(sentence.split()), new[0]))
        if len(found) == _LINES_OF_A_MESSAGE:
            break
    return found


def _values(text: str) -> list[str]:
    """Returns what a text names, the parts of names of several words before single words."""
    several = (match.group().strip("`") for match in _OF_SEVERAL_WORDS.finditer(text))
    words = (word for word in _WORD.findall(text) if _SHORTEST_NAME <= len(word) <= _LONGEST_NAME)
    single = (match.group() for word in words for match in _VALUE.finditer(word))
    return [value for value in dict.fromkeys([*several, *single]) if len(value) >= _SHORTEST_NAME]


def _around(sentence: str, value: str) -> str:
    """Returns a sentence, or where it is too long as much of it as fits around a value."""
    start = max(0, sentence.find(value) - _NEAR) if len(sentence) > MAX_LINE else 0
    if start > 0 and (blank := sentence.find(" ", start)) >= 0:
        start = min(blank + 1, max(start, sentence.find(value)))
    return clamp_chars(sentence[start:], MAX_LINE)
