"""Reading the file's bytes past the database's own reading, to find what was erased and is still there.

`secure_delete` overwrites a row that is deleted. It does not overwrite the copies that a B-tree leaves behind when it
moves cells from one page to another: they stay in the space between a page's cell pointers and its cells, which is in
no row and which nothing reads. So each byte of free space is looked at here.

Where a free byte may be, by the file format (sqlite.org/fileformat2.html): in B-tree pages between pointers and
cells, and in freeblocks; in pages of the freelist. What follows the end of a row in its last overflow page is zeros:
such a page is new, or was zeroed when it was freed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import apsw

from memoranda.stores.sqlite.connect import Place

RUN = 8
"""Bytes in a row that free space may not share with an erased text; a shorter text may not be in it at all."""
PIECE = 32
"""Characters of one piece of a text that is looked for in the whole file."""
LEAST_PIECE = 12
"""Shorter pieces would be found by chance; what is so short is looked for in free space only."""
PIECES_OF_TEXT = 4
MOST_PIECES = 32
_BLOCK = 2**20
_BTREE = {2: 12, 5: 12, 10: 8, 13: 8}
"""Kinds of B-tree pages by their first byte, with the size of their header. No other page begins with one of these:
the others begin with a page number, which would have to be above 33 million."""
_HEADER = 100


@dataclass(slots=True)
class Wanted:
    """What to look for.

    Attributes:
        runs: every run of `RUN` bytes of the texts and vectors.
        short: texts that are shorter than that.
        pieces: distinctive pieces of the longer texts.
    """

    runs: set[bytes] = field(default_factory=set)
    short: set[bytes] = field(default_factory=set)
    pieces: tuple[str, ...] = ()

    def is_in(self, part: bytes) -> bool:
        """Tells whether a piece of free space holds anything of it."""
        if any(text in part for text in self.short):
            return True
        return any(part[at : at + RUN] in self.runs for at in range(len(part) - RUN + 1))


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look through the file has found.

    Attributes:
        free: whether free space holds anything but zeros.
        traces: whether free space holds something of what was wanted.
        pieces: the pieces that are anywhere in the file, in rows or not.
    """

    free: bool
    traces: bool
    pieces: tuple[str, ...]


def wanted(texts: Sequence[str], vectors: Sequence[bytes] = ()) -> Wanted:
    """Returns what to look for: texts as rows hold them, and as revisions do, with JSON's escapes; and vectors."""
    found = Wanted()
    for numbers in vectors:
        found.runs.update(numbers[at : at + RUN] for at in range(len(numbers) - RUN + 1))
    pieces: dict[str, None] = {}
    for text in texts:
        forms = dict.fromkeys((text, json.dumps(text, ensure_ascii=False)[1:-1]))
        for form in forms:
            encoded = form.encode()
            if len(encoded) < RUN:
                found.short.add(encoded)
            found.runs.update(encoded[at : at + RUN] for at in range(len(encoded) - RUN + 1))
            pieces |= dict.fromkeys(_pieces(form))
    step = max(1, -(-len(pieces) // MOST_PIECES))
    found.pieces = tuple(pieces)[::step]
    return found


def _pieces(text: str) -> list[str]:
    last = max(0, len(text) - PIECE)
    starts = {last * number // (PIECES_OF_TEXT - 1) for number in range(PIECES_OF_TEXT)}
    pieces = (text[start : start + PIECE] for start in sorted(starts))
    # Zeros are what free space is filled with; a piece of nothing else says nothing.
    return [piece for piece in pieces if len(piece.encode()) >= LEAST_PIECE and piece.strip("\0")]


def look(place: Place, what: Wanted) -> Seen:
    """Looks through the file, byte by byte. What stands in the log is not seen: empty it first.

    The file is read through SQLite's own file system layer: where a process opens the file itself, its closing would
    drop the locks of all connections of the process (sqlite.org/howtocorrupt.html, 2.2).
    """
    free = traces = False
    missing = {piece: piece.encode() for piece in what.pieces}
    found: list[str] = []
    overlap = max((len(piece) for piece in missing.values()), default=1) - 1
    with closing(_RawFile(place)) as file:
        pages = _Pages(file)
        tail = b""
        for number, block in file.blocks(pages.size):
            for part in pages.free_parts(number, block):
                free = True
                traces = traces or what.is_in(part)
            joined = tail + block
            for piece in [piece for piece, encoded in missing.items() if encoded in joined]:
                found.append(piece)
                del missing[piece]
            tail = joined[-overlap:] if overlap else b""
    return Seen(free, traces, tuple(found))


class _RawFile:
    """The file's bytes."""

    def __init__(self, place: Place) -> None:
        flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
        self._file = apsw.VFSFile(place.vfs, os.path.abspath(place.path), flags)
        self.size = self._file.xFileSize()

    def read(self, offset: int, amount: int) -> bytes:
        amount = max(0, min(amount, self.size - offset))
        return self._file.xRead(amount, offset) if amount else b""

    def blocks(self, page_size: int) -> Iterator[tuple[int, bytes]]:
        """Yields blocks of whole pages, each with the number of its first page."""
        for offset in range(0, self.size, _BLOCK):
            yield offset // page_size + 1, self.read(offset, _BLOCK)

    def close(self) -> None:
        self._file.xClose()


class _Pages:
    """How the file is cut into pages, and which of them are in no use."""

    def __init__(self, file: _RawFile) -> None:
        header = file.read(0, _HEADER)
        size = int.from_bytes(header[16:18], "big")
        self.size = 65_536 if size == 1 else max(size, 512)
        self._usable = self.size - (header[20] if len(header) > 20 else 0)
        self._unused: dict[int, int] = {}
        """Pages of the freelist, each with the number of bytes in it that are of use."""
        trunk, seen = int.from_bytes(header[32:36], "big"), 0
        while trunk and trunk not in self._unused and seen <= file.size // self.size:
            page = file.read((trunk - 1) * self.size, self.size)
            count = min(int.from_bytes(page[4:8], "big"), self.size // 4 - 2)
            self._unused[trunk] = 8 + 4 * count
            for at in range(8, 8 + 4 * count, 4):
                self._unused[int.from_bytes(page[at : at + 4], "big")] = 0
            trunk, seen = int.from_bytes(page[:4], "big"), seen + 1

    def free_parts(self, first: int, block: bytes) -> Iterator[bytes]:
        """Yields every piece of free space that is not zeros, of the pages of a block."""
        for start in range(0, len(block), self.size):
            number = first + start // self.size
            for begin, end in self._free(number, block, start):
                part = block[begin:end].strip(b"\0")
                if part:
                    yield part

    def _free(self, number: int, block: bytes, start: int) -> Iterator[tuple[int, int]]:
        """Yields where a page is free, as places of the block."""
        if number in self._unused:
            yield start + self._unused[number], start + self.size
            return
        head = start + (_HEADER if number == 1 else 0)
        size = _BTREE.get(block[head]) if len(block) > head else None
        if size is None:
            return
        cells = int.from_bytes(block[head + 3 : head + 5], "big")
        content = int.from_bytes(block[head + 5 : head + 7], "big") or 65_536
        yield head + size + 2 * cells, start + content
        at = int.from_bytes(block[head + 1 : head + 3], "big")
        while content <= at < self._usable:
            # The first four bytes of a freeblock are the place of the next one and its own size.
            following, length = (
                int.from_bytes(block[start + at + skip : start + at + skip + 2], "big") for skip in (0, 2)
            )
            yield start + at + 4, start + at + length
            if following <= at:
                return
            at = following
