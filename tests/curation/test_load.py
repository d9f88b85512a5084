"""What becomes of the lines of a dump."""

from __future__ import annotations

from dataclasses import replace

from memoranda.curation.load import Loaded, LoadedDocument, load
from memoranda.protocols.store import DocumentReader
from memoranda.records.document import DocumentKind
from memoranda.records.revision import Change, Revision
from memoranda.records.stats import LoadReport, Refused
from memoranda.testing.documents import made
from tests.curation.ground import Ground


def _load(ground: Ground, *lines: Loaded) -> LoadReport:
    return ground.run(ground.store.write(ground.scope, lambda snapshot: load(snapshot, lines)))


def test_new_entries_come_with_their_revisions() -> None:
    ground = Ground()
    entry = ground.entry("new")
    revision = Revision(
        number=1, change=Change.UPDATE, at=ground.clock.now(), entry=replace(entry, memory="old"), because="why"
    )
    assert _load(ground, Loaded(line=2, entry=entry, revisions=(revision,))) == LoadReport(added=1)
    assert ground.all() == [entry]
    assert ground.revisions(entry.id) == [revision]


def test_what_is_there_is_never_overwritten() -> None:
    """Case K01: nothing is overwritten; the line that differs is named."""
    ground = Ground()
    known = ground.put("as it is")
    other = replace(known, memory="as the dump says")
    report = _load(ground, Loaded(line=2, entry=known), Loaded(line=7, entry=other))
    assert report.unchanged == 1
    assert report.refused == (Refused(line=7, reason=f"entry {known.id} is stored already and differs"),)
    assert ground.all() == [known]


def test_an_id_that_comes_twice_is_added_once() -> None:
    ground = Ground()
    entry = ground.entry("x")
    report = _load(
        ground, *(Loaded(line=line, entry=each) for line, each in enumerate([entry, entry, replace(entry, memory="y")]))
    )
    assert (report.added, report.unchanged, [one.line for one in report.refused]) == (1, 1, [2])


def test_no_lines_change_nothing() -> None:
    ground = Ground()
    assert _load(ground) == LoadReport()
    assert ground.run(ground.store.changes(ground.scope, 0)).version == 0


def test_documents_are_added_and_never_overwritten() -> None:
    """An equal one is unchanged; one that differs in anything is refused, whether it is stored or in the same dump."""
    ground = Ground()
    first, second = made("a", "as it is", session="s"), made("b", entries=(ground.ids.new(),))
    lines = [first, second, second, replace(second, entries=()), replace(first, body="as the dump says")]
    documents = [LoadedDocument(line=line, document=each) for line, each in enumerate(lines, 2)]
    for round in range(2):
        entry = Loaded(line=9, entry=ground.entry(f"entry {round}"))
        report = ground.run(ground.store.write(ground.scope, lambda s, entry=entry: load(s, [entry], documents)))  # type: ignore[misc]
        assert (report.added, report.unchanged) == ((3, 1) if round == 0 else (1, 3))
        assert [(one.line, one.reason) for one in report.refused] == [
            (5, "the block 'b' is stored already and differs"),
            (6, "the block 'a' is stored already and differs"),
        ]
    assert isinstance(ground.store, DocumentReader)
    assert ground.run(ground.store.documents(ground.scope, DocumentKind.BLOCK)) == [first, second]
