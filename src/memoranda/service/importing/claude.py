"""Reads the data export of Claude: `conversations.json`, or one conversation of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from memoranda.errors import InvalidMessages
from memoranda.messages.formats import read_one
from memoranda.records.message import WireFormat
from memoranda.service.importing.conversation import Conversation, Placed
from memoranda.service.importing.item import ImportItem, Skipped, file_name, text_field
from memoranda.service.importing.json_values import read_values
from memoranda.service.importing.times import read_time

_ROLES: Final = {"human": "user", "assistant": "assistant"}
_ROOT: Final = "00000000-0000-4000-8000-000000000000"
"""What the export names as the parent of a conversation's first message."""

_Record = Mapping[str, object]


def parse(data: str, *, name: str) -> Iterator[ImportItem | Skipped]:
    """Yields the records of each conversation, as `Conversation.read` makes them.

    A message says its parent; an edited question or a regenerated answer starts a new branch. The branch of the
    conversation's current leaf is read, or that of its last message; one `Skipped` says how many messages stand on
    others. Where messages name no parent, as in older exports, all are read in their order.

    Each record has the conversation's id as session, its name as `title` in the metadata, and the source
    `conversations.json#<message id>`. Of attachments and files the names are kept (`other_parts`), not their content.
    """
    name, positions = file_name(name), dict[str, int]()
    for number, value in enumerate(read_values(data), 1):
        if isinstance(value, Skipped):
            yield value
        elif isinstance(value, dict) and isinstance(value.get("chat_messages"), list):
            yield from _conversation(value, name, number, positions)
        else:
            reason = "has no `chat_messages`; a conversation of a Claude export has them"
            yield Skipped(f"conversation {number}", reason)


def _conversation(record: _Record, name: str, number: int, positions: dict[str, int]) -> Iterator[ImportItem | Skipped]:
    session = text_field(record, "uuid") or f"{name}#{number}"
    title = text_field(record, "name")
    given = record["chat_messages"]
    messages = given if isinstance(given, list) else []
    branch = _branch(
        [one for one in messages if isinstance(one, dict)], text_field(record, "current_leaf_message_uuid")
    )
    on_branch = {id(one) for one in branch}
    placed = list[Placed]()
    for place, message in enumerate(messages, 1):
        if isinstance(message, dict) and id(message) not in on_branch:
            continue
        where = f"conversation {session}, message {place}"
        try:
            placed.append(_placed(message, where, f"{name}#{number}.{place}", name))
        except (ValueError, InvalidMessages) as error:
            yield Skipped(where, str(error))
    first = positions.get(session, 0)
    conversation = Conversation(session, placed, metadata={"title": title} if title else None, first=first)
    yield from conversation.read()
    positions[session] = conversation.position
    others = sum(isinstance(one, dict) for one in messages) - len(branch)
    if others:
        reason = f"{others} messages stand on other branches (edited or regenerated); the current branch is imported"
        yield Skipped(f"conversation {session}", reason)


def _branch(messages: list[_Record], leaf: str | None) -> list[_Record]:
    """Returns the messages from the first one to the leaf; all of them where the parents do not say which those are."""
    by_id = {uuid: one for one in messages if (uuid := text_field(one, "uuid"))}
    current = by_id.get(leaf) if leaf else None
    current = current or (messages[-1] if messages else None)
    branch = dict[int, _Record]()
    while current is not None and id(current) not in branch:
        branch[id(current)] = current
        parent = text_field(current, "parent_message_uuid")
        if parent == _ROOT:
            return list(branch.values())[::-1]
        current = by_id.get(parent) if parent else None
    return messages


def _placed(message: object, where: str, place: str, name: str) -> Placed:
    """Reads one message.

    Raises:
        ValueError: it is no message of an export.
        InvalidMessages: its content cannot be read.
    """
    if not isinstance(message, dict):
        raise ValueError("the message is not a JSON object")
    sender = message.get("sender")
    role = _ROLES.get(sender) if isinstance(sender, str) else None
    if role is None:
        raise ValueError(f"the sender {sender!r} is not known; it is human or assistant")
    content, text = message.get("content"), message.get("text")
    # `text` repeats the blocks, with a remark in place of those that are no text; it is all that older exports have.
    said = content if isinstance(content, list) and content else text
    view = read_one({"role": role, "content": said}, WireFormat.ANTHROPIC)
    uuid = text_field(message, "uuid")
    return Placed(
        message=view,
        where=where,
        source=f"{name}#{uuid}" if uuid else place,
        at=read_time(message.get("created_at"), "created_at"),
        others=tuple(dict.fromkeys(_sent_along(message))),
    )


def _sent_along(message: _Record) -> Iterator[str]:
    for field, kind in (("attachments", "attachment"), ("files", "file")):
        files = message.get(field)
        for file in files if isinstance(files, list) else ():
            named = text_field(file, "file_name") if isinstance(file, dict) else None
            yield f"{kind} {named}"[:100] if named else kind
