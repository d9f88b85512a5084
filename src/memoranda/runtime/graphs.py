"""`AsyncSessionGraph` and `SessionGraph`: the working graph of a session, kept in the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from memoranda.bridge.drive import Driver, driven
from memoranda.bridge.offload import offload
from memoranda.errors import CapacityReached, InvalidGraph, StoreDamaged
from memoranda.graph.merge import MergeReport
from memoranda.graph.secrets import without_secrets
from memoranda.graph.snapshot import GraphImportReport, GraphSnapshot
from memoranda.graph.working import WorkingGraph
from memoranda.memory.context import Context
from memoranda.memory.erase import erase_documents
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import JsonValue
from memoranda.records.erasure import ErasureReceipt
from memoranda.records.graph import (
    GraphContextConfig,
    GraphDirection,
    GraphNode,
    GraphRelationship,
    MergePolicy,
)
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.session import SessionKey

T = TypeVar("T")

NAME: Final = "graph"
"""Name of the document that holds a session's graph."""


class AsyncSessionGraph:
    """The working graph of one session. Made by `AsyncSession.graph`; costs nothing to make or to keep.

    It has the calls of `WorkingGraph`. The graph is kept in the store as one text, `GraphSnapshot.to_json`. Each change
    reads it, changes it and writes it back in one transaction, so several processes may change one graph and nothing
    is lost; a change that is refused has changed nothing. `edit` makes many changes in one commit, which is as fast as
    one of them. What was touched last is not stored: this handle knows it of its own changes, for as long as no other
    one changes the graph; else, where not all is rendered, the text and the ids decide.

    Secrets in properties are masked before they are stored, where `Settings.redact` is on; one in an id, label or kind
    is refused.
    """

    def __init__(self, context: Context, scope: ScopePath, session: SessionKey) -> None:
        self._context = context
        self._scope = scope
        self._key = DocumentKey(kind=DocumentKind.GRAPH, session=session.path, name=NAME)
        self._read: tuple[str, WorkingGraph] = ("", WorkingGraph())
        """The body that was read last, and its graph, which is never changed."""

    async def load(self) -> WorkingGraph:
        """Returns the graph as it stands, as the caller's own: changes of it are not kept."""
        return await self._ask(_copy)

    async def edit(self, function: Callable[[WorkingGraph], T]) -> T:
        """Makes several changes in one commit: all, or none when `function` raises.

        Args:
            function: is given the graph, changes it, and returns what `edit` returns. It runs inside the store's
                transaction and may run again, so it should be short, change nothing but the graph, and call no store.
        """
        return await self._edit(function)

    async def _edit(self, function: Callable[[WorkingGraph], T], *, afresh: bool = False, ours: bool = False) -> T:
        """Changes the graph in one commit.

        Args:
            function: see `edit`.
            afresh: whether it is given an empty graph, whatever is there: also what cannot be read is then replaced.
            ours: whether it keeps no hold of the graph, which then need not be read again.
        """
        self._context.documents()
        now = self._context.clock.now()
        written: tuple[str, WorkingGraph] | None = None

        def decide(snapshot: Snapshot) -> Plan[T]:
            nonlocal written
            before = _body(snapshot.document(self._key))
            known = WorkingGraph() if afresh else self._decoded(before)
            graph = _copy(known)
            result = function(graph)
            after, masked = self._stored(graph, known)
            if after == before:
                return Plan(result=result)
            if ours and not masked:
                written = after, graph
            if not after:
                return Plan(result=result, dropped=(self._key,))
            return Plan(result=result, documents=(Document(key=self._key, body=after, at=now),))

        result = await self._context.writer().write(self._scope, decide)
        if written is not None:
            self._read = written
        return result

    def _stored(self, graph: WorkingGraph, known: WorkingGraph) -> tuple[str, bool]:
        """Returns the body that keeps a graph, and whether secrets were masked in it."""
        made = graph.snapshot()
        kept = without_secrets(made, known.snapshot()) if self._context.settings.redact else made
        return kept.to_json() if kept.nodes else "", kept is not made

    async def upsert_node(
        self, id: str, *, labels: Iterable[str] = (), properties: Mapping[str, JsonValue] | None = None
    ) -> bool:
        """Puts a node, or replaces its labels and properties as a whole; see `WorkingGraph.upsert_node`.

        Returns:
            Whether it is new.

        Raises:
            InvalidGraph: id, labels or properties that a node cannot have.
            CapacityReached: the graph is full.
        """
        given = labels if isinstance(labels, str) else tuple(labels)  # once, since the edit may run again
        return await self._edit(lambda graph: graph.upsert_node(id, labels=given, properties=properties), ours=True)

    async def add_relationship(
        self,
        id: str,
        from_: str,
        to: str,
        kind: str,
        *,
        weight: float = 1.0,
        properties: Mapping[str, JsonValue] | None = None,
    ) -> bool:
        """Puts a relationship between nodes that are there; see `WorkingGraph.add_relationship`.

        Returns:
            Whether anything changed.

        Raises:
            InvalidGraph: a value that a relationship cannot have, or an end that is not there.
            CapacityReached: the graph is full.
        """
        return await self._edit(
            lambda graph: graph.add_relationship(id, from_, to, kind, weight=weight, properties=properties), ours=True
        )

    async def remove_node(self, id: str) -> bool:
        """Removes a node and every relationship of it; returns whether it was there."""
        return await self._edit(lambda graph: graph.remove_node(id), ours=True)

    async def remove_relationship(self, id: str) -> bool:
        """Removes a relationship; returns whether it was there."""
        return await self._edit(lambda graph: graph.remove_relationship(id), ours=True)

    async def clear(self) -> None:
        """Removes everything."""
        await self._edit(WorkingGraph.clear, afresh=True, ours=True)

    async def erase(self) -> ErasureReceipt:
        """Erases the graph for good, and proves that the store's files hold nothing more of it.

        What a graph said before its changes is known nowhere, so a file of SQLite is rewritten to prove it. `clear`
        only empties the graph.
        """
        receipt = await erase_documents(self._context, self._scope, lambda _: [self._key])
        self._read = ("", WorkingGraph())
        return receipt

    async def merge(self, other: WorkingGraph, policy: MergePolicy | str = MergePolicy.KEEP) -> MergeReport:
        """Merges another graph into this one; see `WorkingGraph.merge`.

        Raises:
            InvalidGraph: a policy that is none, or `other` is no graph.
            CapacityReached: the merged graph would be too large; nothing was merged.
        """
        return await self._edit(lambda graph: graph.merge(other, policy), ours=True)

    async def replace(self, other: WorkingGraph) -> GraphImportReport:
        """Replaces the whole content by that of another graph.

        Raises:
            InvalidGraph: `other` is no graph.
            CapacityReached: the other graph is too large; nothing was changed.
        """
        return await self._edit(lambda graph: graph.replace(other), afresh=True, ours=True)

    async def replace_snapshot(self, snapshot: GraphSnapshot) -> GraphImportReport:
        """Replaces the whole content by that of a snapshot.

        Raises:
            InvalidGraph: an id that is there twice, or a relationship with an end that is not there.
            CapacityReached: the snapshot is too large; nothing was changed.
        """
        return await self._edit(lambda graph: graph.replace_snapshot(snapshot), afresh=True, ours=True)

    async def node(self, id: str) -> GraphNode | None:
        """Returns a node by its id, None where there is none."""
        return await self._ask(lambda graph: graph.node(id))

    async def relationship(self, id: str) -> GraphRelationship | None:
        """Returns a relationship by its id, None where there is none."""
        return await self._ask(lambda graph: graph.relationship(id))

    async def nodes(self) -> list[GraphNode]:
        """Returns all nodes in the order of their ids."""
        return await self._ask(WorkingGraph.nodes)

    async def relationships(self) -> list[GraphRelationship]:
        """Returns all relationships in the order of their ids."""
        return await self._ask(WorkingGraph.relationships)

    async def neighbors(self, id: str, direction: GraphDirection | str = GraphDirection.ANY) -> list[str]:
        """Returns the ids of a node's neighbours, sorted and each once; none for an id that is not there.

        Raises:
            InvalidGraph: a direction that is none.
        """
        return await self._ask(lambda graph: graph.neighbors(id, direction))

    async def traverse(self, start: str, depth: int, direction: GraphDirection | str = GraphDirection.ANY) -> list[str]:
        """Returns the ids within `depth` steps of a node, nearest first, each level sorted.

        Raises:
            InvalidGraph: a depth or direction that is none.
        """
        return await self._ask(lambda graph: graph.traverse(start, depth, direction))

    async def is_connected(self, a: str, b: str) -> bool:
        """Tells whether outgoing relationships lead from `a` to `b`; a node that is there reaches itself."""
        return await self._ask(lambda graph: graph.is_connected(a, b))

    async def subgraph(self, ids: str | Iterable[str], depth: int = 0) -> WorkingGraph:
        """Returns the nodes within `depth` steps of some, and all relationships among them, as a graph of its own.

        Raises:
            InvalidGraph: a depth that is none.
        """
        return await self._ask(lambda graph: graph.subgraph(ids, depth))

    async def snapshot(self) -> GraphSnapshot:
        """Returns the nodes and relationships as they stand."""
        return await self._ask(WorkingGraph.snapshot)

    async def render(self, text: str = "", config: GraphContextConfig | None = None) -> str:
        """Returns the graph as text for a model; empty for an empty graph. See `WorkingGraph.render`.

        Args:
            text: the text of the turn, by which nodes are chosen where there are more than are shown.
            config: how much is shown; None for the defaults.
        """
        return await self._ask(lambda graph: graph.render(text, config))

    async def _ask(self, question: Callable[[WorkingGraph], T]) -> T:
        document = await self._context.documents().document(self._scope, self._key)
        return await offload(lambda: question(self._decoded(_body(document))))

    def _decoded(self, body: str) -> WorkingGraph:
        """Returns the graph of a body, which is not to be changed; the last one is kept.

        Raises:
            StoreDamaged: the body is none that `_edit` wrote.
        """
        known, graph = self._read
        if body != known:
            try:
                graph = WorkingGraph.from_snapshot(GraphSnapshot.from_json(body)) if body else WorkingGraph()
            except (InvalidGraph, CapacityReached) as error:
                raise StoreDamaged(
                    f"the working graph of the session {self._key.session} cannot be read: {error}; `clear`, `replace` "
                    "or `replace_snapshot` puts another in its place"
                ) from error
            self._read = (body, graph)
        return graph


