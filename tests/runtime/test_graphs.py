"""The working graph of a session, kept in the store."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import AsyncMemory, InMemoryStore, Memory, Settings, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.errors import InvalidGraph, MemorandaError, StoreDamaged
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.graph.working import WorkingGraph
from memoranda.protocols.plan import Plan, PlanWriter, Snapshot
from memoranda.protocols.store import DocumentReader, MemoryStore
from memoranda.records.document import DocumentKind
from memoranda.records.scope import Scope
from memoranda.runtime.graphs import AsyncSessionGraph, SessionGraph

STORES: list[Callable[[Path], MemoryStore]] = [
    lambda folder: SqliteStore(folder / "m.db"),
    lambda folder: InMemoryStore(),
]


@pytest.fixture(params=STORES, ids=["sqlite", "in_memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    with Memory(store=request.param(tmp_path), embedder=None) as memory:
        yield memory


@pytest.fixture
def graph(memory: Memory) -> SessionGraph:
    return memory.scope("acme/alice").session("s").graph


def small() -> WorkingGraph:
    graph = WorkingGraph()
    for id in "abc":
        graph.upsert_node(id, labels=["thing"], properties={"name": id})
    graph.add_relationship("1", "a", "b", "knows", weight=0.5)
    graph.add_relationship("2", "b", "c", "knows")
    return graph


def kept(memory: Memory) -> list[str]:
    """Returns the bodies of all graphs in the store."""
    store = memory.store
    assert isinstance(store, DocumentReader)
    found = Stepper().run(store.documents(Scope("acme/alice"), DocumentKind.GRAPH))
    return [document.body for document in found]


def test_both_faces_have_the_same_names_and_arguments() -> None:
    public = {name for name in dir(AsyncSessionGraph) if not name.startswith("_")}
    assert {name for name in dir(SessionGraph) if not name.startswith("_")} == public
    for name in public:
        one, other = getattr(SessionGraph, name), getattr(AsyncSessionGraph, name)
        assert inspect.signature(one) == inspect.signature(other), name
        assert inspect.getdoc(one) == inspect.getdoc(other), name


def test_it_has_the_calls_of_a_working_graph_with_the_same_arguments() -> None:
    others = {"is_empty", "relationship_count", "from_snapshot"}  # `load` gives a graph that has them
    for name in {name for name in dir(WorkingGraph) if not name.startswith("_")} - others:
        one, other = getattr(AsyncSessionGraph, name), getattr(WorkingGraph, name)
        assert inspect.signature(one) == inspect.signature(other), name


def test_every_call_does_what_a_working_graph_does(graph: SessionGraph) -> None:
    """S4.32 to S4.42, kept."""
    model = WorkingGraph()
    for one in (model, graph):
        new = [one.upsert_node(id, labels=iter(["thing"]), properties={"name": id}) for id in "abca"]
        assert new == [True, True, True, False]
        assert one.add_relationship("1", "a", "b", "knows", weight=0.5)
        assert one.add_relationship("2", "b", "c", "knows")
        assert not one.add_relationship("2", "b", "c", "knows")
        assert one.neighbors("b") == ["a", "c"]
        assert one.neighbors("b", "outgoing") == ["c"]
        assert one.traverse("a", 2) == ["a", "b", "c"]
        assert one.is_connected("a", "c")
        assert [node.id for node in one.subgraph("a", 1).nodes()] == ["a", "b"]
        assert one.merge(small()).nodes_kept == 3
        assert one.remove_relationship("1")
        assert one.remove_node("c")
        assert not one.remove_node("c")
    assert graph.snapshot() == model.snapshot()
    assert graph.nodes() == model.nodes()
    assert graph.relationships() == model.relationships() == []
    assert graph.node("a") == model.node("a")
    assert graph.relationship("1") is None
    assert graph.render("a") == model.render("a") != ""
    assert graph.replace(small()).nodes == 3
    assert graph.replace_snapshot(model.snapshot()).nodes == 2


def test_the_graph_is_one_document_as_canonical_json(memory: Memory, graph: SessionGraph) -> None:
    """S4.40."""
    graph.replace(small())
    assert kept(memory) == [small().snapshot().to_json()]
    graph.clear()
    assert kept(memory) == []
    assert graph.render() == ""


def test_what_is_refused_changes_nothing(memory: Memory, graph: SessionGraph) -> None:
    graph.replace(small())
    before = kept(memory)
    with pytest.raises(InvalidGraph):
        graph.add_relationship("3", "a", "nowhere", "knows")
    with pytest.raises(InvalidGraph):
        graph.upsert_node("a", labels="thing")

    def half(graph: WorkingGraph) -> None:
        graph.upsert_node("d")
        graph.add_relationship("3", "d", "nowhere", "knows")

    with pytest.raises(InvalidGraph):
        graph.edit(half)
    assert kept(memory) == before
    assert graph.node("d") is None


def test_edit_makes_several_changes_in_one_commit(graph: SessionGraph) -> None:
    def grow(graph: WorkingGraph) -> int:
        for number in range(10):
            graph.upsert_node(f"n{number}")
        return len(graph)

    assert graph.edit(grow) == 10
    assert len(graph.load()) == 10


def test_what_is_loaded_is_the_callers_own(graph: SessionGraph) -> None:
    graph.replace(small())
    loaded = graph.load()
    loaded.clear()
    graph.subgraph("a", 2).clear()
    assert len(graph.load()) == 3


def test_what_another_handle_wrote_is_seen(memory: Memory, graph: SessionGraph) -> None:
    graph.upsert_node("a")
    other = memory.scope("acme/alice").session("s").graph
    other.upsert_node("b")
    assert [node.id for node in graph.nodes()] == ["a", "b"]
    graph.remove_node("a")
    assert [node.id for node in other.nodes()] == ["b"]


def test_a_row_of_changes_by_one_handle_reads_the_graph_once(
    graph: SessionGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    from_json = GraphSnapshot.from_json

    def counted(text: str) -> GraphSnapshot:
        read.append(text)
        return from_json(text)

    monkeypatch.setattr(GraphSnapshot, "from_json", counted)
    for id in "abc":
        graph.upsert_node(id)
    graph.merge(small())
    graph.remove_node("a")
    assert [node.id for node in graph.nodes()] == ["b", "c"]
    assert read == []


def test_a_graph_that_an_edit_kept_hold_of_changes_nothing_later(memory: Memory, graph: SessionGraph) -> None:
    held = graph.edit(lambda there: (there.upsert_node("a"), there)[1])
    held.upsert_node("stray")
    graph.upsert_node("b")
    assert [node.id for node in graph.nodes()] == ["a", "b"]


def test_secrets_are_masked_before_they_are_stored(memory: Memory, graph: SessionGraph) -> None:
    """S1.27, D10."""
    key = "ghp_" + "a1B2" * 9
    graph.upsert_node("a", properties={"key": key})
    graph.upsert_node("b", properties={"password": "tr0ub4dor-3"})
    graph.add_relationship("1", "a", "b", "uses", properties={"with": key})
    assert key not in kept(memory)[0]
    assert "tr0ub4dor" not in kept(memory)[0]
    assert graph.render().count("[REDACTED]") == 3
    before = kept(memory)
    with pytest.raises(InvalidGraph, match="holds a secret"):
        graph.upsert_node(key)
    assert kept(memory) == before


def test_masking_can_be_switched_off() -> None:
    key = "ghp_" + "a1B2" * 9
    with Memory(":memory:", embedder=None, settings=Settings(redact=False)) as memory:
        graph = memory.scope("a").session("s").graph
        graph.upsert_node("a", properties={"key": key})
        assert key in graph.render()


@pytest.mark.parametrize("body", ["no JSON", '{"nodez":[]}', '{"nodes":[{"id":"a"},{"id":"a"}]}'])
def test_a_graph_that_cannot_be_read_can_be_replaced(memory: Memory, graph: SessionGraph, body: str) -> None:
    """W03: a damaged text says what it is, and what helps."""
    graph.upsert_node("a")
    store = memory.store
    assert isinstance(store, PlanWriter)

    def damage(snapshot: Snapshot) -> Plan[None]:
        [one] = snapshot.documents(DocumentKind.GRAPH, graph._awaited._key.session)
        return Plan(result=None, documents=(replace(one, body=body),))

    Stepper().run(store.write(Scope("acme/alice"), damage))
    for ask in (graph.render, lambda: graph.upsert_node("b"), lambda: graph.merge(small())):
        with pytest.raises(StoreDamaged, match="`clear`, `replace` or `replace_snapshot`"):
            ask()
    assert graph.replace(small()).nodes == 3
    assert len(graph.load()) == 3
    Stepper().run(store.write(Scope("acme/alice"), damage))
    graph.clear()
    assert kept(memory) == []


def test_threads_lose_nothing(memory: Memory) -> None:
    def work(name: str) -> None:
        graph = memory.scope("acme/alice").session("s").graph
        for number in range(20):
            graph.upsert_node(f"{name}{number}")

    threads = [Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory.scope("acme/alice").session("s").graph.load()) == 80


def test_awaited(tmp_path: Path) -> None:
    async def work() -> str:
        async with AsyncMemory(tmp_path / "m.db", embedder=None) as memory:
            graph = memory.scope("a").session("s").graph
            async with anyio.create_task_group() as tasks:
                for id in "abc":
                    tasks.start_soon(graph.upsert_node, id)
            await graph.add_relationship("1", "a", "b", "knows")
            return (await graph.snapshot()).to_json()

    written = anyio.run(work)
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        assert memory.scope("a").session("s").graph.snapshot().to_json() == written
        assert written.count('"id"') == 4


IDS = st.sampled_from("abcd")
OPERATIONS = st.one_of(
    st.tuples(st.just("upsert_node"), IDS),
    st.tuples(st.just("add_relationship"), st.sampled_from("12"), IDS, IDS, st.just("knows")),
    st.tuples(st.just("remove_node"), IDS),
    st.tuples(st.just("remove_relationship"), st.sampled_from("12")),
    st.tuples(st.just("clear")),
)


@given(st.lists(OPERATIONS, max_size=20))
def test_any_row_of_changes_does_what_a_working_graph_does(operations: list[tuple[str, ...]]) -> None:
    graph, model = Memory(store=InMemoryStore(), embedder=None).scope("a").session("s").graph, WorkingGraph()
    for name, *given_ in operations:
        answers = []
        for one in (graph, model):
            try:
                answers.append(getattr(one, name)(*given_))
            except MemorandaError as error:
                answers.append(str(error))
        assert answers[0] == answers[1]
        assert graph.snapshot() == model.snapshot()
