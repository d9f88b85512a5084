"""Whose memory a row is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidScope
from memoranda.records.scope import MAX_SCOPE_BYTES, Scope

paths = st.text(min_size=1, max_size=20).filter(lambda text: bool(text.strip()) and "\0" not in text)


@given(paths)
def test_a_path_is_kept_as_it_is(path: str) -> None:
    """Case X07: names are data; nothing is normalised."""
    assert Scope(path).path == path
    assert str(Scope.of(path)) == path
    assert Scope.of(Scope(path)) == Scope(path)


@given(paths, paths)
def test_paths_that_differ_are_two_scopes(one: str, other: str) -> None:
    assert (Scope(one) == Scope(other)) == (one == other)
    assert (len({Scope(one), Scope(other)}) == 1) == (one == other)


@pytest.mark.parametrize("wrong", ["", "  ", "\t\n", "\0z", "a\0", "\ud800", "a/\udfff", None, 5, b"a", ["a"]])
def test_what_cannot_be_a_scope_is_refused(wrong: object) -> None:
    """Case X07: empty, blank and NUL are refused by one documented error."""
    with pytest.raises(InvalidScope, match=r"^a scope "):
        Scope(wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_length_is_bounded_in_bytes() -> None:
    for path in ("s" * MAX_SCOPE_BYTES, "é" * (MAX_SCOPE_BYTES // 2)):
        assert Scope(path).path == path
    with pytest.raises(InvalidScope, match="at most 1024 bytes of UTF-8; this one has 1026"):
        Scope("é" * (MAX_SCOPE_BYTES // 2 + 1))
