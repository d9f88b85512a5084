"""Whether a document that comes from a file is one that the room which reads it can read."""

from __future__ import annotations

from memoranda.core.codec import held_of, revision_of
from memoranda.curation.archive import LISTING, Listing
from memoranda.errors import InvalidInput, StoreDamaged
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.graph.working import WorkingGraph
from memoranda.memory.archived_text import read
from memoranda.records.block import check_block
from memoranda.records.document import Document, DocumentKind


def check_document(document: Document) -> None:
    """Refuses a document that could not be read later, such as a block over its limit.

    Raises:
        InvalidInput: the message says what is wrong.
    """
    try:
        _read(document)
    except StoreDamaged as error:
        raise InvalidInput(str(error)) from error


def _read(document: Document) -> None:
    match document.key.kind:
        case DocumentKind.BLOCK:
            held = held_of(document)
            if held.block is not None:
                check_block(held.block)
        case DocumentKind.BLOCK_REVISION:
            revision_of(document)
        case DocumentKind.GRAPH:
            WorkingGraph.from_snapshot(GraphSnapshot.from_json(document.body))
        case DocumentKind.SPAN if document.key.name == LISTING:
            Listing.of(document)
        case DocumentKind.SPAN:
            read(document)
