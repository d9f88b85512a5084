"""What a merge would do, decided before anything is changed (S4.37, S4.38, C21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from memoranda.graph.content import Content
from memoranda.graph.nearness import Words
from memoranda.records.graph import GraphNode, GraphRelationship, MergePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeReport:
    """What became of the nodes and relationships that a merge brought in.

    The counts of nodes sum to the incoming nodes, those of relationships to the incoming relationships.

    Attributes:
        nodes_added: those of a new id.
        nodes_overwritten: those that took the place of the node that had their id, equal or not (`overwrite`).
        nodes_kept: those whose id was there, and what was there stayed (`keep`).
        relationships_added: those of a new id.
        relationships_overwritten: those that took the place of another state of the same relationship.
        relationships_renamed: those that were attached under a new id, since theirs was taken.
        relationships_unchanged: those that were there already.
        renamed: for each renamed relationship its new id.
    """

    nodes_added: int = 0
    nodes_overwritten: int = 0
    nodes_kept: int = 0
    relationships_added: int = 0
    relationships_overwritten: int = 0
    relationships_renamed: int = 0
    relationships_unchanged: int = 0
    renamed: Mapping[str, str] = field(default_factory=dict, hash=False)


class Incoming(NamedTuple):
    """What a merge brings in: nodes and relationships by id, with every end among the nodes, and the words of nodes."""

    nodes: dict[str, GraphNode]
    relationships: dict[str, GraphRelationship]
    words: dict[str, Words]


class MergePlan(NamedTuple):
    """What is to be put, and the report on it. What is put and was not there is counted as added or renamed."""

    nodes: list[GraphNode]
    relationships: list[GraphRelationship]
    report: MergeReport


def planned(content: Content, incoming: Incoming, policy: MergePolicy) -> MergePlan:
    """Returns what merging would put into a graph.

    - A node whose id is there stays or is overwritten, by the policy.
    - A relationship that is there already is left alone.
    - The same relationship in another state (its ends and kind, under its id, with another weight or other properties)
      is overwritten where the policy says so.
    - Any other relationship whose id is taken is attached under the first free one of `{id}-2`, `{id}-3` and so on.
      Ids of both graphs count as taken. Where it already stands under such an id it is left alone, so that merging the
      same graph again changes nothing (C21).

    So nothing that comes in is lost, and of what is there only what the policy names.
    """
    taken = content.nodes.keys() & incoming.nodes.keys()
    overwrites = policy is MergePolicy.OVERWRITE
    nodes = [node for id, node in incoming.nodes.items() if overwrites or id not in taken]
    relationships = _Relationships(content, incoming, policy)
    for id in sorted(incoming.relationships):
        relationships.place(incoming.relationships[id])
    return MergePlan(
        nodes,
        relationships.put,
        MergeReport(
            nodes_added=len(incoming.nodes) - len(taken),
            nodes_overwritten=len(taken) if overwrites else 0,
            nodes_kept=0 if overwrites else len(taken),
            relationships_added=relationships.added,
            relationships_overwritten=relationships.overwritten,
            relationships_renamed=len(relationships.renamed),
            relationships_unchanged=relationships.unchanged,
            renamed=relationships.renamed,
        ),
    )


class _Relationships:
    """Finds a place for each incoming relationship."""

    def __init__(self, content: Content, incoming: Incoming, policy: MergePolicy) -> None:
        self._there = content.relationships
        self._incoming = incoming.relationships
        self._policy = policy
        self.put: list[GraphRelationship] = []
        self.added = self.overwritten = self.unchanged = 0
        self.renamed: dict[str, str] = {}

    def place(self, each: GraphRelationship) -> None:
        before = self._there.get(each.id)
        if before is None:
            self.put.append(each)
            self.added += 1
        elif before == each:
            self.unchanged += 1
        elif self._policy is MergePolicy.OVERWRITE and _relation(before) == _relation(each):
            self.put.append(each)
            self.overwritten += 1
        else:
            self._rename(each)

    def _rename(self, each: GraphRelationship) -> None:
        # An id with one ending leads back to one id only, so no two incoming relationships want the same one.
        for number in count(2):
            id = f"{each.id}-{number}"
            if id in self._incoming:
                continue
            before = self._there.get(id)
            if before is None:
                self.put.append(replace(each, id=id))
                self.renamed[each.id] = id
                return
            if _relation(before) == _relation(each) and _state(before) == _state(each):
                self.unchanged += 1
                return


def _relation(each: GraphRelationship) -> tuple[str, str, str]:
    return each.from_, each.to, each.kind


def _state(each: GraphRelationship) -> tuple[float, str]:
    return each.weight, each.properties_json
