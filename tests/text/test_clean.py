"""Texts that can be stored and texts that can be shown."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.clean import printable, storable

ANY_TEXT = st.text(alphabet=st.characters(codec=None) | st.sampled_from("\x00\x1b\r\n\t\u202e\u2066\ud800\x9b"))


def test_only_lone_surrogates_are_replaced() -> None:
    """Case T02: NUL and control characters stay in the store."""
    assert storable("a\x00b\x1b[31m\u202e e\u0301") == "a\x00b\x1b[31m\u202e e\u0301"
    assert storable("a\ud800b\udfff") == "a\ufffdb\ufffd"


def test_no_escape_sequence_is_shown(case: Callable[[str], dict[str, Any]]) -> None:
    """Case T02."""
    text = case("T02")["input"]["steps"][2]["text"]
    assert printable(text) == r"bell\x07 and \x1b[31mred\x1b[0m"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ntwo\tx", "one\ntwo\tx"),
        ("one\r\ntwo", "one\ntwo"),
        ("over\rwritten", r"over\rwritten"),
        ("\x9b31m\x7f\x85", r"\x9b31m\x7f\x85"),
        ("abc\u202edef\u2066", r"abc\u202edef\u2066"),
        ("\ud800", "\ufffd"),
        ("C:\\x שלום 👩\u200d👧", "C:\\x שלום 👩\u200d👧"),
    ],
)
def test_what_a_terminal_acts_on_is_written_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_one_line() -> None:
    assert printable("a\nb\tc\r\n", keep_newlines=False) == r"a\nb\tc\n"


@given(ANY_TEXT)
def test_stored_text_has_a_utf8_form(text: str) -> None:
    storable(text).encode()
    assert len(storable(text)) == len(text)
    assert storable(storable(text)) == storable(text)
    assert storable(text) == "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


@given(ANY_TEXT, st.booleans())
def test_shown_text_is_safe_and_stable(text: str, keep: bool) -> None:
    shown = printable(text, keep_newlines=keep)
    allowed = "\n\t" if keep else ""
    assert all(char in allowed or (char >= " " and not "\x7f" <= char <= "\x9f") for char in shown)
    assert not any("\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069" for char in shown)
    assert printable(shown, keep_newlines=keep) == shown
