"""Reads Markdown notes: each list item, paragraph and code block is one fact, under its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memoranda.service.importing import plain
from memoranda.service.importing.item import ImportItem, Skipped, checked, file_name, without_mark

_DEEPEST = 200
"""Deepest nesting of lists and quotes that is read."""
# Only blocks are wanted: text stays as written, and a link definition is a paragraph like any other.
_BLOCKS = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).disable(["inline", "reference"])
_FRONT_LINE = re.compile(r"\s|#|-\s|[\w.-]+\s*:|$")
_FRONT_KEY = re.compile(r"[\w.-]+\s*:")


def parse(data: str, *, name: str) -> Iterator[ImportItem | Skipped]:
    """Yields one `fact` for each list item, paragraph and code block.

    The headings above it come first in the text, so that their words find it: `Deploy > Staging: the port is 9090`.
    An item of a nested list stands under the first line of the item above it as well. A heading with nothing under
    it is a fact itself. Code is kept whole, with its fence; a table is kept whole. Markup within a line stays as
    written. Left out by rule: YAML front matter, rules between sections, HTML comments.

    The source is the line on which the part starts: `notes.md#L12`. A name before a colon is read as part of the
    text, never as a speaker: a note says "Release day: Thursday" in the same way. A file that is nested too deeply
    is read as plain text, and a `Skipped` says so.
    """
    tokens = _BLOCKS.parse(_without_front_matter(without_mark(data)))
    if any(token.nesting == 1 and token.level >= _DEEPEST - 2 for token in tokens):
        # The library stops reading at its limit, so the tokens would not hold the rest of the file.
        reason = f"lists or quotes are nested deeper than {_DEEPEST} levels; the file is read as plain text instead"
        yield Skipped("headings and lists", reason)
        yield from plain.parse(data, name=name)
        return
    outline = _Outline(file_name(name))
    for token in tokens:
        yield from outline.read(token)
    yield from outline.leave_headings(1)


@dataclass(slots=True)
class _Heading:
    level: int
    title: str
    line: int
    is_used: bool = False


@dataclass(slots=True)
class _Outline:
    """Where in the document the reader stands."""

    name: str
    headings: list[_Heading] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    heading_level: int = 0

    def read(self, token: Token) -> Iterator[ImportItem | Skipped]:
        """Takes the next token; yields what it completes."""
        line = token.map[0] + 1 if token.map else 0
        match token.type:
            case "heading_open" if token.level == 0:
                self.heading_level = int(token.tag.removeprefix("h"))
                yield from self.leave_headings(self.heading_level)
            case "heading_close":
                self.heading_level = 0
            case "inline" if self.heading_level:
                self.headings.append(_Heading(self.heading_level, " ".join(token.content.split()), line))
            case "inline" | "fence" | "code_block" | "html_block":
                yield from self._part(token, line)
            case "list_item_open":
                self.labels.append(None)
            case "list_item_close":
                self.labels.pop()

    def leave_headings(self, level: int) -> Iterator[ImportItem | Skipped]:
        """Leaves the headings of `level` and deeper; yields those under which nothing stood."""
        while self.headings and self.headings[-1].level >= level:
            heading = self.headings[-1]
            if not heading.is_used and heading.title:
                yield self._item(" > ".join(self._titles()), heading.line)
            self.headings.pop()

    def _part(self, token: Token, line: int) -> Iterator[ImportItem | Skipped]:
        text = _text_of(token)
        if not text:
            return
        above = self._titles() + [label for label in self.labels if label]
        if self.labels and self.labels[-1] is None:
            self.labels[-1] = text.partition("\n")[0].rstrip(": ")
        gap = "\n" if token.type in ("fence", "code_block") else " "
        yield self._item(f"{' > '.join(above)}:{gap}{text}" if above else text, line)

    def _titles(self) -> list[str]:
        return [title for heading in self.headings if (title := heading.title.rstrip(": "))]

    def _item(self, text: str, line: int) -> ImportItem | Skipped:
        for heading in self.headings:
            heading.is_used = True
        return checked(ImportItem(text, category="fact", source=f"{self.name}#L{line}"), f"line {line}")


def _text_of(token: Token) -> str:
    """Returns the text of a block; empty for one that is left out."""
    text = token.content.strip()
    if token.type == "html_block" and text.startswith("<!--") and text.endswith("-->"):
        return ""
    if token.type == "fence" and text:
        return f"{token.markup}{token.info.strip()}\n{token.content.rstrip()}\n{token.markup}"
    return token.content.rstrip() if token.type == "code_block" and text else text


def _without_front_matter(data: str) -> str:
    """Returns the text with YAML front matter blanked, so that line numbers stay true.

    Front matter starts on the first line with `---`, ends with `---` or `...`, and holds only lines that YAML could
    hold, at least one `key:` among them. Anything else is a rule and text, and stays.
    """
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0].rstrip() != "---":
        return data
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            has_key = any(_FRONT_KEY.match(inner) for inner in lines[1:number])
            return "\n".join([""] * (number + 1) + lines[number + 1 :]) if has_key else data
        if not _FRONT_LINE.match(line):
            return data
    return data
