"""Reads plain text: each paragraph is one fact."""

from __future__ import annotations

from collections.abc import Iterator

from memoranda.service.importing.item import ImportItem, Skipped, checked, file_name, without_mark


def parse(data: str, *, name: str) -> Iterator[ImportItem | Skipped]:
    """Yields one `fact` for each paragraph; one or more blank lines stand between paragraphs.

    The text stays as written, with its line breaks. The source is the line on which the paragraph starts:
    `notes.txt#L12`.
    """
    name = file_name(name)
    for line, text in _paragraphs(without_mark(data)):
        yield checked(ImportItem(text, category="fact", source=f"{name}#L{line}"), f"line {line}")


def _paragraphs(data: str) -> Iterator[tuple[int, str]]:
    """Yields the first line's number and the text of each paragraph."""
    start, lines = 1, list[str]()
    for number, line in enumerate(data.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.strip():
            start = start if lines else number
            lines.append(line.rstrip())
        elif lines:
            yield start, "\n".join(lines).strip()
            lines = []
    if lines:
        yield start, "\n".join(lines).strip()
