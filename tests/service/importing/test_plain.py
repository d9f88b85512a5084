from __future__ import annotations

from memoranda.service.importing.item import ImportItem
from memoranda.service.importing.plain import parse


def test_each_paragraph_is_a_fact_with_its_line() -> None:
    found = list(parse("\ufeffOne\nmore  \r\n\r\n \t\r\nTwo\rthree\n", name="a.txt"))
    assert found == [
        ImportItem("One\nmore", category="fact", source="a.txt#L1"),
        ImportItem("Two\nthree", category="fact", source="a.txt#L5"),
    ]


def test_an_empty_text_holds_nothing() -> None:
    assert not list(parse("", name="a.txt"))
    assert not list(parse(" \n\n\t", name="a.txt"))


def test_a_paragraph_that_is_no_memory_is_reported_and_the_rest_kept() -> None:
    found = list(parse("a\n\n" + "x" * 1_000_001 + "\n\nb", name="a.txt"))
    assert [type(part).__name__ for part in found] == ["ImportItem", "Skipped", "ImportItem"]
    assert "line 3" in str(found[1])
