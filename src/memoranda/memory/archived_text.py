"""A span as an archive keeps it: its document, and passages of its text for recall."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memoranda.curation.archive import Candidate, span_key
from memoranda.errors import InvalidInput, InvalidMessages
from memoranda.memory.context import Context
from memoranda.memory.masking import Masking
from memoranda.messages.formats import detect, write_one
from memoranda.messages.readable import readable
from memoranda.records.archived import ArchivedSpan
from memoranda.records.check import check_entry
from memoranda.records.document import Document
from memoranda.records.entry import Category, JsonValue, MemoryEntry, Origin
from memoranda.records.message import Message, ResultPart, Role, WireFormat
from memoranda.records.session import SessionKey
from memoranda.records.span import Span

SOURCE: Final = "archive/"
"""What stands before the handle in the `source` of an entry."""
MAX_PASSAGE: Final = 4_000
"""Longest passage, in characters: about a page, so that a hit shows what was found and not all that stood around it."""
MAX_PASSAGES: Final = 64
"""Most passages of one span that recall finds; the rest of its text is read with `expand`."""

_ORIGINS: Final = {
    Role.SYSTEM: Origin.HOST,
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.MODEL,
    Role.TOOL: Origin.TOOL,
    Role.OPAQUE: Origin.TOOL,
}
_BREAK: Final = re.compile(r"\n|[.!?…](?=\s)|[。！？]")
# Base64 of a picture or a file: masking would take long and find nothing, since no secret is part of a longer word.
_DATA: Final = re.compile(r"(?:data:[\w/+.;=-]{1,200},)?[A-Za-z0-9+/=]{4096,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the spans of an archive stand.

    Attributes:
        session: the conversation.
        format: the wire format in which parts of messages are written; None to tell it by the message.
        max_characters: longest span that is taken, as it is kept.
    """

    session: SessionKey
    format: WireFormat | None
    max_characters: int

    @property
    def tag(self) -> str:
        """The tag of the session's entries. It is of letters only, so that it is one word, which no query holds."""
        digest = hashlib.sha256(self.session.path.encode()).digest()
        return "".join(chr(ord("a") + byte % 26) for byte in digest[:16])


def prepared(context: Context, place: Place, spans: Sequence[Span]) -> list[Candidate]:
    """Returns spans as they are kept, with secrets masked.

    Raises:
        InvalidInput: a span is larger than the archive takes, or cannot be written as JSON.
    """
    return [_prepared(context, place, span) for span in spans]


def read(document: Document) -> ArchivedSpan:
    """Returns the span of a document."""
    body = json.loads(document.body)
    return ArchivedSpan(
        handle=document.key.name, role=body["role"], text=body["text"], wire=body["wire"], at=document.at
    )


def passages(text: str) -> Iterator[str]:
    """Yields a text in passages of at most `MAX_PASSAGE` characters, cut where a line or sentence ends if it can be."""
    start = 0
    while start < len(text):
        end = start + MAX_PASSAGE
        if end < len(text):
            breaks = [match.end() for match in _BREAK.finditer(text, start + MAX_PASSAGE // 2, end)]
            blank = text.rfind(" ", start + MAX_PASSAGE // 2, end)
            end = breaks[-1] if breaks else blank + 1 if blank >= 0 else end
        if passage := text[start:end].strip():
            yield passage
        start = end


def _prepared(context: Context, place: Place, span: Span) -> Candidate:
    masking = Masking(context.settings.redact)
    message, now = span.message, context.clock.now()
    said = readable(message)
    text = masking.text(said)
    # Most messages are one text, which need not be searched for secrets twice: that is most of the work.
    wire = _masked(masking, _wire(message, place.format), {said: text})
    body = _body({"role": message.role.value, "fate": span.fate.value, "text": text, "wire": wire}, span.handle)
    if len(body) > place.max_characters:
        raise InvalidInput(
            f"the span {span.handle} has {len(body):,} characters as it is kept; the archive takes at most "
            f"{place.max_characters:,}, and nothing of the batch was kept: raise `max_entry_characters`, or shorten "
            "what tools give"
        )
    # A summary of ours says in other words what is archived already; recall must not find it as what a person said.
    found = list(passages(text))[:MAX_PASSAGES] if span.index is not None else []
    entries = tuple(_entry(context, place, masking, span, passage) for passage in found)
    key = span_key(place.session.path, span.handle)
    document = Document(key=key, body=body, at=now, entries=tuple(entry.id for entry in entries))
    return Candidate(document=document, entries=entries)


def _body(values: Mapping[str, JsonValue], handle: str) -> str:
    try:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"the span {handle} cannot be written as JSON: {error}; nothing of the batch was kept"
        ) from error


def _entry(context: Context, place: Place, masking: Masking, span: Span, passage: str) -> MemoryEntry:
    message = span.message
    # Results of tools travel in users' and assistants' messages, too (case P08).
    told = bool(message.of_kind(ResultPart))
    role = Role.TOOL if told else message.role
    # A speaker called `user` counts for recall of a chat, where what was asked for stands in the user's own words. Of
    # an archive the answer is wanted, whoever gave it.
    speaker = place.session.agent if role is Role.ASSISTANT else ""
    entry = MemoryEntry(
        Category.EPISODE,
        passage,
        id=context.ids.new(),
        created_at=context.clock.now(),
        tags=(place.tag,),
        origin=Origin.TOOL if told else _ORIGINS[message.role],
        source=f"{SOURCE}{span.handle}",
        speaker=masking.name(speaker) if speaker else None,
        session=masking.name(place.session.id),
        position=span.index,
        metadata={"role": role.value},
    )
    check_entry(entry)
    return entry


def _wire(message: Message, format: WireFormat | None) -> JsonValue:
    """Returns the wire object of a message; None where no one object of its format can hold what it is."""
    try:
        known = format or (detect([message.wire]) if message.wire is not None else WireFormat.CHAT)
        return write_one(replace(message, given=None), known)  # type: ignore[return-value]  # checked when it is written
    except InvalidMessages:
        return None


def _masked(masking: Masking, value: JsonValue, known: Mapping[str, str]) -> JsonValue:
    if isinstance(value, str):
        return value if _DATA.fullmatch(value) else known[value] if value in known else masking.text(value)
    if isinstance(value, Mapping):
        return {masking.text(name): _masked(masking, inner, known) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(masking, inner, known) for inner in value]
    return value
