"""The guard against folding what differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.contradiction import differs

DIFFERENT = [
    ("the model does lose accuracy", "the model does not lose accuracy"),
    ("22 percent of users", "31 percent of users"),
    ("do go there", "do not go there"),
    ("the port is 8080", "the port is 9090"),
    ("don't deploy on it", "do deploy on it"),
    ("don’t deploy", "deploy"),
    ("uses version 1.2.3", "uses version 1.2.4"),
    ("the call is at 3pm", "the call is at 3 am"),
    ("ran 5 km", "ran 5 miles"),
    ("it is -5 outside", "it is 5 outside"),
    ("due 2024-05-01", "due 2024-05-02"),
    ("owns two dogs", "owns three dogs"),
    ("move it from 3 to 5", "move it from 5 to 3"),
    ("standup on Monday", "standup on Tuesday"),
    ("Er isst Fleisch", "Er isst kein Fleisch"),
    ("Ana come carne", "Ana no come carne"),
    ("Il mange de la viande", "Il ne mange pas de viande"),
    ("他喜欢茶", "他不喜欢茶"),
    ("午后三点开会", "午后四点开会"),
    ("tea with sugar", "tea without sugar"),
]
ALIKE = [
    ("I like tea", "I really like tea"),
    ("22 percent", "22 %"),
    ("1,000 users", "1000 users"),
    ("５ km", "5 km"),
    ("don't go", "do not go"),
    ("cannot go", "can't go"),
    ("Il ne mange pas", "Il mange pas"),
    ("No come nada", "no come"),
    ("on 3 May at 5pm", "at 5 p.m. on 3 May"),
    ("Café at MONDAY", "cafe at monday"),
    ("", ""),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_differing_values_and_polarity_are_named(a: str, b: str) -> None:
    """C6, C33."""
    assert differs(a, b)
    assert differs(b, a)


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_other_wordings_are_no_difference(a: str, b: str) -> None:
    assert differs(a, b) is None
    assert differs(b, a) is None


def test_reasons_say_what_differs() -> None:
    assert differs("port 8080 of 3", "port 9090 of 3") == "numbers differ: 8080 against 9090"
    assert differs("do go", "do not go") == "one says the opposite: 0 against 1 negations"
    assert differs("on Monday", "soon") == "days differ: monday against none"


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    assert differs(a, a) is None
    assert (differs(a, b) is None) == (differs(b, a) is None)
