"""The working graph: nodes and relationships of the task at hand, merged, kept as text, and rendered for a model.

```python
from memoranda.graph import WorkingGraph

graph = WorkingGraph()
graph.upsert_node("person:ada", labels=["person"], properties={"name": "Ada"})
graph.upsert_node("company:engines", labels=["company"])
graph.add_relationship("r1", "person:ada", "company:engines", "works_at")
print(graph.render("where does Ada work?"))
```

This is the room's door: each name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoranda.doors import door

if TYPE_CHECKING:
    from memoranda.graph.extraction.extract import extract
    from memoranda.graph.extraction.schema import Column, EntityTable, ExtractionSchema, RelationshipTable
    from memoranda.graph.merge import MergeReport
    from memoranda.graph.snapshot import GraphImportReport, GraphSnapshot
    from memoranda.graph.working import WorkingGraph
    from memoranda.records.graph import (
        GraphContextConfig,
        GraphDirection,
        GraphNode,
        GraphRelationship,
        MergePolicy,
    )

_HOMES = {
    "graph.extraction.extract": ("extract",),
    "graph.extraction.schema": ("Column", "EntityTable", "ExtractionSchema", "RelationshipTable"),
    "graph.merge": ("MergeReport",),
    "graph.snapshot": ("GraphImportReport", "GraphSnapshot"),
    "graph.working": ("WorkingGraph",),
    "records.graph": ("GraphContextConfig", "GraphDirection", "GraphNode", "GraphRelationship", "MergePolicy"),
}

__all__ = [
    "Column",
    "EntityTable",
    "ExtractionSchema",
    "GraphContextConfig",
    "GraphDirection",
    "GraphImportReport",
    "GraphNode",
    "GraphRelationship",
    "GraphSnapshot",
    "MergePolicy",
    "MergeReport",
    "RelationshipTable",
    "WorkingGraph",
    "extract",
]

if not TYPE_CHECKING:  # a type checker would take any name for one of ours
    __getattr__, __dir__ = door(__name__, __all__, _HOMES)
