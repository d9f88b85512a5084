"""The handle of one conversation."""

from __future__ import annotations

import inspect

import pytest

from memoranda import AsyncMemory, InMemoryStore, Memory
from memoranda.errors import InvalidEntry
from memoranda.records.session import SessionKey
from memoranda.runtime.session import AsyncSession, Session


@pytest.fixture
def memory() -> Memory:
    return Memory(store=InMemoryStore(), embedder=None)


def test_a_session_is_its_id_its_agent_and_its_slot(memory: Memory) -> None:
    scope = memory.scope("acme/alice")
    assert scope.session("s-1").key == SessionKey("s-1")
    assert scope.session("s-1", agent="helper", slot="b").key == SessionKey("s-1", "helper", "b")
    assert AsyncMemory(store=InMemoryStore(), embedder=None).scope("a").session("s").key == SessionKey("s")


def test_a_session_is_not_made_by_asking_for_it(memory: Memory) -> None:
    memory.scope("acme/alice").session("s-1")
    assert memory.scopes() == []


@pytest.mark.parametrize("names", [("",), ("  ",), ("s", "x" * 1001), ("s", "", "\ud800"), (5,)])
def test_names_that_no_session_can_have(memory: Memory, names: tuple[str, ...]) -> None:
    id, agent, slot = (*names, "", "")[:3]
    with pytest.raises(InvalidEntry):
        memory.scope("a").session(id, agent=agent, slot=slot)


def test_both_faces_have_the_same_names_and_documentation() -> None:
    public = {name for name in dir(AsyncSession) if not name.startswith("_")}
    assert {name for name in dir(Session) if not name.startswith("_")} == public
    for name in public:
        assert inspect.getdoc(getattr(Session, name)) == inspect.getdoc(getattr(AsyncSession, name)), name


def test_sessions_of_one_key_see_the_same(memory: Memory) -> None:
    scope = memory.scope("a")
    scope.session("s").core.put_block("a", "1")
    scope.session("s").graph.upsert_node("n")
    assert scope.session("s").core.render() == "## a\n1"
    assert [node.id for node in scope.session("s").graph.nodes()] == ["n"]
    assert scope.session("s", slot="b").graph.nodes() == []
