"""Filling a text line by line within a budget."""

from __future__ import annotations

from memoranda.recall.budget import Filling
from memoranda.records.budget import Budget


def test_a_heading_alone_is_nothing_r04() -> None:
    filling = Filling("# head", Budget())
    assert (filling.text, filling.tokens) == ("", 0)
    assert filling.add("line") is None
    assert (filling.text, filling.tokens) == ("# head\nline", 4)


def test_the_heading_counts_and_what_does_not_fit_changes_nothing_d11() -> None:
    filling = Filling("# head", Budget(bytes=11))
    assert filling.add("lines") == "over the budget of 11 bytes: the block would have 12"
    assert filling.text == ""
    assert filling.add("line") is None
    assert filling.add("") == "over the budget of 11 bytes: the block would have 12"
    assert filling.text == "# head\nline"


def test_tokens_are_counted_over_the_whole_text_c1() -> None:
    seen: list[str] = []

    def words(text: str) -> int:
        seen.append(text)
        return len(text.split())

    filling = Filling("# head", Budget(tokens=4), words)
    assert filling.add("two more") is None
    assert filling.add("one") == "over the budget of 4 tokens: the block would have 5"
    assert (filling.text, filling.tokens) == ("# head\ntwo more", 4)
    assert seen == ["# head\ntwo more", "# head\ntwo more\none"]


def test_bytes_hold_where_a_token_counter_is_wrong_d11() -> None:
    filling = Filling("", Budget(tokens=1, bytes=6), lambda _: 0)
    assert filling.add("漢") is None
    assert filling.add("漢") == "over the budget of 6 bytes: the block would have 7"


def test_entries_are_bounded() -> None:
    filling = Filling("", Budget(entries=1))
    assert filling.add("one") is None
    assert filling.add("two") == "over the budget of 1 entries"
    assert Filling("", Budget(entries=0)).add("one") is not None
