from __future__ import annotations

import pytest

from memoranda.service.importing.item import ImportItem, Skipped
from memoranda.service.importing.markdown import parse


def read(data: str) -> list[str]:
    return [item.memory for item in parse(data, name="n.md") if isinstance(item, ImportItem)]


def test_headings_come_first_and_end_with_the_next_of_their_level() -> None:
    data = "# Deploy\n\n## Staging:\n\nPort 9090\n\n## Production\n- blue\n- green\n\nTeam\n====\nMira"
    assert read(data) == [
        "Deploy > Staging: Port 9090",
        "Deploy > Production: blue",
        "Deploy > Production: green",
        "Team: Mira",
    ]


def test_a_nested_item_stands_under_the_item_above_it() -> None:
    assert read("- Staging:\n  - port 9090\n  - green\n- Other") == [
        "Staging:",
        "Staging: port 9090",
        "Staging: green",
        "Other",
    ]


def test_a_heading_with_nothing_under_it_is_a_fact() -> None:
    assert read("# Notes\n## We release on Tuesday\n## Rest\nx") == ["Notes > We release on Tuesday", "Notes > Rest: x"]


def test_code_is_kept_whole_with_its_fence() -> None:
    assert read("# Run\n\n```sh\nmake\n\n# no heading\n```\n\n    indented\n\n    code") == [
        "Run:\n```sh\nmake\n\n# no heading\n```",
        "Run:\nindented\n\ncode",
    ]


def test_tables_links_quotes_and_bold_names_stay_as_written() -> None:
    data = "| a | b |\n|---|---|\n| 1 | 2 |\n\n[ref]: https://example.org\n\n> said\n\n**Mira:** hello"
    assert read(data) == ["| a | b |\n|---|---|\n| 1 | 2 |", "[ref]: https://example.org", "said", "**Mira:** hello"]


def test_front_matter_rules_and_comments_are_left_out_and_lines_stay_true() -> None:
    (item,) = parse("---\ntitle: x\ntags:\n  - a\n---\n\n<!-- toc -->\n\n***\n\nText", name="n.md")
    assert item == ImportItem("Text", category="fact", source="n.md#L11")


@pytest.mark.parametrize(
    "data", ["---\nA sentence here.\n---\n", "---\n\n---\nA sentence here.", "---\nA sentence here."]
)
def test_a_rule_at_the_start_is_no_front_matter(data: str) -> None:
    assert read(data) == ["A sentence here."]


@pytest.mark.parametrize("mark", ["- ", "> "])
def test_nesting_without_end_is_read_as_plain_text(mark: str) -> None:
    found = list(parse(mark * 1000 + "x\n\nlast", name="n.md"))
    assert isinstance(found[0], Skipped)
    assert "nested deeper" in found[0].reason
    assert found[1:] == [
        ImportItem(mark * 1000 + "x", category="fact", source="n.md#L1"),
        ImportItem("last", category="fact", source="n.md#L3"),
    ]
