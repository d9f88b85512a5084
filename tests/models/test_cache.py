from hypothesis import given
from hypothesis import strategies as st

from memoranda.models.cache import VectorCache


def test_a_query_and_a_document_of_one_text_are_two_things() -> None:
    cache = VectorCache(10_000)
    cache.put("text", "document", b"d")
    assert cache.get("text", "query") is None
    assert cache.get("text", "document") == b"d"
    assert cache.gauges() == (1, 1, 1, 201)


def test_the_least_used_leaves_first() -> None:
    cache = VectorCache(3 * 204)
    for text in "abc":
        cache.put(text, "document", b"1234")
    cache.get("a", "document")
    cache.put("d", "document", b"1234")
    assert [text for text in "abcd" if cache.get(text, "document")] == ["a", "c", "d"]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.binary(max_size=300)), max_size=40), st.integers(0, 1000))
def test_the_bound_holds_whatever_comes(puts: list[tuple[str, bytes]], bound: int) -> None:
    cache = VectorCache(bound)
    for text, vector in puts:
        cache.put(text, "document", vector)
        _, _, count, size = cache.gauges()
        assert size <= bound
        assert (size == 0) == (count == 0)
