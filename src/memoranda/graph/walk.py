"""Walks along the relationships of a graph. Each visits a node once, so cycles end (S4.36)."""

from __future__ import annotations

from collections.abc import Iterable

from memoranda.graph.content import Content
from memoranda.records.graph import GraphDirection


def neighbors(content: Content, id: str, direction: GraphDirection) -> set[str]:
    """Returns the ids of the nodes that a node relates to or is related to; its own where it relates to itself."""
    found: set[str] = set()
    if direction is not GraphDirection.INCOMING:
        found.update(each.to for each in content.outgoing.get(id, {}).values())
    if direction is not GraphDirection.OUTGOING:
        found.update(each.from_ for each in content.incoming.get(id, {}).values())
    return found


def levels(content: Content, starts: Iterable[str], depth: int, direction: GraphDirection) -> list[list[str]]:
    """Returns the ids that are 0, 1, ... up to `depth` steps away from the starts, each level sorted.

    Starts that are not there are left out; the answer ends with the last level that has a node.
    """
    level = sorted({id for id in starts if id in content.nodes})
    seen = set(level)
    found = []
    while level:
        found.append(level)
        if len(found) > depth:
            break
        further = {other for id in level for other in neighbors(content, id, direction)} - seen
        seen |= further
        level = sorted(further)
    return found


def reaches(content: Content, start: str, end: str) -> bool:
    """Tells whether a path of outgoing relationships leads from one node to another; a node reaches itself."""
    if start not in content.nodes or end not in content.nodes:
        return False
    seen, waiting = {start}, [start]
    while waiting:
        id = waiting.pop()
        if id == end:
            return True
        further = neighbors(content, id, GraphDirection.OUTGOING) - seen
        seen |= further
        waiting.extend(further)
    return False
