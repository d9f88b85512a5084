"""Counters of tokens side by side: ours, the estimate, and other packages where they are installed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from memoranda.bench.compaction.texts import KINDS, pieces
from memoranda.records.entry import JsonValue
from memoranda.text.encodings import EstimatedTokenizer, tokenizer
from memoranda.text.tokens import CL100K, O200K

Row = dict[str, JsonValue]
ENCODINGS: Final = ("cl100k_base", "o200k_base")
_CACHED: Final = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}
"""Names under which tiktoken keeps the files of encodings: the SHA-1 of the address that it loads them from."""


class Absent(Exception):
    """A counter cannot be measured; the message says why."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Something that counts tokens.

    Attributes:
        name: what it is called.
        count: returns the tokens of a text.
        exact: whether it counts with the encoding itself.
    """

    name: str
    count: Callable[[str], int]
    exact: bool = True


def counters(encoding: str) -> tuple[list[Counter], dict[str, str]]:
    """Returns what counts an encoding here, ours first, and why each of the others does not."""
    found: list[Counter] = []
    skipped: dict[str, str] = {}
    for name, make in _MAKERS.items():
        try:
            found.append(make(encoding))
        except Absent as reason:
            skipped[name] = str(reason)
    return found, skipped


def counting_rows(characters: int, repeats: int) -> tuple[list[Row], dict[str, str]]:
    """Measures each counter on each kind of text.

    The first exact counter is right. Rates are its tokens a second, so that they compare; `ratio` is what a counter
    finds by what that one finds; `mismatches` are texts on which they differ. Of the repeats the median is told.

    Args:
        characters: how much text of each kind.
        repeats: how often each counter counts it.

    Returns:
        The figures, and why counters were left out.
    """
    rows: list[Row] = []
    skipped: dict[str, str] = {}
    for encoding in ENCODINGS:
        found, absent = counters(encoding)
        skipped |= {f"{name}, {encoding}": reason for name, reason in absent.items()}
        for kind in KINDS:
            rows += _side_by_side(encoding, kind, found, pieces(kind, characters), repeats)
    return rows, skipped


def _side_by_side(
    encoding: str, kind: str, found: Sequence[Counter], texts: Sequence[str], repeats: int
) -> Iterator[Row]:
    counts = [[one.count(text) for text in texts] for one in found]  # loads what is loaded late, too
    right = next((count for one, count in zip(found, counts, strict=True) if one.exact), counts[0])
    seconds: list[list[float]] = [[] for _ in found]
    for _ in range(repeats):
        for one, spent in zip(found, seconds, strict=True):
            spent.append(_seconds(one.count, texts))
    for one, count, spent in zip(found, counts, seconds, strict=True):
        yield {
            "counter": one.name,
            "encoding": encoding,
            "kind": kind,
            "texts": len(texts),
            "tokens": sum(count),
            "ratio": round(sum(count) / sum(right), 4),
            "tokens_per_s": round(sum(right) / median(spent)),
            "mismatches": sum(a != b for a, b in zip(count, right, strict=True)),
        }


def _seconds(count: Callable[[str], int], texts: Sequence[str]) -> float:
    began = perf_counter()
    for text in texts:
        count(text)
    return perf_counter() - began


def _ours(encoding: str) -> Counter:
    ours = tokenizer(encoding)
    if not ours.exact:
        raise Absent("the extra `tokens` is not installed: pip install 'memoranda[tokens]'")
    return Counter("memoranda", ours.count)


def _estimate(encoding: str) -> Counter:
    rates = O200K if encoding == "o200k_base" else CL100K
    return Counter("memoranda, estimate", EstimatedTokenizer(encoding, rates).count, exact=False)


def _tiktoken(encoding: str) -> Counter:
    package = _imported("tiktoken")
    told = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    folder = Path(told) if told else Path(tempfile.gettempdir()) / "data-gym-cache"
    if not (folder / _CACHED[encoding]).is_file():
        raise Absent("its cache does not hold the encoding, which it would load from the network")
    encode = package.get_encoding(encoding).encode_ordinary
    return Counter("tiktoken", lambda text: len(encode(text)))


def _rs_bpe(encoding: str) -> Counter:
    return Counter("rs_bpe", getattr(_imported("rs_bpe").openai, encoding)().count)


def _quicktok(encoding: str) -> Counter:
    return Counter("quicktok", _imported("quicktok").get_encoding(encoding).count)


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise Absent("it is not installed") from error


_MAKERS: Final[dict[str, Callable[[str], Counter]]] = {
    "memoranda": _ours,
    "memoranda, estimate": _estimate,
    "tiktoken": _tiktoken,
    "rs_bpe": _rs_bpe,
    "quicktok": _quicktok,
}
