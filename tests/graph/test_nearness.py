"""Which nodes are near to a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.graph import GraphNode
from memoranda.graph.nearness import MAX_NODE_CHARS, MAX_VISITED, WordIndex, words_of

words = st.frozensets(st.sampled_from(("red", "blue", "green")), max_size=3)


def index_of(*rows: tuple[str, str]) -> WordIndex:
    index = WordIndex()
    for id, text in rows:
        index.put(id, words_of(GraphNode(id, properties={"text": text})))
    return index


@pytest.mark.parametrize("text", ["ada", "engineers", "Lovelace", "1843", "deep", "3.5"])
def test_a_node_is_found_by_its_id_labels_and_values(text: str) -> None:
    node = GraphNode(
        "person:ada", labels=("engineer",), properties={"n": ["Lovelace", {"x": "deep"}], "y": 1843, "z": [3.5, True]}
    )
    index = WordIndex()
    index.put(node.id, words_of(node))
    assert set(index.near(f"what about {text}?")) == {node.id}


@pytest.mark.parametrize("text", ["", "?!", "true", "what is the nothing shared"])
def test_a_text_without_a_shared_informative_word_finds_nothing(text: str) -> None:
    assert index_of(("a", "the red house is what it is")).near(text) == {}


def test_more_words_are_nearer_and_rare_words_count_more() -> None:
    index = index_of(("a", "red house"), ("b", "red"), ("c", "red violin"), ("d", "red"))
    near = index.near("red violin house")
    assert near["a"] == near["c"] > near["b"] == near["d"]
    near = index_of(("a", "file function"), ("b", "file function"), ("c", "parser")).near("the file function parser")
    assert near["c"] > near["a"] / 2


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | words), max_size=12))
def test_nearness_depends_only_on_what_is_there(steps: list[tuple[str, frozenset[str] | None]]) -> None:
    index, held = WordIndex(), dict[str, frozenset[str]]()
    for id, these in steps:
        if these is not None:
            index.put(id, these)
            held[id] = these
        elif held.pop(id, None) is not None:
            index.drop(id)
    anew = WordIndex()
    for id, these in held.items():
        anew.put(id, these)
        assert index.of(id) == these
    for text in ("red", "red blue", "green blue red"):
        assert index.near(text) == anew.near(text)


def test_only_the_beginning_of_a_large_node_is_read() -> None:
    index = index_of(("a", "start " + "x " * MAX_NODE_CHARS + "finish"))
    assert set(index.near("start")) == {"a"}
    assert index.near("finish") == {}


def test_words_that_most_nodes_have_are_left_out_where_rarer_ones_are_shared() -> None:
    index = WordIndex()
    for number in range(MAX_VISITED + 1):
        index.put(str(number), frozenset({"common", "rare"} if number == 7 else {"common"}))
    assert set(index.near("common rare")) == {"7"}
    assert len(index.near("common")) == MAX_VISITED + 1
