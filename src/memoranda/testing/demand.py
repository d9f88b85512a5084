"""What checks demand, with messages that say what was found; they hold under `python -O` too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def same(found: object, wanted: object, what: str) -> None:
    """Demands that two values are equal.

    Raises:
        AssertionError: they differ; the message shows the beginning of both.
    """
    if found != wanted:
        raise AssertionError(f"{what}: found {_short(found)}, wanted {_short(wanted)}")


def holds(condition: bool, what: str) -> None:
    """Demands that a condition holds.

    Raises:
        AssertionError: it does not; the message is `what`.
    """
    if not condition:
        raise AssertionError(what)


@contextmanager
def raising(kinds: type[BaseException] | tuple[type[BaseException], ...], what: str) -> Iterator[None]:
    """Demands that the block ends with one of these errors.

    Raises:
        AssertionError: it ends without an error; another error goes through.
    """
    try:
        yield
    except kinds:
        return
    named = kinds if isinstance(kinds, tuple) else (kinds,)
    raise AssertionError(f"{what}: no error was raised, wanted {' or '.join(kind.__name__ for kind in named)}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}... ({len(text)} characters)"
