"""What a graph refuses to take in: parts that do not fit together, and words that name no choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memoranda.errors import InvalidGraph
from memoranda.graph.content import Content
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.records.graph import GraphDirection, GraphNode, GraphRelationship, MergePolicy, shortened


def content_of(snapshot: GraphSnapshot, check_size: Callable[[int, int], None]) -> Content:
    """Returns the content that a snapshot describes, after all of it was checked (S4.41).

    Args:
        snapshot: the snapshot.
        check_size: raises where so many nodes and relationships are too many.

    Raises:
        InvalidGraph: an id that is there twice, or a relationship with an end that is not there.
    """
    if not isinstance(snapshot, GraphSnapshot):
        raise InvalidGraph(f"a GraphSnapshot is needed, not {type(snapshot).__name__}: `GraphSnapshot.from_dict`")
    _check_once((node.id for node in snapshot.nodes), "node")
    _check_once((each.id for each in snapshot.relationships), "relationship")
    nodes = {node.id: node for node in snapshot.nodes}
    for each in snapshot.relationships:
        check_ends(each, nodes)
    check_size(len(snapshot.nodes), len(snapshot.relationships))
    content = Content()
    content.put(snapshot.nodes, snapshot.relationships)
    return content


def check_ends(each: GraphRelationship, nodes: Mapping[str, GraphNode]) -> None:
    """Refuses a relationship with an end that is not among the nodes (S4.34).

    Raises:
        InvalidGraph: the message says which end, `from` or `to`, and its id.
    """
    for end, name in ((each.from_, "from"), (each.to, "to")):
        if end not in nodes:
            raise InvalidGraph(
                f"`{name}` of relationship {shortened(each.id)} is {shortened(end)}, and there is no such node: put it "
                "first"
            )


def check_turn(text: str) -> None:
    """Refuses what cannot be the text of a turn.

    Raises:
        InvalidGraph: it is no text.
    """
    if not isinstance(text, str):
        raise InvalidGraph(f"`text` must be the text of the turn, not {type(text).__name__}; leave it out for none")


def direction_of(direction: GraphDirection | str) -> GraphDirection:
    """Returns the direction of that name.

    Raises:
        InvalidGraph: there is none.
    """
    try:
        return GraphDirection(direction)
    except ValueError as error:
        raise InvalidGraph(f"`direction` is {direction!r}; it must be one of {', '.join(GraphDirection)}") from error


def policy_of(policy: MergePolicy | str) -> MergePolicy:
    """Returns the merge policy of that name.

    Raises:
        InvalidGraph: there is none.
    """
    try:
        return MergePolicy(policy)
    except ValueError as error:
        raise InvalidGraph(f"`policy` is {policy!r}; it must be one of {', '.join(MergePolicy)}") from error


def _check_once(ids: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise InvalidGraph(f"the snapshot has the {what} {shortened(id)} twice; an id stands for one")
        seen.add(id)
