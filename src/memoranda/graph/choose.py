"""Which nodes and relationships are shown where a graph has more than a request takes (S4.43)."""

from __future__ import annotations

import heapq
from itertools import islice
from typing import NamedTuple

from memoranda.graph.content import Content
from memoranda.records.graph import GraphContextConfig, GraphNode, GraphRelationship


class Shown(NamedTuple):
    """What is shown of a graph, in the order of ids, and how much the whole of it is."""

    nodes: list[GraphNode]
    relationships: list[GraphRelationship]
    all_nodes: int
    all_relationships: int


def chosen(content: Content, text: str, config: GraphContextConfig) -> Shown:
    """Returns what `config` shows of a graph for a turn's text; see `GraphContextConfig.order`."""
    if config.order == "id":
        nodes = heapq.nsmallest(config.max_nodes, content.nodes)
        relationships = heapq.nsmallest(config.max_relationships, content.relationships)
    else:
        nodes = sorted(_nearest_nodes(content, text, config.max_nodes))
        relationships = sorted(_relationships_of(content, set(nodes), config.max_relationships))
    return Shown(
        [content.nodes[id] for id in nodes],
        [content.relationships[id] for id in relationships],
        len(content.nodes),
        len(content.relationships),
    )


def _nearest_nodes(content: Content, text: str, most: int) -> list[str]:
    """Returns the nearest nodes, the one touched last first where two are as near; then those touched last."""
    if len(content.nodes) <= most:
        return list(content.nodes)
    scores, touched = content.words.near(text), content.touched
    nearest = heapq.nsmallest(most, scores, key=lambda id: (-scores[id], -touched[id], id))
    others = (id for id in reversed(touched) if id not in scores)
    return [*nearest, *islice(others, most - len(nearest))]


def _relationships_of(content: Content, nodes: set[str], most: int) -> list[str]:
    """Returns the relationships between some nodes, then those with one end among them, the last written first."""
    within: list[str] = []
    across: list[str] = []
    for node in nodes:
        for id, each in content.outgoing[node].items():
            (within if each.to in nodes else across).append(id)
        across.extend(id for id, each in content.incoming[node].items() if each.from_ not in nodes)
    written = content.written
    first = heapq.nsmallest(most, within, key=lambda id: (-written[id], id))
    return [*first, *heapq.nsmallest(most - len(first), across, key=lambda id: (-written[id], id))]
