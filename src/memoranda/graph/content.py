"""What a working graph holds, with the indexes that its questions need. Nothing is checked or locked here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from memoranda.graph.nearness import WordIndex, Words, words_of
from memoranda.records.graph import GraphNode, GraphRelationship


class Content:
    """Nodes and relationships by id, the relationships of each node, the words of each node, and what came last.

    Each `put` is one step, and all that it writes is stamped with the number of that step. Stamps of nodes are kept in
    order, so that the nodes touched last are found without sorting.

    Attributes:
        nodes: the nodes by id.
        relationships: the relationships by id.
        outgoing: for each node the relationships that begin at it, by id.
        incoming: for each node those that end at it, by id.
        touched: for each node the step that last wrote it or a relationship of it; those of the last step stand last,
            those of one step by id, the first one last.
        written: for each relationship the step that last wrote it.
        words: the words of each node.
    """

    __slots__ = ("_step", "incoming", "nodes", "outgoing", "relationships", "touched", "words", "written")

    def __init__(self) -> None:
        self.nodes: dict[str, GraphNode] = {}
        self.relationships: dict[str, GraphRelationship] = {}
        self.outgoing: dict[str, dict[str, GraphRelationship]] = {}
        self.incoming: dict[str, dict[str, GraphRelationship]] = {}
        self.touched: dict[str, int] = {}
        self.written: dict[str, int] = {}
        self.words = WordIndex()
        self._step = 0

    def put(
        self,
        nodes: Iterable[GraphNode] = (),
        relationships: Iterable[GraphRelationship] = (),
        *,
        touch: Collection[str] = (),
        words: Mapping[str, Words] | None = None,
    ) -> None:
        """Puts nodes and relationships whose ends are there, in place of those of the same ids, as one step.

        Args:
            nodes: the nodes.
            relationships: the relationships; both ends of each are touched.
            touch: ids of further nodes that are touched.
            words: the words of the nodes, where they are known already.
        """
        self._step += 1
        touched = set(touch)
        for node in nodes:
            known = words.get(node.id) if words else None
            self._put_node(node, words_of(node) if known is None else known)
            touched.add(node.id)
        for each in relationships:
            self._put_relationship(each)
            touched.add(each.from_)
            touched.add(each.to)
        for id in sorted(touched, reverse=True):
            self.touched.pop(id, None)
            self.touched[id] = self._step

    def drop_node(self, id: str) -> None:
        """Drops a node and its relationships (S4.35)."""
        for each in {**self.outgoing[id], **self.incoming[id]}.values():
            self.drop_relationship(each)
        del self.nodes[id], self.outgoing[id], self.incoming[id], self.touched[id]
        self.words.drop(id)

    def drop_relationship(self, relationship: GraphRelationship) -> None:
        """Drops a relationship that is there."""
        id = relationship.id
        del self.relationships[id], self.outgoing[relationship.from_][id], self.incoming[relationship.to][id]
        del self.written[id]

    def part(self, ids: Collection[str]) -> Content:
        """Returns a copy of the nodes of some ids, and of every relationship between two of them (S4.36)."""
        copy = Content()
        copy._step = self._step
        kept = ids if isinstance(ids, set | frozenset | dict) else set(ids)
        for id, step in self.touched.items():
            if id in kept:
                copy._put_node(self.nodes[id], self.words.of(id))
                copy.touched[id] = step
        for id in copy.nodes:
            for each in self.outgoing[id].values():
                if each.to in kept:
                    copy._put_relationship(each, self.written[each.id])
        return copy

    def _put_node(self, node: GraphNode, words: Words) -> None:
        id = node.id
        if id not in self.nodes:
            self.outgoing[id] = {}
            self.incoming[id] = {}
        self.nodes[id] = node
        self.words.put(id, words)

    def _put_relationship(self, relationship: GraphRelationship, step: int | None = None) -> None:
        id = relationship.id
        before = self.relationships.get(id)
        if before is not None:
            self.drop_relationship(before)
        self.relationships[id] = relationship
        self.outgoing[relationship.from_][id] = relationship
        self.incoming[relationship.to][id] = relationship
        self.written[id] = self._step if step is None else step
