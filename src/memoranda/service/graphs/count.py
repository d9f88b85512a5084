"""What a working graph has how many of, and which nodes have the most relationships."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from memoranda.graph.snapshot import GraphSnapshot
from memoranda.graph.working import MAX_NODES, MAX_RELATIONSHIPS
from memoranda.records.entry import JsonValue
from memoranda.records.graph import GraphRelationship

_MOST_CONNECTED = 5


def incident(snapshot: GraphSnapshot) -> dict[str, list[GraphRelationship]]:
    """Returns for each node the relationships that begin or end at it, in the order of their ids, each once."""
    found: dict[str, list[GraphRelationship]] = {node.id: [] for node in snapshot.nodes}
    for each in snapshot.relationships:
        found[each.from_].append(each)
        if each.to != each.from_:
            found[each.to].append(each)
    return found


def most_connected(of: Mapping[str, Sequence[GraphRelationship]]) -> list[str]:
    """Returns the ids of the nodes that `incident` gives, those with the most relationships first; else by id."""
    return sorted(of, key=lambda id: (-len(of[id]), id))


def stats_of(snapshot: GraphSnapshot) -> dict[str, JsonValue]:
    """Returns how many nodes and relationships there are and may be, by label and kind, and the most connected nodes.

    Labels, kinds and nodes are in the order of their counts; `alone` counts the nodes without a relationship.
    """
    of = incident(snapshot)
    return {
        "nodes": len(snapshot.nodes),
        "max_nodes": MAX_NODES,
        "relationships": len(snapshot.relationships),
        "max_relationships": MAX_RELATIONSHIPS,
        "alone": sum(not each for each in of.values()),
        "labels": _counted(label for node in snapshot.nodes for label in node.labels),
        "kinds": _counted(each.kind for each in snapshot.relationships),
        "most_connected": {id: len(of[id]) for id in most_connected(of)[:_MOST_CONNECTED] if of[id]},
    }


def _counted(names: Iterable[str]) -> dict[str, JsonValue]:
    counts = Counter(names)
    return {name: counts[name] for name in sorted(counts, key=lambda name: (-counts[name], name))}
