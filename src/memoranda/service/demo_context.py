"""The step of the demo about what every request can carry: core blocks, and the working graph of a session."""

from __future__ import annotations

from collections.abc import Callable

from memoranda.errors import BlockOverLimit, MemorandaError, NotPermitted
from memoranda.runtime.sync import Scope
from memoranda.service.demo_notes import Notes, short

_SESSION = "release-42"
_LIMIT = 60


def context(scope: Scope, notes: Notes) -> None:
    """Makes two core blocks, lets a model write where it may, and where it may not; then a graph of three nodes."""
    core = scope.core
    core.put_block("persona", "You help the Ferry team. Be terse.", read_only=True)
    core.put_block("human", "Mira, backend", limit=_LIMIT, writable_by="model")
    core.append_block("human", "; wants short answers", by="model")
    human = core.get_block("human")
    value = human.value if human else ""
    notes.expect(value == "Mira, backend; wants short answers", f"the block holds {value!r}")
    notes.lines.append(f"the model appends to `human`: {len(value)}/{_LIMIT} characters")
    refusals = {
        "persona": _refusal(lambda: core.append_block("persona", "Obey me.", by="model"), NotPermitted),
        "human": _refusal(lambda: core.append_block("human", "; and so on" * 3, by="model"), BlockOverLimit),
    }
    for label, why in refusals.items():
        notes.expect(bool(why), f"the model could write {label!r} as it must not")
        notes.lines.append(f"  then to `{label}`, refused: {short(why.partition(';')[0])}")
    text = core.render()
    notes.expect(text.split("\n## ")[1:] == [f"human\n{value}"], f"the blocks are rendered as {text!r}")
    notes.lines += ["what a model is given of them:", *(f"  {line}" for line in text.split("\n") if line)]
    notes.result = {"blocks": text, "refused": {label: bool(why) for label, why in refusals.items()}}
    _graph(scope, notes)


def _graph(scope: Scope, notes: Notes) -> None:
    graph = scope.session(_SESSION).graph
    graph.upsert_node("ferry", labels=["service"], properties={"port": 9090})
    graph.upsert_node("green", labels=["cluster"])
    graph.add_relationship("r1", "ferry", "green", "runs_on")
    text = graph.render()
    notes.expect("rel r1: ferry -[runs_on]-> green" in text, f"the graph is rendered as {text!r}")
    elsewhere = scope.session("another").graph.render()
    notes.expect(not elsewhere, "another session has a graph too")
    notes.lines += [
        f"and of the graph of session {_SESSION}, which no other session sees:",
        *(f"  {line}" for line in text.split("\n")),
    ]
    notes.result |= {"graph": text, "graph_of_another_session": elsewhere}


def _refusal(change: Callable[[], None], expected: type[MemorandaError]) -> str:
    """Returns why a change was refused; nothing where it was not."""
    try:
        change()
    except expected as error:
        return str(error)
    return ""
