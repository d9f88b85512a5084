from __future__ import annotations

from collections import Counter
from itertools import islice

from memoranda.bench.speed.texts import CHARACTERS, Language


def test_texts_are_the_same_in_every_run_and_of_one_length() -> None:
    texts = list(islice(Language().texts("a"), 500))
    assert texts == list(islice(Language().texts("a"), 500))
    assert texts != list(islice(Language().texts("b"), 500))
    assert {len(text) for text in texts} == {CHARACTERS}
    assert len(set(texts)) == 500


def test_words_are_as_common_and_as_rare_as_those_of_a_language() -> None:
    counts = Counter(word for text in islice(Language().texts("a"), 2000) for word in text[:-1].split()[:-1])
    commonest = [count for _, count in counts.most_common(100)]
    assert commonest[0] > 3 * commonest[9] > 9 * commonest[99] / 2
    assert sum(count == 1 for count in counts.values()) > len(counts) / 4


def test_queries_ask_for_words_that_the_texts_have() -> None:
    language = Language()
    words = {word for text in islice(language.texts("a"), 5000) for word in text.split()}
    queries = list(islice(language.queries("a"), 100))
    assert queries == list(islice(Language().queries("a"), 100))
    assert {len(query.split()) for query in queries} == {3, 4, 5, 6}
    assert sum(any(word in words for word in query.split()) for query in queries) > 95
