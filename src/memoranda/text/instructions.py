"""Standing instructions: what a person wants done from now on, recognised when it is said.

A question later shares few words with them ("format dates as ISO" against "when did we meet?"), so search does not
find them and they must be known when they are stored. The patterns are few and plain: they look for the words of a
rule, in English, German, Spanish and Chinese, and would rather miss one than take a story for a rule. How many they
find: docs/decisions/0004-analysis.md.
"""

import re
from dataclasses import dataclass
from typing import Final

from memoranda.text.sentences import sentences

MAX_CHARS: Final = 4_096
"""A text is read up to this many characters."""

_ASKING: Final = r"(?:ask|asked|mention|request|bring up|talk|say|tell|write|send|paste|share|need|want)\b"
_TRIGGER: Final = re.compile(
    rf"\b(?:when(?:ever)?|every time|each time|any ?time|if) (?:i|we) (?:ever )?{_ASKING}[^,;:.!?]*"
    r"|\b(?:immer wenn|jedes mal,? wenn|wenn|sobald) ich (?:dich |dir )?"
    r"[^,;:.!?]*?(?:frage|bitte|erwähne|schicke|schreibe)\b"
    r"|\b(?:cada vez que|siempre que|cuando) (?:yo )?(?:te )?"
    r"(?:pregunt[eo]|pid[ao]|mencion[eo]|env[ií][eo])\b[^,;:.!?]*"
    r"|(?:每当|每當|每次|当|當|只要)我(?:问|問|提|要|让|讓|请|說|说|发|發)[^，,。；;！!？?]*",
    re.IGNORECASE,
)
# What may stand before a rule in its sentence.
_OPENING: Final = (
    r"^[\s\"'“*>-]*"
    r"(?:(?:ok(?:ay)?|and|also|so|but|oh|hey|please|note|remember|bitte|und|auch|por favor|y|además)[\s,:]+)*"
)
_NO_RULE: Final = (  # always and never in elliptic talk about oneself: "Never been there", "Always a pleasure"
    r"(?:been|mind|again|a|an|the|had|has|was|were|thought|knew|seen|heard|felt|got|gets|did|does|have i|happy|good"
    r"|nice|great|fun|glad|my|so|too|very|in|on|at|\w+ed|\w+ing)\b"
)
_RULES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_OPENING}(?:always|never|do not ever|don'?t ever) (?!{_NO_RULE})\w+",
        rf"{_OPENING}(?:make sure|be sure|remember|try) (?:to |that you |you )?(?:always|never)\b",
        rf"{_OPENING}(?:from now on|from here on|going forward|henceforth)\b",
        r"\bplease (?:always|never|remember to)\b|\bplease\b[^.!?]*\bfrom now on\b",
        r"\byou (?:should|must|need to|have to|may) (?:always|never)\b",
        r"\bi(?:'d| would)? (?:want|like|need|prefer) you to (?:always|never)\b",
        r"\b(?:can|could|would|will) you (?:please )?(?:always|never|from now on)\b",
        rf"{_OPENING}(?:ab (?:jetzt|sofort)|von nun an|künftig|in zukunft)\b",
        rf"{_OPENING}(?:immer|niemals|nie) (?!(?:wieder|mehr|noch|ich|bin|war|habe|wenn)\b)\w+",
        rf"{_OPENING}(?!(?:ich|er|sie|wir|es|das|man)\b)\w+e (?:mir |dabei |bitte )*(?:immer|niemals|nie)\b",
        r"\b(?:denk|denke) (?:bitte )?(?:immer )?daran,|\bdu (?:sollst|musst|darfst) (?:immer|niemals|nie)\b",
        rf"{_OPENING}(?:de ahora en adelante|a partir de ahora|de aquí en adelante)\b",
        rf"{_OPENING}(?:siempre|nunca) (?!(?:he|ha|hab\w+|me|fui|es|era|est\w+|quise|más|que|voy)\b)\w+",
        r"\b(?:quiero|necesito) que (?:siempre|nunca)\b|\brecuerda (?:siempre|que siempre|no)\b",
        r"从现在(?:开始|起)|從現在(?:開始|起)|今后请|今後請|以后(?:都|请|不要|别|一律)|以後(?:都|請|不要|別|一律)",
        r"(?:^|[，,。\s])(?:请|請)?(?:总是|總是|始终|始終|一律|永远不要|永遠不要|绝不要|務必|务必|请记得|請記得|请记住|請記住)",
    )
)
# With a trigger, an order is enough: "When I ask about dates, use ISO". A report has its own subject.
_REPORT: Final = re.compile(
    r"^\s*(?:i|we|he|she|it|they|you|people|everyone|nobody|my|the|there)\b"
    r"|^\s*(?:ich|er|sie|es|wir|mir|das|die|der)\b|^\s*(?:yo|él|ella|me|mi|nadie|todos)\b|^\s*[我他她它]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingInstruction:
    """A rule that somebody set for the future.

    Attributes:
        rule: what to do; the sentence without its trigger, blanks made single.
        trigger: the clause that says when ("when I ask about dates"); None where the rule holds always.
    """

    rule: str
    trigger: str | None = None


def standing_instruction(text: str) -> StandingInstruction | None:
    """Returns the first standing instruction of a text, or None.

    It tells how something is said, not who says it: only texts of those who may give orders should be asked about.
    """
    for sentence in (" ".join(each.split()) for each in sentences(text[:MAX_CHARS])):
        trigger = _TRIGGER.search(sentence)
        rest = _without(sentence, trigger) if trigger else sentence
        if any(rule.search(rest) or rule.search(sentence) for rule in _RULES) or (
            trigger and _is_order(sentence, rest)
        ):
            clause = trigger.group().strip() if trigger else None
            return StandingInstruction(rule=rest or sentence, trigger=clause)
    return None


def _without(sentence: str, trigger: re.Match[str]) -> str:
    before, after = sentence[: trigger.start()], sentence[trigger.end() :]
    after = after.lstrip(" ,，:;")
    return f"{before.rstrip(' ,，:')}{' ' if after[:1].isalnum() else ''}{after}".strip()


def _is_order(sentence: str, rest: str) -> bool:
    asks = sentence.rstrip(" \"'”’)").endswith(("?", "？"))
    return len(rest) > 1 and not asks and not _REPORT.search(rest)
