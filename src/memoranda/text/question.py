"""What a text asks: the question in a long paste, and whether a text is a question at all."""

import re
from typing import Final

from memoranda.text.sentences import sentences

MAX_CHARS: Final = 512
"""Longer queries are cut to their question: an embedder sees about this much of one, and the rest blurs it."""

_READ_CHARS: Final = 16_384  # of each end of a paste: nobody hides the question in its middle
_AUXILIARY: Final = (
    "is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had"
    "|isn't|aren't|wasn't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|hasn't|haven't"
)
_MARKED: Final = re.compile(r"[?？؟][!！]*[\s\"'”’»」』）)\]*_]*$")
_MARKED_BY_PARTICLE: Final = re.compile("[吗嗎呢][。.!！~～…]*$")
_BEGINS_AS_QUESTION: Final = re.compile(
    # "When I was young" tells something, so most words need what a question puts after them.
    rf"(?:when|where|why|how|what|who|whom|which|whose)(?:'s|'re|'d|\s+(?:{_AUXILIARY}))\b"
    r"|how\s+(?:many|much|long|old|often|far|big|come)\b|(?:what|which)\s+(?:time|day|date|year|kind|sort|type|colou?r)\b"
    rf"|(?:{_AUXILIARY})\s+(?:i|you|he|she|it|we|they|there|this|that|my|your|anyone|somebody|someone)\b"
    r"|who\s+\w+(?:ed|es|s)\b"
    r"|(?:wer|wen|wem|wann|warum|wieso|weshalb|wohin|woher|welche[rsnm]?)\b"
    r"|(?:was|wo|wie)\s+(?:hei(?:ß|ss)en|kann|können|soll|wird|viele?|lange|oft|alt)\b"
    r"|(?:was|wo|wie)\s+(?:ist|sind|war|waren|hat|hatte|haben|hei(?:ß|ss)t)\b"
    r"|¿|(?:qué|quién(?:es)?|cuándo|dónde|adónde|cómo|cuál(?:es)?|cuánt[oa]s?|por\s+qué)\b"
    "|什么时候|为什么|為什麼|什么|甚麼|什麼|怎么|怎麼|怎样|如何|谁|誰|哪|何时|多少|几[点个時时岁]|是否|有没有|有沒有",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Tells whether a text asks: it ends with a question mark, or it begins as questions do.

    Beginnings are known for English, German, Spanish and Chinese. A text that asks tells little, so in a conversation
    the answer is worth more than the question; use it as a small prior only, since the beginning is a guess.
    """
    stripped = text.strip()
    tail = stripped[-40:]
    return bool(_MARKED.search(tail) or _MARKED_BY_PARTICLE.search(tail) or _BEGINS_AS_QUESTION.match(stripped))


def question_of(text: str, max_chars: int = MAX_CHARS) -> str:
    """Returns what a long text asks, in at most ``max_chars`` characters; a text that fits comes back as it is.

    That is the first and the last of its sentences with a question mark, one to a line; without any, the first and
    the last line, where people write what they want done with a paste. What is still too long keeps its end when it
    is a question or the last line, and its beginning when it is the first line. Of a very long text 16,384 characters
    of each end are read.

    Raises:
        ValueError: if ``max_chars`` is less than 1.
    """
    if max_chars < 1:
        raise ValueError(f"a question has 1 or more characters, not {max_chars}: pass how many the embedder can read")
    if len(text) <= max_chars:
        return text
    read = text if len(text) <= 2 * _READ_CHARS else f"{text[:_READ_CHARS]}\n{text[-_READ_CHARS:]}"
    asked = [sentence for sentence in sentences(read) if _MARKED.search(sentence[-40:])]
    if len(asked) > 1 and asked[0] != asked[-1]:
        half = (max_chars - 1) // 2
        return f"{_end(asked[0], half)}\n{_end(asked[-1], max_chars - 1 - half)}".strip()
    if asked:
        return _end(asked[-1], max_chars)
    lines = [line.strip() for line in read.splitlines() if line.strip()] or [read.strip()]
    if len(lines) == 1:
        return _beginning(lines[0], max_chars)
    half = (max_chars - 1) // 2
    return f"{_beginning(lines[0], half)}\n{_end(lines[-1], max_chars - 1 - half)}".strip()


def _beginning(text: str, limit: int) -> str:
    """Returns the beginning of a text, up to a blank where there is one in its second half."""
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", limit // 2, limit + 1)
    return text[: cut if cut > 0 else limit].rstrip()


def _end(text: str, limit: int) -> str:
    """Returns the end of a text, from a blank where there is one in its first half."""
    if len(text) <= limit:
        return text
    start = len(text) - limit
    blank = text.find(" ", start, start + limit // 2)
    return text[blank if blank >= 0 else start :].lstrip()
