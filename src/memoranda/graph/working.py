"""The working graph: the nodes and relationships of the task at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Final, Self, cast

from memoranda.errors import CapacityReached, InvalidGraph
from memoranda.graph import walk
from memoranda.graph.checks import check_ends, check_turn, content_of, direction_of, policy_of
from memoranda.graph.choose import chosen
from memoranda.graph.content import Content
from memoranda.graph.merge import Incoming, MergeReport, planned
from memoranda.graph.render import render_graph
from memoranda.graph.snapshot import GraphImportReport, GraphSnapshot
from memoranda.records.entry import JsonValue
from memoranda.records.graph import (
    GraphContextConfig,
    GraphDirection,
    GraphNode,
    GraphRelationship,
    MergePolicy,
    check_bound,
)

MAX_NODES: Final = 10_000
"""Most nodes of a graph, by default (C23)."""
MAX_RELATIONSHIPS: Final = 50_000
"""Most relationships of a graph, by default (C23)."""


class WorkingGraph:
    """Nodes, and directed weighted relationships between them (S4.32).

    Each call is carried out whole or not at all, under one lock, so threads and tasks may share a graph: whoever reads
    sees it before or after a change, never between (S4.39). What a call returns is the caller's own.

    Args:
        max_nodes: most nodes; None for no bound.
        max_relationships: most relationships; None for no bound. What would pass a bound is refused whole.

    Raises:
        InvalidGraph: a bound that is no whole number.
    """

    def __init__(self, *, max_nodes: int | None = MAX_NODES, max_relationships: int | None = MAX_RELATIONSHIPS) -> None:
        for bound, name in ((max_nodes, "max_nodes"), (max_relationships, "max_relationships")):
            if bound is not None:
                check_bound(bound, name)
        self._max_nodes = max_nodes
        self._max_relationships = max_relationships
        self._lock = Lock()
        self._content = Content()

    def __len__(self) -> int:
        """Returns how many nodes there are."""
        with self._lock:
            return len(self._content.nodes)

    def __repr__(self) -> str:
        return f"<WorkingGraph of {len(self)} nodes, {self.relationship_count()} relationships>"

    @property
    def is_empty(self) -> bool:
        """Whether there is no node, and so no relationship either."""
        return len(self) == 0

    def relationship_count(self) -> int:
        """Returns how many relationships there are."""
        with self._lock:
            return len(self._content.relationships)

    def upsert_node(
        self, id: str, *, labels: Iterable[str] = (), properties: Mapping[str, JsonValue] | None = None
    ) -> bool:
        """Puts a node; where its id is there already, its labels and properties are replaced as a whole (S4.33).

        Returns:
            Whether it is new.

        Raises:
            InvalidGraph: id, labels or properties that a node cannot have.
            CapacityReached: it is new, and the graph has `max_nodes` nodes.
        """
        node = GraphNode(
            id, labels=cast("tuple[str, ...]", labels), properties={} if properties is None else properties
        )
        with self._lock:
            new = node.id not in self._content.nodes
            self._check_room(new, 0)
            self._content.put([node])
        return new

    def add_relationship(
        self,
        id: str,
        from_: str,
        to: str,
        kind: str,
        *,
        weight: float = 1.0,
        properties: Mapping[str, JsonValue] | None = None,
    ) -> bool:
        """Puts a relationship between nodes that are there; one of the same id is replaced (S4.34).

        Args:
            id: its id among the relationships.
            from_: id of the node at which it begins.
            to: id of the node at which it ends; may be the same.
            kind: how they relate.
            weight: how strongly; any finite number.
            properties: further facts.

        Returns:
            Whether anything changed: False where it is there just so (C21).

        Raises:
            InvalidGraph: a value that a relationship cannot have (C22), or an end that is not there.
            CapacityReached: it is new, and the graph has `max_relationships` relationships.
        """
        facts = {} if properties is None else properties
        each = GraphRelationship(id, from_, to, kind, weight=weight, properties=facts)
        with self._lock:
            content = self._content
            check_ends(each, content.nodes)
            before = content.relationships.get(each.id)
            if before == each:
                content.put(touch=(each.from_, each.to))
                return False
            self._check_room(0, before is None)
            content.put(relationships=[each])
        return True

    def remove_node(self, id: str) -> bool:
        """Removes a node and every relationship of it (S4.35); returns whether it was there."""
        with self._lock:
            there = id in self._content.nodes
            if there:
                self._content.drop_node(id)
        return there

    def remove_relationship(self, id: str) -> bool:
        """Removes a relationship (S4.35); returns whether it was there."""
        with self._lock:
            each = self._content.relationships.get(id)
            if each is not None:
                self._content.drop_relationship(each)
        return each is not None

    def clear(self) -> None:
        """Removes everything."""
        with self._lock:
            self._content = Content()

    def node(self, id: str) -> GraphNode | None:
        """Returns a node by its id, None where there is none."""
        with self._lock:
            return self._content.nodes.get(id)

    def relationship(self, id: str) -> GraphRelationship | None:
        """Returns a relationship by its id, None where there is none."""
        with self._lock:
            return self._content.relationships.get(id)

    def nodes(self) -> list[GraphNode]:
        """Returns all nodes in the order of their ids."""
        return list(self.snapshot().nodes)

    def relationships(self) -> list[GraphRelationship]:
        """Returns all relationships in the order of their ids."""
        return list(self.snapshot().relationships)

    def neighbors(self, id: str, direction: GraphDirection | str = GraphDirection.ANY) -> list[str]:
        """Returns the ids of a node's neighbours, sorted and each once; none for an id that is not there (S4.36).

        Raises:
            InvalidGraph: a direction that is none.
        """
        along = direction_of(direction)
        with self._lock:
            return sorted(walk.neighbors(self._content, id, along))

    def traverse(self, start: str, depth: int, direction: GraphDirection | str = GraphDirection.ANY) -> list[str]:
        """Returns the ids within `depth` steps of a node, nearest first, each level sorted (S4.36).

        The start comes first; depth 0 gives only it, and an id that is not there gives none.

        Raises:
            InvalidGraph: a depth or direction that is none.
        """
        along = direction_of(direction)
        check_bound(depth, "depth")
        with self._lock:
            return [id for level in walk.levels(self._content, [start], depth, along) for id in level]

    def is_connected(self, a: str, b: str) -> bool:
        """Tells whether outgoing relationships lead from `a` to `b`; a node that is there reaches itself (S4.36)."""
        with self._lock:
            return walk.reaches(self._content, a, b)

    def subgraph(self, ids: str | Iterable[str], depth: int = 0) -> WorkingGraph:
        """Returns a graph of its own: the nodes within `depth` steps of some, and all relationships among them (S4.36).

        Steps go along relationships in either direction. Ids that are not there are left out.

        Raises:
            InvalidGraph: a depth that is none.
        """
        starts = [ids] if isinstance(ids, str) else list(ids)
        check_bound(depth, "depth")
        part = self._like_this()
        with self._lock:
            levels = walk.levels(self._content, starts, depth, GraphDirection.ANY)
            part._content = self._content.part({id for level in levels for id in level})
        return part

    def merge(self, other: WorkingGraph, policy: MergePolicy | str = MergePolicy.KEEP) -> MergeReport:
        """Merges another graph into this one, by the rules of `graph.merge.planned`; the other stays as it is.

        Merging the same graph again changes nothing (C21). All nodes of the other count as touched.

        Raises:
            InvalidGraph: a policy that is none, or `other` is no graph.
            CapacityReached: the merged graph would pass a bound; nothing was merged.
        """
        rule = policy_of(policy)
        incoming = _held_by(other)
        with self._lock:
            plan = planned(self._content, incoming, rule)
            self._check_room(plan.report.nodes_added, len(plan.relationships) - plan.report.relationships_overwritten)
            self._content.put(plan.nodes, plan.relationships, touch=incoming.nodes.keys(), words=incoming.words)
        return plan.report

    def replace(self, other: WorkingGraph) -> GraphImportReport:
        """Replaces the whole content by that of another graph, which stays as it is.

        Raises:
            InvalidGraph: `other` is no graph.
            CapacityReached: the other graph is larger than this one may be; nothing was changed.
        """
        _check_graph(other)
        with other._lock:
            content = other._content.part(other._content.nodes)
        return self._take(content)

    def replace_snapshot(self, snapshot: GraphSnapshot) -> GraphImportReport:
        """Replaces the whole content by that of a snapshot, checked before anything is changed (S4.41).

        Raises:
            InvalidGraph: an id that is there twice, or a relationship with an end that is not there.
            CapacityReached: the snapshot is larger than the graph may be; nothing was changed.
        """
        content = content_of(snapshot, self._check_size)
        return self._take(content)

    def snapshot(self) -> GraphSnapshot:
        """Returns the nodes and relationships as they stand."""
        with self._lock:
            nodes, relationships = tuple(self._content.nodes.values()), tuple(self._content.relationships.values())
        return GraphSnapshot(nodes, relationships)

    @classmethod
    def from_snapshot(
        cls,
        snapshot: GraphSnapshot,
        *,
        max_nodes: int | None = MAX_NODES,
        max_relationships: int | None = MAX_RELATIONSHIPS,
    ) -> Self:
        """Returns a new graph with the content of a snapshot; what `replace_snapshot` says holds here."""
        graph = cls(max_nodes=max_nodes, max_relationships=max_relationships)
        graph.replace_snapshot(snapshot)
        return graph

    def render(self, text: str = "", config: GraphContextConfig | None = None) -> str:
        """Returns the graph as text for a model; empty for an empty graph. `graph.render` says how it looks.

        Args:
            text: the text of the turn, by which nodes are chosen where there are more than are shown.
            config: how much is shown; None for the defaults.

        Raises:
            InvalidGraph: `text` is no text.
        """
        check_turn(text)
        limits = GraphContextConfig() if config is None else config
        with self._lock:
            shown = chosen(self._content, text, limits)
        return render_graph(shown, limits)

    def _like_this(self) -> WorkingGraph:
        return WorkingGraph(max_nodes=self._max_nodes, max_relationships=self._max_relationships)

    def _take(self, content: Content) -> GraphImportReport:
        report = GraphImportReport(nodes=len(content.nodes), relationships=len(content.relationships))
        self._check_size(report.nodes, report.relationships)
        with self._lock:
            self._content = content
        return report

    def _check_room(self, nodes: int, relationships: int) -> None:
        self._check_size(
            len(self._content.nodes) + nodes if nodes else 0,
            len(self._content.relationships) + relationships if relationships else 0,
        )

    def _check_size(self, nodes: int, relationships: int) -> None:
        for size, bound, name in (
            (nodes, self._max_nodes, "nodes"),
            (relationships, self._max_relationships, "relationships"),
        ):
            if bound is not None and size > bound:
                raise CapacityReached(
                    f"the working graph would have {size} {name}, and may have {bound}; nothing was changed: remove "
                    f"what is no longer needed, or make the graph with a higher `max_{name}`",
                    bound,
                )


def _held_by(graph: WorkingGraph) -> Incoming:
    # Under its own lock only, so that two graphs may be merged into each other at once.
    _check_graph(graph)
    with graph._lock:
        content = graph._content
        words = {id: content.words.of(id) for id in content.nodes}
        return Incoming(dict(content.nodes), dict(content.relationships), words)


def _check_graph(other: object) -> None:
    if not isinstance(other, WorkingGraph):
        raise InvalidGraph(f"a WorkingGraph is needed, not {type(other).__name__}; see `WorkingGraph.from_snapshot`")
