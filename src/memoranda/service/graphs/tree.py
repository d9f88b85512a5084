"""A working graph drawn as trees of lines, for people: each node once, each relationship once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from memoranda.errors import InvalidGraph
from memoranda.graph.render import shown_name
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.records.graph import GraphNode, GraphRelationship, shortened
from memoranda.service.graphs.count import incident, most_connected
from memoranda.text.clamp import clamp_chars

DEPTH: Final = 6
"""Most relationships from a root to a node of its tree; what is further away has a tree of its own."""
_LONGEST: Final = 400
"""Most characters of an id, and of properties, in a line."""


class Guides(NamedTuple):
    """What is drawn before a line of a tree, by where it stands.

    Attributes:
        branch: before a line that has a sister below it.
        last: before one that has none.
        beside: before what hangs below the former.
        below: before what hangs below the latter.
    """

    branch: str
    last: str
    beside: str
    below: str


LINES: Final = Guides("├── ", "└── ", "│   ", "    ")
ASCII: Final = Guides("+-- ", "`-- ", "|   ", "    ")


class Drawing(NamedTuple):
    """Trees as lines, and how much of the graph is not among them."""

    lines: list[str]
    nodes_left_out: int
    relationships_left_out: int


@dataclass(slots=True)
class _Branch:
    """A line: a node, the relationship by which its parent leads to it, and what hangs below it.

    Attributes:
        has_place: whether the node has its place here; else it is only named, and stands elsewhere or nowhere.
    """

    id: str
    via: GraphRelationship | None = None
    has_place: bool = True
    below: list[_Branch] = field(default_factory=list)


def draw(snapshot: GraphSnapshot, *, root: str | None = None, limit: int = 200, guides: Guides = LINES) -> Drawing:
    """Returns a graph as trees of lines.

    A tree grows from its root along the relationships of either direction, nearest nodes first, each node's by id. A
    node that has its place elsewhere is only named where a further relationship leads to it.

    Args:
        snapshot: the graph.
        root: the node from which the one tree that is drawn grows; None for the most connected node, then for the most
            connected one of those that are left, until all are drawn.
        limit: most lines.
        guides: how the lines are joined.

    Raises:
        InvalidGraph: there is no node `root`.
    """
    nodes = {node.id: node for node in snapshot.nodes}
    if root is not None and root not in nodes:
        raise InvalidGraph(f"there is no node {shortened(root)} to begin with")
    of = incident(snapshot)
    forest = _Forest(of, limit)
    for start in most_connected(of) if root is None else [root]:
        forest.grow(start)
    lines = [line for tree in forest.trees for line in _lines(tree, nodes, forest.placed, guides)]
    return Drawing(lines, len(nodes) - len(forest.placed), len(snapshot.relationships) - len(forest.drawn))


class _Forest:
    """Grows trees until there are as many lines as there may be."""

    def __init__(self, incident: dict[str, list[GraphRelationship]], lines: int) -> None:
        self._incident = incident
        self._lines = lines
        self.trees: list[_Branch] = []
        self.placed: set[str] = set()
        self.drawn: set[str] = set()

    def grow(self, root: str) -> None:
        """Adds a tree, unless the root has its place or there is no line left."""
        if root in self.placed or self._lines <= 0:
            return
        waiting = deque([(self._put(_Branch(root), self.trees), 0)])
        while waiting:
            branch, depth = waiting.popleft()
            for each in self._incident[branch.id]:
                if each.id in self.drawn:
                    continue
                if self._lines <= 0:
                    return
                self.drawn.add(each.id)
                other = each.to if each.from_ == branch.id else each.from_
                is_new = other not in self.placed and depth < DEPTH
                child = self._put(_Branch(other, each, is_new), branch.below)
                if is_new:
                    waiting.append((child, depth + 1))

    def _put(self, branch: _Branch, among: list[_Branch]) -> _Branch:
        self._lines -= 1
        among.append(branch)
        if branch.has_place:
            self.placed.add(branch.id)
        return branch


def _lines(tree: _Branch, nodes: dict[str, GraphNode], placed: set[str], guides: Guides) -> Iterator[str]:
    yield _node(nodes[tree.id]) if tree.has_place else f"{_name(tree.id)} ({_whereabouts(tree, placed)})"
    for place, branch in enumerate(tree.below, 1):
        is_last = place == len(tree.below)
        first, *further = _lines(branch, nodes, placed, guides)
        yield f"{guides.last if is_last else guides.branch}{_arrow(branch, tree.id)} {first}"
        yield from (f"{guides.below if is_last else guides.beside}{line}" for line in further)


def _whereabouts(branch: _Branch, placed: set[str]) -> str:
    if branch.via is not None and branch.via.from_ == branch.via.to:
        return "itself"
    return "elsewhere" if branch.id in placed else "not shown"


def _arrow(branch: _Branch, parent: str) -> str:
    each = branch.via
    if each is None:
        return ""
    weight = "" if each.weight == 1 else f" {each.weight:g}"
    kind = f"[{shown_name(each.kind)}{weight}]"
    return f"-{kind}->" if each.from_ == parent else f"<-{kind}-"


def _node(node: GraphNode) -> str:
    labels = ", ".join(shown_name(label, listed=True) for label in node.labels)
    properties = "" if node.properties_json == "{}" else f" {clamp_chars(node.properties_json, _LONGEST, '…')}"
    return f"{_name(node.id)}{f' [{labels}]' if labels else ''}{properties}"


def _name(id: str) -> str:
    return clamp_chars(shown_name(id), _LONGEST, "…")
