"""The commands `graph ...`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory

Call = Callable[..., Any]
Graph = Callable[..., Any]
SCHEMA = {
    "entities": [
        {"name": "person", "columns": [{"name": "name", "required": True}], "identity_columns": ["name"]},
    ],
}


@pytest.fixture
def graph(call: Call) -> Graph:
    """Calls `memoranda graph` on the session `s`."""

    def run(*args: str, **given: Any) -> Any:
        return call("graph", *args, "--session", "s", **given)

    return run


@pytest.fixture
def small(graph: Graph) -> dict[str, Any]:
    """Puts three nodes and two relationships, and returns them as JSON."""
    graph("add-node", "ada", "--label", "person", "--properties", '{"born": 1815}')
    graph("add-node", "engines", "--label", "company", "--label", "old")
    graph("add-node", "alone")
    graph("add-relationship", "r1", "ada", "engines", "works_at", "--weight", "0.5")
    graph("add-relationship", "r2", "engines", "ada", "employs", "--properties", '{"since": 1842}')
    return dict(graph("show", "--json").json)


def test_nodes_and_relationships_are_put_and_removed(graph: Graph, small: dict[str, Any]) -> None:
    """S4.33, S4.34, S4.35."""
    assert small == {
        "nodes": [
            {"id": "ada", "labels": ["person"], "properties": {"born": 1815}},
            {"id": "alone", "labels": [], "properties": {}},
            {"id": "engines", "labels": ["company", "old"], "properties": {}},
        ],
        "relationships": [
            {"id": "r1", "from": "ada", "to": "engines", "kind": "works_at", "weight": 0.5, "properties": {}},
            {"id": "r2", "from": "engines", "to": "ada", "kind": "employs", "weight": 1.0,
             "properties": {"since": 1842}},
        ],
    }  # fmt: skip
    assert graph("add-node", "ada", "--json").json == {"outcome": "replaced", "node": "ada"}
    again = ("add-relationship", "r1", "ada", "engines", "works_at", "--weight", "0.5")
    assert graph(*again).out == "unchanged: relationship r1\n"
    assert graph("remove-relationship", "r1").out == "removed: relationship r1\n"
    assert graph("remove-node", "engines", "--json").json == {"outcome": "removed", "node": "engines"}
    assert graph("show", "--json").json == {
        "nodes": [{"id": "ada", "labels": [], "properties": {}}, {"id": "alone", "labels": [], "properties": {}}],
        "relationships": [],
    }


@pytest.mark.parametrize("args", [("show",), ("show", "--format", "table"), ("stats",)])
def test_no_name_forges_a_line(graph: Graph, args: tuple[str, ...]) -> None:
    """C19: an id, a label or a kind with a line break stays on its line."""
    forged = "x\nFORGED"
    graph("add-node", forged, "--label", forged)
    graph("add-relationship", forged, forged, forged, forged)
    out = graph(*args).out
    assert r"x\nFORGED" in out
    assert not [line for line in out.splitlines() if line.lstrip().startswith("FORGED")]


def test_a_tree_or_tables(graph: Graph, small: dict[str, Any]) -> None:
    tree = graph("show").out
    assert tree.splitlines() == [
        'ada [person] {"born":1815}',
        "├── -[works_at 0.5]-> engines [company, old]",
        "└── <-[employs]- engines (elsewhere)",
        "alone",
    ]
    tables = graph("show", "--format", "table").out
    for part in ("ada -[works_at]-> engines", "company, old", '{"born":1815}', "0.5", 'r2 {"since":1842}'):
        assert part in tables
    rooted = graph("show", "--root", "alone")
    assert (rooted.out, "not shown: 2 nodes, 2 relationships" in rooted.err) == ("alone\n", True)
    for format in ("tree", "table"):
        limited = graph("show", "--limit", "1", "--format", format)
        assert "ada" in limited.out
        assert "alone" not in limited.out
        assert "not shown: " in limited.err


def test_neighbors_stats_and_the_text_for_a_model(graph: Graph, small: dict[str, Any]) -> None:
    """S4.36, S4.42, S4.43."""
    assert graph("neighbors", "ada").out == "engines\n"
    assert graph("neighbors", "alone", "--direction", "outgoing").err == "no neighbours in that direction\n"
    assert graph("neighbors", "ada", "--json").json == {"id": "ada", "direction": "any", "neighbors": ["engines"]}
    stats = graph("stats", "--json").json
    assert (stats["nodes"], stats["relationships"], stats["alone"]) == (3, 2, 1)
    assert stats["labels"] == {"company": 1, "old": 1, "person": 1}
    assert "3 of at most 10000" in graph("stats").out
    rendered = graph("render", "--text", "where does Ada work?", "--max-nodes", "1", "--max-relationships", "1").out
    assert rendered.splitlines()[0].endswith("3 nodes, 2 relationships")
    assert "node ada: " in rendered
    assert "... 2 more nodes omitted" in rendered
    assert graph("render", "--max-nodes", "1", "--json").json["text"].count("\nnode ") == 1


def test_an_empty_graph_is_an_answer(graph: Graph) -> None:
    for args in (("show",), ("show", "--format", "table"), ("render",)):
        answer = graph(*args)
        assert (answer.code, answer.out) == (0, "")
        assert "the graph is empty" in answer.err
    assert graph("show", "--json").json == {"nodes": [], "relationships": []}
    assert graph("clear").out == "removed: 0 nodes, 0 relationships\n"


def test_export_and_import_lose_nothing(graph: Graph, small: dict[str, Any], tmp_path: Path) -> None:
    """S4.40: the same bytes as the library writes; the nasty id as well."""
    graph("add-node", 'say "hi"\n\\ \x1b 日本')
    text = graph("export").out
    (tmp_path / "g.json").write_text(text, "utf-8")
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        assert text == memory.scope("default").session("s").graph.snapshot().to_json() + "\n"
    assert graph("clear", "--yes", "--json").json == {"nodes": 4, "relationships": 2}
    assert graph("import", "g.json", "--json").json["nodes_added"] == 4
    assert graph("export").out == text
    assert graph("import", "-", input=text).out == (
        "nodes: 0 added, 0 overwritten, 4 kept\n"
        "relationships: 0 added, 0 overwritten, 0 renamed, 2 there already\n"
    )  # fmt: skip
    dot = graph("export", "--format", "dot").out
    assert dot.startswith("digraph {\n")
    assert r'label="say \"hi\"\n\\ \\x1b 日本"' in dot
    assert graph("export", "--format", "dot", "--json").json == {"dot": dot}


def test_what_is_there_is_kept_overwritten_or_replaced(graph: Graph, small: dict[str, Any]) -> None:
    """S4.37, S4.38, C21."""
    incoming = json.dumps(
        {
            "nodes": [{"id": "ada", "labels": ["poet"]}, {"id": "new"}],
            "relationships": [{"id": "r1", "from": "ada", "to": "new", "kind": "likes"}],
        }
    )
    kept = graph("import", "-", input=incoming)
    assert "  renamed  r1 -> r1-2\n" in kept.out
    nodes = {node["id"]: node["labels"] for node in graph("show", "--json").json["nodes"]}
    assert (nodes["ada"], sorted(nodes)) == (["person"], ["ada", "alone", "engines", "new"])
    report = graph("import", "-", "--merge", "overwrite", "--json", input=incoming).json
    assert (report["nodes_overwritten"], report["relationships_unchanged"], report["renamed"]) == (2, 1, {})
    assert {node["id"]: node["labels"] for node in graph("show", "--json").json["nodes"]}["ada"] == ["poet"]
    assert graph("import", "-", "--replace", "--json", input=incoming).json["nodes_added"] == 2
    shown = graph("show", "--json").json
    assert [node["id"] for node in shown["nodes"]] == ["ada", "new"]
    assert [each["id"] for each in shown["relationships"]] == ["r1"]


def test_rows_are_imported_by_their_schema(graph: Graph, tmp_path: Path) -> None:
    """S4.53, S4.54."""
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    rows = {"entities": [{"table": "person", "properties": {"name": "Ada"}}]}
    assert graph("import", "-", "--schema", "schema.json", input=json.dumps(rows)).code == 0
    (node,) = graph("show", "--json").json["nodes"]
    assert node["id"] == "entity:6:person:object:1:4:namestring:3:Ada"
    rows["entities"] += [{"table": "city", "properties": {}}]
    wrong = graph("import", "-", "--schema", "schema.json", "--replace", input=json.dumps(rows))
    assert (wrong.code, wrong.out) == (1, "")
    assert "entities[1]: unknown table 'city'" in wrong.err
    assert wrong.err.count("\n") == 1
    assert graph("show", "--json").json["nodes"] == [node]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{", "stdin: the snapshot is not JSON"),
        (b'{"nodes": [{"id": "x"}], "edges": []}', "unknown field 'edges'"),
        (b'{"entities": []}', "rows of an extraction need --schema"),
        (b'{"nodes": [{"id": "x"}, {"id": "x"}]}', "'x' twice"),
        (b'{"nodes": [{"id": "x"}], "relationships": [{"id": "r", "from": "x", "to": "y", "kind": "k"}]}', "'y'"),
        (b"\xff", "UTF-8"),
    ],
)
@pytest.mark.parametrize("how", [(), ("--merge", "overwrite"), ("--replace",)])
def test_a_wrong_file_changes_nothing(
    graph: Graph, small: dict[str, Any], text: bytes, says: str, how: tuple[str, ...]
) -> None:
    """S4.41."""
    answer = graph("import", "-", *how, input=text)
    assert answer.code in (1, 2)
    assert answer.out == ""
    assert says in answer.err
    assert answer.err.count("\n") == 1
    assert graph("show", "--json").json == small


def test_clear_asks_first(graph: Graph, small: dict[str, Any]) -> None:
    no = graph("clear", input="n\n")
    assert (no.code, no.out) == (1, "")
    assert "all 3 nodes and 2 relationships" in no.err
    assert graph("show", "--json").json == small
    assert graph("clear", input="y\n").out == "removed: 3 nodes, 2 relationships\n"
    assert graph("show", "--json").json["nodes"] == []


def test_each_session_has_a_graph_of_its_own(call: Call) -> None:
    places = [("--session", "s"), ("--session", "s", "--agent", "a"), ("--session", "s", "--slot", "a")]
    for number, place in enumerate(places):
        call("graph", "add-node", str(number), *place)
    for number, place in enumerate(places):
        assert [node["id"] for node in call("graph", "show", "--json", *place).json["nodes"]] == [str(number)]


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("neighbors", "nobody"), 3, "no node 'nobody'"),
        (("remove-node", "nobody"), 3, "`graph show`"),
        (("remove-relationship", "nobody"), 3, "no relationship 'nobody'"),
        (("show", "--root", "nobody"), 3, "no node 'nobody'"),
        (("show", "--root", "ada", "--format", "table"), 2, "--format tree"),
        (("show", "--limit", "0"), 2, "--limit"),
        (("add-relationship", "r", "nobody", "ada", "k"), 1, "`from` of relationship 'r' is 'nobody'"),
        (("add-relationship", "r", "ada", "ada", "k", "--weight", "nan"), 1, "finite"),
        (("add-node", " "), 1, "blank"),
        (("add-node", "x", "--properties", "[]"), 2, "no JSON object"),
        (("import", "missing.json"), 1, "No such file or directory: missing.json"),
        (("import", "-", "--schema", "-"), 2, "only one of FILE and --schema"),
        (("import", "-", "--merge", "keep", "--replace"), 2, "either --merge or --replace"),
        (("clear",), 2, "--yes"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(
    graph: Graph, small: dict[str, Any], args: tuple[str, ...], code: int, says: str
) -> None:
    answer = graph(*args)
    assert (answer.code, answer.out) == (code, "")
    assert "error: " in answer.err
    assert says in answer.err
    assert graph("show", "--json").json == small


def test_a_session_must_be_named(call: Call) -> None:
    answer = call("graph", "show", "--json")
    assert (answer.code, answer.out) == (2, "")
    assert "--session" in json.loads(answer.err)["error"]["message"]


def test_a_terminal_of_few_characters_gets_plain_lines(graph: Graph, small: dict[str, Any]) -> None:
    from click.testing import CliRunner

    from memoranda.cli import main

    runner = CliRunner(charset="ascii")
    out = runner.invoke(main, ["graph", "show", "--session", "s"], prog_name="memoranda").stdout
    assert "`-- <-[employs]- engines (elsewhere)" in out


def test_a_graph_is_erased_with_proof(call: Call, tmp_path: Path) -> None:
    """D16: what it said before its changes is gone from the file, too."""
    for city in ("Lisbon-7741", "Porto-9902"):
        call("graph", "add-node", "vault", "--properties", f'{{"city": "{city}"}}', "--session", "s")
    answer = call("graph", "erase", "--session", "s", "--yes", "--json")
    assert (answer.code, answer.json["documents"], answer.json["verified"]) == (0, 1, "yes")
    files = list(tmp_path.glob("*.db*"))
    assert files
    held = b"".join(path.read_bytes() for path in files)
    assert b"Lisbon-7741" not in held
    assert b"Porto-9902" not in held
