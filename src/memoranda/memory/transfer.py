"""Writing a scope as JSON lines and reading it back, with nothing lost and nothing overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby

from memoranda.curation.load import Loaded, LoadedDocument
from memoranda.curation.load import load as decide_on
from memoranda.errors import ImportFormatError, InvalidEntry, InvalidInput
from memoranda.memory.context import Context
from memoranda.protocols.store import DocumentReader
from memoranda.records.codec import entry_from_json, entry_to_json, revision_from_json, revision_to_json
from memoranda.records.document import Document, document_from_json, document_to_json
from memoranda.records.entry import JsonValue
from memoranda.records.scope import Scope
from memoranda.records.stats import LoadReport, Refused

HEADER = '{"format":"memoranda dump","version":1}'
"""First line of a dump."""


async def dump(context: Context, scope: Scope) -> list[str]:
    """Returns a scope as lines of JSON: a header, each entry with its revisions, then each document.

    Entries stand in the order of recording, documents by their kind and in the order in which they were first put. The
    lines hold no time of writing and no scope, so dumping what was loaded from a dump gives the same bytes.
    """
    whole = await context.reader().whole(scope)
    history = {id: list(group) for id, group in groupby(whole.revisions, key=lambda revision: revision.entry.id)}
    lines = [HEADER]
    for entry in whole.entries:
        record: dict[str, JsonValue] = {"entry": entry_to_json(entry)}
        if entry.id in history:
            record["revisions"] = [revision_to_json(revision) for revision in history[entry.id]]
        lines.append(_line(record))
    return lines + [_line({"document": document_to_json(document)}) for document in whole.documents]


async def load(
    context: Context, scope: Scope, lines: Iterable[str], check: Callable[[Document], None] = lambda document: None
) -> LoadReport:
    """Adds the entries and documents of a dump in one commit. Bad lines are reported with their number.

    A store that keeps no documents is given none; their lines are reported, too.

    Args:
        context: the surroundings.
        scope: where they are added.
        lines: the dump.
        check: raises for a document that nobody could read later.

    Raises:
        ImportFormatError: the first line is not the header of a dump, or of a newer format.
    """
    numbered = enumerate(lines, 1)
    _check_header(next((line for _, line in numbered), ""))
    entries: list[Loaded] = []
    documents: list[LoadedDocument] = []
    refused: list[Refused] = []
    for number, line in numbered:
        if line.strip():
            try:
                found = _read(number, line)
                if isinstance(found, Loaded):
                    entries.append(found)
                elif isinstance(context.store, DocumentReader):
                    check(found.document)
                    documents.append(found)
                else:
                    refused.append(Refused(line=number, reason=f"{type(context.store).__name__} keeps no documents"))
            except (ValueError, KeyError, TypeError, RecursionError, InvalidInput) as error:
                refused.append(Refused(line=number, reason=f"it cannot be read as an entry or a document: {error}"))
    report = await context.writer().write(scope, lambda snapshot: decide_on(snapshot, entries, documents))
    every = sorted((*refused, *report.refused), key=lambda one: one.line)
    return replace(report, refused=tuple(every))


def _line(record: dict[str, JsonValue]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _check_header(line: str) -> None:
    try:
        header = json.loads(line.removeprefix("\ufeff"))
        name, version = header["format"], header["version"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ImportFormatError("this is not a dump of memoranda; `import` reads other files") from error
    if name != "memoranda dump" or version != 1:
        raise ImportFormatError(f"this dump has the format {name!r} {version!r}; install a newer memoranda to load it")


def _read(number: int, line: str) -> Loaded | LoadedDocument:
    record = json.loads(line)
    if "document" in record:
        return LoadedDocument(line=number, document=document_from_json(record["document"]))
    entry = entry_from_json(record["entry"])
    revisions = tuple(revision_from_json(part) for part in record.get("revisions", ()))
    if any(revision.entry.id != entry.id for revision in revisions):
        raise InvalidEntry("a revision belongs to another entry")
    return Loaded(line=number, entry=entry, revisions=revisions)
