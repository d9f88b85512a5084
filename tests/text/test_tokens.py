"""Estimating tokens where no tokenizer is given."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.encodings import tokenizer
from memoranda.text.tokens import CL100K, O200K, estimated_tokens

SEED_LINES = {
    "user The vault is in Lisbon. Reply with: noted": 11,
    "assistant noted": 2,
    "user The key rotates on friday. Reply with: noted": 11,
    "user The owner is ops@example.com. Reply with: noted": 12,
    "user Where is the vault? Answer in one word.": 11,
    "system You are terse.": 5,
}
PROSE = {
    "english": "The harbour was quiet when the first boats came in, and nobody on the pier spoke of the storm. "
    "By noon the whole town knew that two of them were missing, and the church bell had begun to ring.",
    "code": "def total(prices: list[float], *, tax: float = 0.2) -> float:\n    subtotal = sum(prices)\n"
    "    if subtotal < 0:\n        raise ValueError('negative')\n    return round(subtotal * (1 + tax), 2)\n",
    "json": '{"order_id": "A-10293", "items": [{"sku": "XK-99", "quantity": 3, "price": 19.95}], "paid": true}',
    "spanish": "El puerto estaba tranquilo cuando llegaron los primeros barcos, y nadie habló de la tormenta. "
    "Al mediodía todo el pueblo sabía que faltaban dos, y la campana de la iglesia empezó a sonar también.",
    "german": "Der Hafen lag still, als die ersten Boote einliefen, und niemand sprach über den Sturm. "
    "Gegen Mittag wusste die ganze Stadt, dass zwei von ihnen fehlten, und die Glocke begann zu läuten für alle.",
    "russian": "Гавань была тиха, когда вошли первые лодки, и никто на пристани не говорил о буре.",
    "chinese": "第一批船进港的时候，港口很安静，码头上没有人提起那场暴风雨。到了中午，全镇都知道有两条船失踪了。",
    "japanese": "最初の船が入ってきたとき、港は静かで、桟橋では誰も嵐のことを口にしなかった。",
    "korean": "첫 배들이 들어왔을 때 항구는 조용했고 부두의 누구도 폭풍에 대해 말하지 않았다.",
    "arabic": "كان الميناء هادئا عندما دخلت القوارب الأولى ولم يتحدث أحد على الرصيف عن العاصفة",
    "hindi": "जब पहली नावें आईं तो बंदरगाह शांत था और घाट पर किसी ने तूफ़ान की बात नहीं की",
}


@pytest.mark.parametrize(("line", "tokens"), SEED_LINES.items())
def test_short_english_is_right_or_one_off_s4_14(line: str, tokens: int) -> None:
    assert abs(estimated_tokens(line) - tokens) <= 1


@pytest.mark.parametrize("name", PROSE)
@pytest.mark.parametrize(("encoding", "rates"), [("cl100k_base", CL100K), ("o200k_base", O200K)])
def test_it_is_within_a_quarter_in_many_scripts_c1(name: str, encoding: str, rates: object) -> None:
    counter = tokenizer(encoding)
    if not counter.exact:
        pytest.skip("the extra `tokens` is not installed")
    true = counter.count(PROSE[name])
    guess = estimated_tokens(PROSE[name], CL100K if rates is CL100K else O200K)
    assert abs(guess - true) <= max(1, 0.25 * true), (guess, true)


@given(st.text())
def test_every_text_has_a_token_and_never_more_than_six_for_a_character(text: str) -> None:
    assert min(1, len(text)) <= estimated_tokens(text) <= 6 * len(text)


@given(st.text(), st.text())
def test_a_longer_text_has_fewer_by_little_at_most(head: str, tail: str) -> None:
    """Merging across the seam may save a few tokens, as in a true encoding, and no more."""
    whole = estimated_tokens(head + "\n" + tail)
    assert whole >= max(estimated_tokens(head), estimated_tokens(tail)) * 0.8 - 2


@pytest.mark.parametrize("text", ["a", " ", "漢", "!", "é", "\U0001f680", " \n", "a1", "\ud800", "Ab", " x"])
def test_long_runs_take_linear_time(text: str) -> None:
    """Ten times the length takes about ten times as long; quadratic time would be a hundred times."""
    short, long = text * 20_000, text * 200_000
    started = time.process_time()
    estimated_tokens(short)
    first = time.process_time() - started
    started = time.process_time()
    assert estimated_tokens(long) > 0
    assert time.process_time() - started < max(0.5, 40 * first)


def test_special_tokens_are_text_b01() -> None:
    assert estimated_tokens("<|endoftext|>") >= 3
    assert estimated_tokens("") == 0
