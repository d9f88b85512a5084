"""Standing instructions, on sentences made up here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.instructions import StandingInstruction, standing_instruction


@pytest.mark.parametrize(
    "text",
    [
        "Always use tabs in Go code.",
        "OK, and never use emojis.",
        "Please always answer in metric units.",
        "From now on, call me Robin.",
        "I want you to always cite the file and line.",
        "Could you always add a short summary?",
        "Please remember to run the linter first.",
        "Thanks! You must never share my address.",
        "Antworte immer auf Deutsch.",
        "Ab jetzt bitte kurze Antworten.",
        "Siempre responde en español.",
        "De ahora en adelante usa kilómetros.",
        "从现在开始用中文回答。",
        "以后不要加表情。",
        "请务必先运行测试。",
    ],
)
def test_rules_that_always_hold(text: str) -> None:
    found = standing_instruction(text)
    assert found is not None
    assert found.trigger is None
    assert found.rule in text


@pytest.mark.parametrize(
    ("text", "trigger", "rule"),
    [
        ("When I ask about dates, use the ISO format.", "When I ask about dates", "use the ISO format."),
        ("Show prices with tax whenever I ask about hotels.", "whenever I ask about hotels", "Show prices with tax."),
        ("Wenn ich nach Terminen frage, nenne den Wochentag.", "Wenn ich nach Terminen frage", "nenne den Wochentag."),
        (
            "Cuando te pregunte por vuelos, muestra los directos.",
            "Cuando te pregunte por vuelos",
            "muestra los directos.",
        ),
        ("每当我问天气时，请用摄氏度。", "每当我问天气时", "请用摄氏度。"),
    ],
)
def test_rules_with_a_trigger(text: str, trigger: str, rule: str) -> None:
    assert standing_instruction(text) == StandingInstruction(rule=rule, trigger=trigger)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I always drink tea in the morning.",
        "Never been to Lisbon.",
        "Never mind, I found it.",
        "Always a pleasure to see you.",
        "She never forgets a birthday.",
        "When I asked about the budget, they laughed.",
        "Whenever I need quiet, I walk by the river.",
        "Do you always work from home?",
        "What happens when I ask about prices?",
        "Ich trinke immer Tee.",
        "Nie wieder Kaffee am Abend.",
        "Siempre he vivido en Sevilla.",
        "我总是早起。",
    ],
)
def test_stories_are_no_rules(text: str) -> None:
    assert standing_instruction(text) is None


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["always", "never", "when I ask", ",", ".", "请", "务必", "immer", "use"])).map(" ".join)
)
def test_any_text_is_accepted(text: str) -> None:
    found = standing_instruction(text)
    assert found is None or found.rule
