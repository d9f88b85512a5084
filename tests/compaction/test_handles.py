"""Names of what compaction took, and the line in its place (C16, C18, C19, C36)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.compaction.handles import alone, handle_of, is_line, line, short_name
from memoranda.records.message import Message, Role, TextPart
from tests.compaction.drafts import assistant, user


def test_a_line_says_what_how_large_and_where() -> None:
    assert (
        line("result of ls cleared", 1234, "0123456789ab")
        == "[result of ls cleared: 1,234 tokens; handle 0123456789ab]"
    )
    assert line("result of ls cleared", 7, None) == "[result of ls cleared: 7 tokens]"


@given(st.text(), st.integers(0, 10**7), st.sampled_from([None, "0123456789ab"]))
def test_every_line_is_known_again(name: str, tokens: int, handle: str | None) -> None:
    """C16, C19: whatever a model calls a tool, it is one line with one pair of brackets."""
    made = line(f"result of {short_name(name)} cleared", tokens, handle)
    assert is_line(made)
    assert len(made.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    ["", "[]", "result of ls cleared: 7 tokens", "[a: 7 tokens] and more", "[a: 7 tokens]\n", "[a: many tokens]"],
)
def test_other_texts_are_no_line(text: str) -> None:
    assert not is_line(text)


def test_c18_a_long_text_is_no_line() -> None:
    """So nobody keeps a long text in a request by making it look like one."""
    assert not is_line(f"[{'x' * 1000}: 7 tokens]")


def test_a_handle_is_of_role_and_content() -> None:
    assert handle_of(user("a")) == handle_of(Message(Role.USER, (TextPart("a", {"type": "text"}),), changed=True))
    assert len({handle_of(user("a")), handle_of(user("b")), handle_of(assistant("a"))}) == 3
    both = Message(Role.USER, (TextPart("a"), TextPart("b")))
    assert handle_of(alone(both, 0)) == handle_of(user("a"))
