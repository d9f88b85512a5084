"""Texts come back exactly, whatever they hold (cases T02 and others of text encoding)."""

from __future__ import annotations

from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import MakeStore, fact, ground

GROUP = Group("text")

LONGEST = 1_000_000
ODD = {
    "NUL": "x\0y after nul",
    "control characters": "bell\x07 and \x1b[31mred\x1b[0m \x7f \x85 tail",
    "line ends": "one\r\ntwo\rthree\nfour\u2028five\u2029six\x0bseven\x0ceight",
    "emoji": "deploy \U0001f680 \U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f1e9\U0001f1ea done",
    "combining marks": "cafe\u0301 and caf\u00e9 are two spellings; Zalgo: a\u0300\u0301\u0302\u0303\u0304",
    "both directions": "abc \u202eevil\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u2066x\u2069",
    "scripts": "部署到蓝色集群 にデプロイ 한국어 Größe ไทย",
    "not characters": "\ufeffmark first \ufffe \uffff \U0010ffff last",
    "quotes": 'it\'s "quoted" `and` \\back\\slashed\\ %s {0} $1 :name ?1 -- ; DROP TABLE entries; /* */',
    "spaces at the ends": "  \t two before and after \u00a0 \n",
}


@GROUP.check
async def check_odd_texts_come_back_exactly(make: MakeStore) -> None:
    """Every character survives: NUL, emoji, combining marks, both directions, line ends, spaces."""
    async with ground(make) as here:
        for number, (what, text) in enumerate(ODD.items()):
            scope = here.scope(f"text {number}")
            await here.store.store(scope, fact(text))
            found = await here.store.retrieve(scope, "", 5)
            same([entry.memory for entry in found], [text], f"a text with {what}")


@GROUP.check
async def check_what_follows_a_nul_is_found(make: MakeStore) -> None:
    """A text does not end at NUL (case T02)."""
    async with ground(make) as here:
        scope = here.scope()
        await here.store.store(scope, fact(ODD["NUL"]))
        found = await here.store.retrieve(scope, "after", 5)
        same([entry.memory for entry in found], [ODD["NUL"]], "a search for a word after NUL")


@GROUP.check
async def check_the_longest_text_comes_back_exactly(make: MakeStore) -> None:
    """An entry has up to 1,000,000 characters."""
    async with ground(make) as here:
        scope = here.scope()
        text = ("\U0001f680 launch log line; " * (LONGEST // 19 + 1))[:LONGEST]
        await here.store.store(scope, fact(text))
        found = await here.store.retrieve(scope, "", 5)
        holds([entry.memory for entry in found] == [text], "a text of 1,000,000 characters came back changed")


@GROUP.check
async def check_odd_names_come_back_exactly(make: MakeStore) -> None:
    """Tags, key, source, speaker, session and metadata hold any text too, and are filtered by exactly."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        odd = [text.strip() for text in ODD.values()]
        entries = [
            fact(f"note {number}", tags=(text, "t"), key=text, source=text, speaker=text, session=text, position=number)
            for number, text in enumerate(odd)
        ]
        told = fact("told", metadata={"k\u00fc": [1, 2.5, None, True, {"": "\U0001f680"}], "big": 2**53})
        for entry in (*entries, told):
            await here.store.store(scope, entry)
        for entry in (*entries, told):
            same(await reader.get(scope, entry.id), entry, "an entry with odd names")