def _body(document: Document | None) -> str:
    return document.body if document else ""


def _copy(graph: WorkingGraph) -> WorkingGraph:
    copied = WorkingGraph()
    copied.replace(graph)
    return copied


class SessionGraph:
    """The working graph of one session. Made by `Session.graph`. See `AsyncSessionGraph`."""

    def __init__(self, awaited: AsyncSessionGraph, driver: Driver) -> None:
        self._awaited = awaited
        self._driver = driver

    load = driven(AsyncSessionGraph.load)
    edit = driven(AsyncSessionGraph.edit)
    upsert_node = driven(AsyncSessionGraph.upsert_node)
    add_relationship = driven(AsyncSessionGraph.add_relationship)
    remove_node = driven(AsyncSessionGraph.remove_node)
    remove_relationship = driven(AsyncSessionGraph.remove_relationship)
    clear = driven(AsyncSessionGraph.clear)
    erase = driven(AsyncSessionGraph.erase)
    merge = driven(AsyncSessionGraph.merge)
    replace = driven(AsyncSessionGraph.replace)
    replace_snapshot = driven(AsyncSessionGraph.replace_snapshot)
    node = driven(AsyncSessionGraph.node)
    relationship = driven(AsyncSessionGraph.relationship)
    nodes = driven(AsyncSessionGraph.nodes)
    relationships = driven(AsyncSessionGraph.relationships)
    neighbors = driven(AsyncSessionGraph.neighbors)
    traverse = driven(AsyncSessionGraph.traverse)
    is_connected = driven(AsyncSessionGraph.is_connected)
    subgraph = driven(AsyncSessionGraph.subgraph)
    snapshot = driven(AsyncSessionGraph.snapshot)
    render = driven(AsyncSessionGraph.render)
