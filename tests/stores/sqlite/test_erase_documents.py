"""Erased documents are nowhere in the files, by a search made outside the product (design D16)."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import Memory, Settings
from memoranda.memory.context import Context
from memoranda.memory.erase import erase, erase_documents, erase_scope, finish_erasures
from memoranda.protocols.plan import Plan
from memoranda.records.document import Document, DocumentKind
from memoranda.records.scope import Scope
from memoranda.stores.sqlite.queries import queries
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.documents import made
from memoranda.testing.ground import fact
from tests.stores.sqlite.files import SCOPE, is_sound, run, sql
from tests.stores.sqlite.raw import holding
from tests.stores.sqlite.test_erase import LONG, free_places

SECRET = "zyxglonk vurpstadt 7391 quibbelfax"
SECRETS = {
    "plain": SECRET,
    "in JSON": '{"text": "glonk \\"quoted\\"\\nvurpstadt 纯粋な秘密"}',
    "short": "\ubdc1",
    "long": LONG,
}
PUTS = st.lists(st.tuples(st.integers(0, 7), st.sampled_from([1, 20, 300, 3000])), max_size=20)


def put(store: SqliteStore, *documents: Document, scope: Scope = SCOPE) -> None:
    run(store.write(scope, lambda snapshot: Plan(result=None, documents=documents)))


def filler(number: int, words: int) -> Document:
    body = " ".join(f"w{number * 7919 + part * 104_729:x}" for part in range(words))
    return made(f"filler {number}", body, kind=list(DocumentKind)[number % 4])


@settings(max_examples=25)
@given(
    before=PUTS,
    after=PUTS,
    secret=st.sampled_from(sorted(SECRETS)),
    kind=st.sampled_from(DocumentKind),
    how=st.sampled_from(["by its key", "with its entry", "with its scope"]),
    shared=st.booleans(),
)
def test_an_erased_document_is_nowhere_and_the_rest_is_as_it_was(
    before: list[tuple[int, int]],
    after: list[tuple[int, int]],
    secret: str,
    kind: DocumentKind,
    how: str,
    shared: bool,
) -> None:
    other, named = Scope("other"), fact("the entry that it names")
    target = made("target", SECRETS[secret], kind=kind, session="s", entries=(named.id,))
    with TemporaryDirectory() as kept:
        with closing(SqliteStore(Path(kept, "m.db"), settings=Settings(durability="relaxed"))) as store:
            put(store, *(filler(*one) for one in before))
            put(store, target)
            run(store.write(SCOPE, lambda snapshot: Plan(result=None, puts=(named,))))
            put(store, *([target] if shared else []), made("elsewhere"), scope=other)
            for one in after:
                put(store, filler(*one))
            mine, theirs = (run(store.whole(scope)).documents for scope in (SCOPE, other))
            context = Context(store)
            match how:
                case "by its key":
                    receipt = run(erase_documents(context, SCOPE, lambda _: [target.key]))
                case "with its entry":
                    receipt = run(erase(context, SCOPE, named.id))
                case _:
                    receipt = run(erase_scope(context, SCOPE, confirm=SCOPE.path))
            assert receipt.verified == "yes", receipt.because
            assert holding(Path(kept), SECRETS[secret][:24]) == ({"m.db"} if shared else set())
            if secret == "long" and not shared:
                assert not any(holding(Path(kept), LONG[at : at + 24]) for at in range(0, len(LONG), 40_000))
            left = [] if how == "with its scope" else [document for document in mine if document != target]
            assert list(run(store.whole(SCOPE)).documents) == left
            assert receipt.counts.documents == len(mine) - len(left)
            assert run(store.whole(other)).documents == theirs
        assert is_sound(Path(kept, "m.db"))


def test_what_a_graph_said_before_is_cleaned_though_nobody_knows_it(tmp_path: Path) -> None:
    """A graph is overwritten in place and has no revisions; a moved cell may leave a former body in free space."""
    path, graph = tmp_path / "m.db", made("g", "what it says today", kind=DocumentKind.GRAPH)
    with closing(SqliteStore(path)) as store:
        put(store, made("block"), replace(graph, body=SECRET))
        put(store, graph)
    data = bytearray(path.read_bytes())
    place = free_places(data)[-1]
    data[place : place + 24] = SECRET.encode()[5:29]
    path.write_bytes(data)
    with closing(SqliteStore(path)) as store:
        assert run(erase_documents(Context(store), SCOPE, lambda _: [graph.key])).verified == "yes"
        assert holding(tmp_path, SECRET[5:29]) == set()
        assert run(store.documents(SCOPE, DocumentKind.BLOCK)) == [made("block")]


@pytest.mark.parametrize("finished_by", ["next erasure", "opening"])
def test_an_owed_proof_holds_neither_name_nor_body(tmp_path: Path, finished_by: str) -> None:
    """As after a crash between the commit and the proof: the next erasure, or the next opening, finishes it."""
    path, block = tmp_path / "m.db", made("vurpstadt", SECRET)
    with closing(SqliteStore(path)) as store:
        put(store, block, made("later", "glonk " * 40))
        run(store.write(SCOPE, lambda _: Plan(result=None, erased_documents=(block.key,))))
        assert run(store.owed_erasures()) == 1
        (row,) = sql(path, "SELECT id, typeof(id), length(id) FROM erasures")
        assert row[1:] == ("blob", 16)
        if finished_by == "next erasure":
            receipt = run(erase_documents(Context(store), SCOPE, lambda _: [made("later").key]))
            assert (receipt.verified, receipt.counts.documents) == ("yes", 1)
            assert run(store.owed_erasures()) == 0
    with closing(SqliteStore(path)) as store:
        store.open()
        assert run(store.owed_erasures()) == 0
        assert run(finish_erasures(Context(store))).proved
    assert holding(tmp_path, "vurpstadt") == set()


def test_a_document_that_is_only_dropped_owes_no_proof(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "m.db")) as store:
        put(store, made("a"))
        run(store.write(SCOPE, lambda _: Plan(result=None, dropped=(made("a").key,))))
        assert run(store.owed_erasures()) == 0
        assert sql(tmp_path / "m.db", "SELECT count(*) FROM document_entries") == [(0,)]


def test_a_copy_beside_the_file_that_holds_it_is_named(tmp_path: Path) -> None:
    """By a document's own id: one of the same name that was put after the copy is not taken for it."""
    name = "m.db.doctor.bak"
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        store = memory.store
        assert isinstance(store, SqliteStore)
        context, first = Context(store), made("first", SECRET)
        put(store, first, made("again", "glonk"))
        memory.backup(tmp_path / name)
        run(store.write(SCOPE, lambda _: Plan(result=None, dropped=(made("again").key,))))
        put(store, made("again", "said after the copy"))
        assert run(erase_documents(context, SCOPE, lambda _: [made("again").key])).verified == "yes"
        receipt = run(erase_documents(context, SCOPE, lambda _: [first.key]))
        assert receipt.verified == "pending"
        assert name in receipt.because
        (tmp_path / name).unlink()
        proof = memory.finish_erasures()
        assert (proof.proved, proof.settled, proof.owed) == (True, 1, 0)
    assert holding(tmp_path, SECRET[:24]) == set()


def test_documents_are_found_by_index_and_listed_without_sorting(tmp_path: Path) -> None:
    """What a listing or a search by entry costs does not follow other documents, nor the bodies."""
    with closing(SqliteStore(tmp_path / "m.db")) as store:
        put(store, *(filler(number, 20) for number in range(8)))
    values = {"scope": 1, "kind": "span", "session": "", "name": "x", "ids": "[]", "at": 0, "body": ""}
    for name in ("document", "documents_of_kind", "documents_of_session", "documents_of_scope", "documents_naming"):
        plan = [str(row[3]) for row in _explain(tmp_path / "m.db", queries()[name], values)]
        assert "USE TEMP B-TREE FOR ORDER BY" not in plan, plan
        assert not [step for step in plan if step.startswith("SCAN documents")], plan


def _explain(path: Path, statement: str, values: dict[str, object]) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(path))) as connection:
        return list(connection.execute(f"EXPLAIN QUERY PLAN {statement}", values))
