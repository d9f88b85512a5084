"""Reads the data export of ChatGPT: `conversations.json`, or one conversation of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memoranda.records.entry import JsonValue
from memoranda.service.importing.chatgpt_message import Said, read_message
from memoranda.service.importing.item import ImportItem, Skipped, checked, file_name, text_field
from memoranda.service.importing.json_values import read_values

_Node = Mapping[str, object]
_Nodes = Mapping[str, _Node]


def parse(data: str, *, name: str) -> Iterator[ImportItem | Skipped]:
    """Yields one `episode` for each message of the user and the assistant, conversation by conversation.

    A conversation is a tree of nodes (`mapping`): an edited question or a regenerated answer starts a new branch.
    The current branch is read, from `current_node` up to the root; without a known `current_node`, the branch that
    ends in the newest message. Other branches are not what the conversation came to, and are not imported; one
    `Skipped` for each conversation says how many messages stand there.

    Which messages count as said is told in `read_message`. Each has speaker (`user`, `assistant`), session (the
    conversation's id, else the file's name and the conversation's number), position (from 0, of the messages
    imported), time, source (`conversations.json#<message id>`) and, in the metadata, the conversation's `title`
    and the kinds of its parts that are no text (`other_parts`).
    """
    name, positions = file_name(name), dict[str, int]()
    for number, value in enumerate(read_values(data), 1):
        if isinstance(value, Skipped):
            yield value
        elif isinstance(value, dict) and isinstance(value.get("mapping"), dict):
            yield from _Conversation(value, name, number).read(positions)
        else:
            yield Skipped(f"conversation {number}", "has no `mapping`; a conversation of a ChatGPT export has one")


class _Conversation:
    """One conversation of the file: its tree, and what each item of it shares."""

    def __init__(self, record: Mapping[str, object], name: str, number: int) -> None:
        mapping = record["mapping"]
        self.name = name
        self.session = text_field(record, "conversation_id") or text_field(record, "id") or f"{name}#{number}"
        self.title = text_field(record, "title")
        self.current = text_field(record, "current_node")
        self.nodes: _Nodes = {}
        self.broken: list[str] = []
        if isinstance(mapping, dict):
            self.nodes = {key: node for key, node in mapping.items() if isinstance(node, dict)}
            self.broken = [key for key in mapping if key not in self.nodes]

    def read(self, positions: dict[str, int]) -> Iterator[ImportItem | Skipped]:
        """Yields the messages of the current branch, then what was left out; counts `positions` on."""
        for key in self.broken:
            yield Skipped(self._where(key), "the node is not a JSON object")
        branch = _branch(self.nodes, self.current)
        for key in branch.keys:
            found = self._message(key, positions.get(self.session, 0))
            if isinstance(found, ImportItem):
                positions[self.session] = positions.get(self.session, 0) + 1
            if found is not None:
                yield found
        if branch.problem:
            yield Skipped(f"conversation {self.session}", branch.problem)
        others = sum(self._message(key, 0) is not None for key in self.nodes.keys() - set(branch.keys))
        if others:
            yield Skipped(
                f"conversation {self.session}",
                f"{others} messages stand on other branches (edited or regenerated); the current branch is imported",
            )

    def _message(self, key: str, position: int) -> ImportItem | Skipped | None:
        message = self.nodes[key].get("message")
        if message is None:
            return None
        if not isinstance(message, dict):
            return Skipped(self._where(key), "the message is not a JSON object")
        id = text_field(message, "id") or key
        try:
            said = read_message(message)
        except ValueError as error:
            return Skipped(self._where(id), str(error))
        return None if said is None else checked(self._item(said, id, position), self._where(id))

    def _item(self, said: Said, id: str, position: int) -> ImportItem:
        metadata: dict[str, JsonValue] = {"title": self.title} if self.title else {}
        if said.other_parts:
            metadata["other_parts"] = list(said.other_parts)
        return ImportItem(
            said.text,
            speaker=said.speaker,
            session=self.session,
            position=position,
            occurred_at=said.at,
            source=f"{self.name}#{id}",
            metadata=metadata or None,
        )

    def _where(self, id: str) -> str:
        return f"conversation {self.session}, message {id}"


@dataclass(frozen=True, slots=True)
class _Branch:
    keys: list[str]
    problem: str | None = None


def _branch(nodes: _Nodes, current: str | None) -> _Branch:
    """Returns the keys from the root to the current node.

    A node whose `parent` is not in the tree stands under the node that names it among its `children`.
    """
    parents = {child: key for key, node in nodes.items() for child in _children(node)}
    key = current if current in nodes else _newest_leaf(nodes)
    keys = dict[str, None]()
    while key is not None:
        if key in keys:
            return _Branch(list(keys)[::-1], f"node {key} stands above itself; the tree is followed no further up")
        keys[key] = None
        named = nodes[key].get("parent")
        key = named if isinstance(named, str) and named in nodes else parents.get(key)
        if key is None and named is not None:
            return _Branch(list(keys)[::-1], f"node {named} is missing; what was said before it is not in the file")
    problem = "no current message can be told" if nodes and not keys else None
    return _Branch(list(keys)[::-1], problem)


def _newest_leaf(nodes: _Nodes) -> str | None:
    """Returns the leaf with the newest message; of equal ones, the last in the file."""
    newest: tuple[float, str] | None = None
    for key, node in nodes.items():
        if any(child in nodes for child in _children(node)):
            continue
        message = node.get("message")
        at = message.get("create_time") if isinstance(message, dict) else None
        when = float(at) if isinstance(at, int | float) and abs(at) < 1e12 else float("-inf")
        if newest is None or when >= newest[0]:
            newest = (when, key)
    return newest[1] if newest else None


def _children(node: _Node) -> list[str]:
    children = node.get("children")
    return [child for child in children if isinstance(child, str)] if isinstance(children, list) else []
