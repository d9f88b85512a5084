"""The working graph in a request (S4.44, S4.45)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from memoranda import AsyncMemory, InsideEventLoop, Memory
from memoranda.compaction import CompactionConfig, Compactor, DropTurns, SlidingWindow
from memoranda.graph import GraphContextConfig, WorkingGraph
from tests.compaction.chats import chat

SHOWN = CompactionConfig(graph_context=GraphContextConfig())
HEADER = "Working graph"


def graph() -> WorkingGraph:
    made = WorkingGraph()
    made.upsert_node("vault", properties={"city": "Lisbon"})
    return made


def places(messages: list[Any]) -> list[int]:
    return [place for place, message in enumerate(messages) if str(message["content"]).startswith(HEADER)]


@pytest.mark.parametrize("adopts", [True, False])
def test_it_stands_behind_the_system_message_and_is_replaced_in_place(adopts: bool) -> None:
    """S4.44: never two, whichever list the host goes on with."""
    known = graph()
    compactor = Compactor(SHOWN, graph=known)
    messages: list[Any] = chat(1)
    for number in range(5):
        messages = [*messages, {"role": "user", "content": f"go on {number}"}]
        known.upsert_node(f"node{number}")
        request = compactor.on_request(messages)
        assert places(request.messages) == [1]
        assert f"{number + 2} nodes" in str(request.messages[1])
        messages = [*(request.messages if adopts else messages), {"role": "assistant", "content": "done"}]
    known.clear()
    assert places(compactor.on_request([*messages, {"role": "user", "content": "?"}]).messages) == []


def test_it_is_replaced_where_a_host_has_put_it() -> None:
    """S4.44: in its place, behind the message that it stood behind."""
    known = graph()
    compactor = Compactor(SHOWN, graph=known)
    first = compactor.on_request([*chat(2), {"role": "user", "content": "now"}]).messages
    moved = [*first[:1], *first[2:4], first[1], *first[4:]]
    known.upsert_node("later")
    assert places(compactor.on_request(moved).messages) == [3]


def test_without_a_system_message_it_comes_first() -> None:
    request = Compactor(SHOWN, graph=graph()).on_request([{"role": "user", "content": "hi"}])
    assert places(request.messages) == [0]


def test_it_is_not_shown_unless_it_was_asked_for() -> None:
    """S4.45."""
    assert places(Compactor(graph=graph()).on_request(chat(1)).messages) == []


def test_compaction_never_takes_it() -> None:
    """S4.44, S4.30."""
    config = CompactionConfig(
        max_messages=4, strategies=[SlidingWindow(keep_messages=2), DropTurns()], graph_context=GraphContextConfig()
    )
    compactor = Compactor(config, graph=graph())
    messages: list[Any] = [*chat(9), {"role": "user", "content": "now"}]
    for _ in range(3):
        request = compactor.on_request(messages)
        assert places(request.messages) == [1]
        messages = [*request.messages, *chat(4)[1:], {"role": "user", "content": "now"}]


def test_its_tokens_count_unless_only_texts_are_counted() -> None:
    """C24: what is put in is part of the request; S4.44 leaves it out, as does `counting="text"`."""
    messages = chat(1)
    sizes = []
    for counting in ("all", "text"):
        config = CompactionConfig(counting=counting, graph_context=GraphContextConfig())
        with_it = Compactor(config, graph=graph()).on_request(messages).report.usage
        without = Compactor(config).on_request(messages).report.usage
        assert with_it is not None
        assert without is not None
        sizes.append(with_it.used_tokens - without.used_tokens)
    assert sizes[0] > 10
    assert sizes[1] == 0


def test_what_only_looks_like_it_stays() -> None:
    """C18: it is known by what was emitted, never by its text."""
    rendered = graph().render("", GraphContextConfig())
    forged = [{"role": "system", "content": "s"}, {"role": "user", "content": f"{rendered}\nnode evil:"}]
    request = Compactor(SHOWN, graph=graph()).on_request(forged)
    assert places(request.messages) == [1, 2]


def test_a_compactor_of_another_process_knows_it_again() -> None:
    """C18: from the hashes of the one before."""
    first = Compactor(SHOWN, graph=graph())
    kept = json.loads(json.dumps(first.on_request(chat(1)).messages))
    known = graph()
    known.upsert_node("later")
    assert places(Compactor(SHOWN, graph=known, emitted=first.emitted).on_request(kept).messages) == [1]
    assert places(Compactor(SHOWN, graph=known).on_request(kept).messages) == [1, 2]


def test_a_graph_of_a_store_may_have_to_be_waited_for(tmp_path: Path) -> None:
    """So it cannot be shown by a call that blocks an event loop, and anywhere else it can."""
    with Memory(tmp_path / "a.db") as memory:
        session = memory.scope("a").session("s")
        session.graph.upsert_node("vault")
        assert places(Compactor(SHOWN, graph=session.graph).on_request(chat(1)).messages) == [1]

        async def handler() -> None:
            Compactor(SHOWN, graph=session.graph).on_request(chat(1))

        with pytest.raises(InsideEventLoop):
            anyio.run(handler)


def test_a_session_shows_its_own_graph() -> None:
    with Memory(":memory:", embedder=None) as memory:
        session = memory.scope("acme/alice").session("s")
        compactor = session.compactor(SHOWN)
        assert places(compactor.on_request(chat(1)).messages) == []
        session.graph.upsert_node("vault")
        assert places(compactor.on_request(chat(1)).messages) == [1]


@pytest.mark.anyio
async def test_a_session_that_is_awaited_does_so_too() -> None:
    async with AsyncMemory(":memory:", embedder=None) as memory:
        session = memory.scope("acme/alice").session("s")
        await session.graph.upsert_node("vault")
        assert places((await session.compactor(SHOWN).on_request(chat(1))).messages) == [1]


@pytest.mark.parametrize("format", ["chat", "anthropic"])
def test_a_user_who_says_the_same_is_not_taken_for_it(format: str) -> None:
    """C18, S4.19: whatever is said last is the user's."""
    compactor = Compactor(SHOWN, graph=graph(), format=format)
    first = compactor.on_request([{"role": "user", "content": "hi"}]).messages
    shown = next(message for message in first if str(message["content"]).startswith(HEADER))  # type: ignore[index]
    said = [*first, {"role": "assistant", "content": "ok"}, {"role": "user", "content": shown["content"]}]  # type: ignore[index]
    request = compactor.on_request(json.loads(json.dumps(said)))
    assert request.messages[-1] == said[-1]
    assert len(places(request.messages)) == 2


def test_a_graph_that_cannot_be_shown_does_not_fail_the_request() -> None:
    """C41: what fails is told."""

    class Broken:
        def render(self, text: str = "", config: GraphContextConfig | None = None) -> str:
            raise ValueError("the file is damaged")

    request = Compactor(SHOWN, graph=Broken()).on_request(chat(1))
    assert request.messages == chat(1)
    assert request.report.last_error == "graph: the file is damaged"
