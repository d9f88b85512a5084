"""Made-up texts of four kinds, and conversations of them; the same in every run.

Words, code and rows are drawn from short lists of common ones, so that an encoding makes of them about what it makes of
real ones. They are no sample of any data set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import accumulate
from random import Random
from typing import Any, Final

Wires = list[dict[str, Any]]
"""Messages of OpenAI Chat."""

_COMMON: Final = (
    "the of and to in a is that for it was on with as be by this are from or have an they which one you were all her "
    "she there would their we him been has when who will no more if out so up said what its about than into them can "
    "only other time new some could these two may first then do any like my now over such our man me even most made "
    "after also did many off before must well back through years where much your way down should because long each "
    "just state those people too mister good very world still see own work men day get here old life both between "
    "being under three never know same last another while us might great year come since against right came take "
    "used himself few house use place during high without again home around small however found part school thought "
    "went say general once upon every does got united number until always away something fact water less public put "
    "think almost hand enough far took head yet better set told nothing night end why called eyes find going look "
    "asked later knew deployment rollback latency invoice customer migration timeout schedule certificate replica"
)
_WORDS: Final = _COMMON.split()
_WEIGHTS: Final = list(accumulate(1 / rank for rank in range(1, len(_WORDS) + 1)))
"""As Zipf's law has it: the word of a rank is as common as 1 / rank."""
_HAN: Final = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实"
)
_KANA: Final = "のにはをたがでてとしれさいるなもこらすりかまきくえけおそうちつせみよんわやめへほ"
_HANGUL: Final = (
    "오늘",
    "회의",
    "시간",
    "사람",
    "문제",
    "서버",
    "배포",
    "확인",
    "내일",
    "일정",
    "고객",
    "요청",
    "결과",
    "변경",
)
_TOOLS: Final = ("read_file", "search", "run_tests", "list_orders")


def english(random: Random, words: int) -> str:
    """Returns so many words in sentences of 5 to 20."""
    said: list[str] = []
    while words > 0:
        length = min(words, random.randint(5, 20))
        sentence = " ".join(random.choices(_WORDS, cum_weights=_WEIGHTS, k=length))
        said.append(sentence[0].upper() + sentence[1:] + random.choice((".", ".", ".", "?")))
        words -= length
    return " ".join(said)


def code(random: Random, lines: int) -> str:
    """Returns about so many lines of Python."""
    said: list[str] = []
    while len(said) < lines:
        one, two, three = random.choices(_WORDS[40:], k=3)
        said += [
            f"def {one}_{two}(self, {three}: dict[str, int], limit: int = {random.randint(1, 500)}) -> list[str]:",
            f'    """Returns the {two} of each {three}."""',
            f"    found = [name for name, count in {three}.items() if count >= limit]",
            f"    if not found and self._{one}:",
            f'        raise ValueError(f"no {two} in {{len({three})}} rows; pass a lower limit")',
            f"    return sorted(found)[: self.{one}_{three}]",
            "",
        ]
    return "\n".join(said[:lines])


def rows(random: Random, count: int) -> str:
    """Returns so many objects as compact JSON."""
    made = [
        {
            "id": f"{random.getrandbits(48):012x}",
            "name": english(random, 3),
            "amount": round(random.uniform(0, 2000), 2),
            "tags": random.choices(_WORDS[60:], k=2),
            "paid": random.random() < 0.5,
            "at": f"2026-{random.randint(1, 12):02}-{random.randint(1, 28):02}T{random.randint(0, 23):02}:00:00Z",
        }
        for _ in range(count)
    ]
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def cjk(random: Random, sentences: int) -> str:
    """Returns so many sentences, in Chinese, Japanese and Korean by turns."""
    said: list[str] = []
    for number in range(sentences):
        length = random.randint(8, 25)
        if number % 3 == 0:
            said.append("".join(random.choices(_HAN, k=length)) + "。")
        elif number % 3 == 1:
            said.append("".join(random.choices(_KANA * 2 + _HAN, k=length)) + "。")
        else:
            said.append(" ".join(random.choices(_HANGUL, k=length // 3)) + ".")
    return "".join(said)


_KINDS: Final[dict[str, tuple[Callable[[Random, int], str], int]]] = {
    "English": (english, 400),
    "code": (code, 45),
    "JSON": (rows, 14),
    "CJK": (cjk, 110),
}
"""How a kind is made, and how much of it makes 2,000 characters."""
KINDS: Final = tuple(_KINDS)
"""The kinds of texts."""
PIECE: Final = 2000
"""Characters of one text."""


def pieces(kind: str, characters: int) -> list[str]:
    """Returns texts of `PIECE` characters of a kind, with so many characters together, at least one."""
    make, amount = _KINDS[kind]
    random = Random(f"texts/{kind}")
    return [make(random, amount)[:PIECE] for _ in range(max(1, characters // PIECE))]


def long_chat(messages: int) -> Wires:
    """Returns a chat of so many messages, to the next multiple of four: rounds of question, call, result, answer.

    A round has about 200 tokens.
    """
    random = Random("chat")
    made: Wires = [
        {"role": "system", "content": "You help the people of a workshop. Be brief."},
        {"role": "system", "content": "Today is Monday."},
        {"role": "user", "content": english(random, 20)},
        {"role": "assistant", "content": english(random, 30)},
    ]
    number = 0
    while len(made) < messages:
        made += _question(random), *_step(random, f"call_{number}", 80), _answer(random)
        number += 1
    return made


def tool_loop(messages: int) -> Wires:
    """Returns one request of a person and calls with their results, so many messages to the next multiple of two."""
    random = Random("loop")
    made: Wires = [{"role": "system", "content": "You work with tools."}, _question(random)]
    while len(made) < messages:
        made += _step(random, f"call_{len(made)}", 80)
    return made


def requests(turns: int) -> Iterator[Wires]:
    """Yields the whole list of each request of a conversation with tools, as a host would send it.

    In each turn a person asks, the model calls one to three tools, one after the other, and answers: two to four
    requests. A turn has about 450 tokens. Messages are the same objects from list to list.
    """
    random = Random("turns")
    made: Wires = [{"role": "system", "content": "You work on a repository with tools. " + english(random, 60)}]
    number = 0
    for _ in range(turns):
        made.append(_question(random))
        yield list(made)
        for _ in range(random.randint(1, 3)):
            made += _step(random, f"call_{number}", random.randint(30, 250))
            number += 1
            yield list(made)
        made.append(_answer(random))


def _question(random: Random) -> dict[str, Any]:
    return {"role": "user", "content": english(random, random.randint(10, 40))}


def _answer(random: Random) -> dict[str, Any]:
    return {"role": "assistant", "content": english(random, random.randint(20, 60))}


def _step(random: Random, call: str, words: int) -> Wires:
    """Returns a call of a tool and its result."""
    tool = random.choice(_TOOLS)
    arguments = json.dumps({"path": f"src/{random.choice(_WORDS[80:])}.py", "limit": random.randint(1, 9)})
    asked = {"id": call, "type": "function", "function": {"name": tool, "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": call, "content": english(random, words)},
    ]
