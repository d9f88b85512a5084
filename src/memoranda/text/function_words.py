"""Function words of English, German, Spanish, French and Chinese: which may be missing, and which say the same."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from memoranda.text.word_lists import word_set

_Phrases = Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]


ARTICLES: Final = {
    "en": word_set("the a an"),
    "de": word_set("der die das den dem des ein eine einen einem einer eines"),
    "es": word_set("el la los las un una unos unas"),
    "fr": word_set("le la les un une des l"),
    "none": frozenset(),
}
COPULAS: Final = {
    "en": word_set("is are am be"),
    "de": word_set("ist sind bin"),
    "es": word_set("es son está están"),
    "fr": word_set("est sont"),
    "none": frozenset(),
}
"""Of the present only: who was a nurse is none today."""
FILLERS: Final = {
    "en": word_set("really actually basically very please definitely certainly indeed also"),
    "de": word_set("wirklich eigentlich sehr bitte übrigens auch"),
    "es": word_set("realmente muy también"),
    "fr": word_set("vraiment très aussi"),
    "none": frozenset(),
}
"""May be missing where nothing is negated: "not very fast" is not "not fast"."""
QUESTIONS: Final = {
    "en": word_set("is are am do does"),
    "de": word_set("ist sind bin"),
}
"""First words that make a question of a sentence with its subject behind them."""
DETERMINERS: Final = word_set("the this that my your his her its our their 's")
NOW: Final = {
    "en": word_set("currently now presently"),
    "de": word_set("derzeit momentan jetzt aktuell gegenwärtig"),
    "es": word_set("ahora actualmente"),
    "fr": word_set("maintenant actuellement"),
    "none": frozenset(),
}
"""May be missing where nothing is negated: "not now" is not "not"."""
PREPOSITIONS: Final = word_set(
    "in on at by for from to with without of into onto before after during since until through over under between among"
    " about against via per because if when while"
    " im am an auf aus bei bis durch für gegen hinter mit nach neben ohne seit über um unter von vor während wegen zu"
    " zwischen weil wenn"
    " a con contra de desde durante en entre hacia hasta para por sin sobre tras antes después porque si cuando"
    " à avec chez dans depuis par pour sans sous sur vers"
    " 在 从 到 于 对 给 向 往 因为"
)
BEFORE_TIMES: Final = {
    "en": word_set("on at"),
    "de": word_set("am um an"),
    "es": word_set("a en"),
    "fr": word_set("à le"),
    "none": frozenset(),
}
CASES: Final = {
    "der": 1, "die": 1, "das": 1, "ein": 1, "eine": 1, "den": 2, "einen": 2, "dem": 3, "einem": 3, "einer": 3, "des": 4,
    "eines": 4, "el": 5, "un": 5, "la": 6, "una": 6, "los": 7, "unos": 7,
    "las": 8, "unas": 8, "le": 9, "une": 6, "les": 7,
}  # fmt: skip
"""Articles by the case and gender that they show. "Den Hund beißt der Mann" has no other words than its opposite, and a
Spanish or French article before a verb is a pronoun: la conoce, los conoce."""
PARTICIPLES: Final = word_set("given paid sent shown told taught left made found built taken brought bought sold")

_SYNONYMS: Final = {
    "en": """
    no longer=not anymore|not any longer=not anymore|not any more=not anymore|can not=can not|cannot=can not
    has to=must|have to=must|needs to=must|need to=must|is able to=can|are able to=can|in order to=to|so as to=to
    as well as=and|&=and|due to=because of|owing to=because of|even though=although|though=although
    at the moment=now|right now=now|at present=now|of course=|every day=daily|each day=daily|every week=weekly
    each week=weekly|every month=monthly|each month=monthly|every year=yearly|each year=yearly|each=every
    is going to=will|are going to=will|can't stand=hate|can not stand=hate|have got=have|has got=have|there is=
    there are=
    for example=eg|e.g=eg|for instance=eg|that is=ie|i.e=ie|however=but|approximately=about|roughly=about|around=about
    ca=about|circa=about|inside of=inside|were=was|o'clock=oclock|log in=login|set up=setup|a lot of=many
    lots of=many|would like=want|would like to=want to|per cent=percent|at least=minimum|at most=maximum
    """,
    "de": """
    im=in dem|am=an dem|zum=zu dem|zur=zu der|vom=von dem|beim=bei dem|nicht länger=nicht mehr|zurzeit=derzeit
    zur zeit=derzeit|im moment=derzeit|circa=etwa|ca=etwa|ungefähr=etwa|jeden tag=täglich|jede woche=wöchentlich
    jeden monat=monatlich|sowie=und|&=und|z.b=zb|zum beispiel=zb|aufgrund=wegen|mindestens=minimum|höchstens=maximum
    niemals=nie|können=kann|müssen=muss|dass=daß|benutzt=nutzt|verwendet=nutzt
    """,
    "es": """
    del=de el|al=a el|por favor=|en este momento=ahora|cada día=diariamente|todos los días=diariamente|&=y|e=y
    aproximadamente=unos|tiene que=debe|debido a=por|a causa de=por|por ejemplo=pe|sin embargo=pero|jamás=nunca
    cada semana=semanalmente|todas las semanas=semanalmente
    """,
    "fr": """
    du=de le|au=à le|aux=à les|s'il vous plaît=|s'il te plaît=|en ce moment=maintenant|chaque jour=quotidiennement
    tous les jours=quotidiennement|&=et|environ=à peu près
    """,
}


def _phrases(text: str) -> _Phrases:
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for line in text.strip().splitlines():
        for pair in line.strip().split("|"):
            phrase, _, meaning = pair.partition("=")
            first, *rest = phrase.split()
            by_first.setdefault(first, []).append((tuple(rest), tuple(meaning.split())))
    return {first: tuple(sorted(found, key=lambda each: -len(each[0]))) for first, found in by_first.items()}


SYNONYMS: Final = {language: _phrases(_SYNONYMS[language]) for language in ("en", "de", "es", "fr")}
"""By the first word of a phrase: its other words and what stands for it, the longest phrase first."""

_TELLING: Final = {
    "en": ARTICLES["en"]
    | word_set(
        "is are was of to and in for with on at not from has have it by does do user prefers i my they we he she"
        " her his isn't doesn't don't can't i'm it's cannot likes lives will be this that works must should or if"
        " before after"
    ),
    "de": ARTICLES["de"]
    | word_set(
        "ist sind und nicht mit für auf zu im am von um wird nach sich kein keine hat er sie ich wohnt uhr bei war beim"
        " mag wir vom ohne nie zwei drei an bitte als oder mich mein kann muss wurde am immer dass sein ihr"
    ),
    "es": ARTICLES["es"]
    | word_set(
        "es son está y no de del al en con por para que se su a tiene vive le los mi usuario come prefiere dos tres fue"
        " nunca ya muy también hay puede debe cuando pero antes después"
    ),
    "fr": ARTICLES["fr"] | word_set("est sont et ne pas de du au en avec pour que il elle à dans sur n d mange habite"),
}


def language_of(texts: Iterable[str]) -> str:
    """Returns the language with most function words in all texts together; ``none`` on a tie.

    A word of two languages (Spanish and English "a") must not decide: read in the wrong one, it would get lost.
    """
    counts = [sum(found) for found in zip(*map(_counts, texts), strict=True)]
    most = max(counts)
    leading = [language for language, count in zip(_TELLING, counts, strict=True) if count == most]
    return leading[0] if len(leading) == 1 else "none"


@lru_cache(maxsize=4_096)
def _counts(text: str) -> tuple[int, ...]:
    words = text.casefold().split()
    return tuple(sum(word in telling for word in words) for telling in _TELLING.values())
