"""Function words of English, German, Spanish, French and Chinese: which may be missing, and which say the same."""

from collections.abc import Iterable, Mapping
from typing import Final

_Phrases = Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES: Final = {
    "en": _words("the a an"),
    "de": _words("der die das den dem des ein eine einen einem einer eines"),
    "es": _words("el la los las lo un una unos unas"),
    "fr": _words("le la les un une des l"),
}
COPULAS: Final = {
    "en": _words("is are am be"),
    "de": _words("ist sind bin"),
    "es": _words("es son está están"),
    "fr": _words("est sont"),
}
"""Of the present only: who was a nurse is none today."""
FILLERS: Final = {
    "en": _words("really actually basically very please definitely certainly indeed also do does"),
    "de": _words("wirklich eigentlich sehr bitte übrigens auch"),
    "es": _words("realmente muy también"),
    "fr": _words("vraiment très aussi"),
}
NOW: Final = {
    "en": _words("currently now presently"),
    "de": _words("derzeit momentan jetzt aktuell gegenwärtig"),
    "es": _words("ahora actualmente"),
    "fr": _words("maintenant actuellement"),
}
"""May be missing where nothing is negated: "not now" is not "not"."""
PREPOSITIONS: Final = _words(
    "in on at by for from to with without of into onto before after during since until through over under between among"
    " about against via per because if when while"
    " im am an auf aus bei bis durch für gegen hinter mit nach neben ohne seit über um unter von vor während wegen zu"
    " zwischen weil wenn"
    " a con contra de desde durante en entre hacia hasta para por sin sobre tras antes después porque si cuando"
    " à avec chez dans depuis par pour sans sous sur vers"
    " 在 从 到 于 对 给 向 往 因为"
)
BEFORE_TIMES: Final = {
    "en": _words("on at"),
    "de": _words("am um an"),
    "es": _words("a en"),
    "fr": _words("à le"),
}
CASES: Final = {
    "der": 1, "die": 1, "das": 1, "ein": 1, "eine": 1, "den": 2, "einen": 2, "dem": 3, "einem": 3, "einer": 3, "des": 4,
    "eines": 4,
}  # fmt: skip
"""German articles by the case that they show: "den Hund beißt der Mann" has no other words than its opposite."""
PARTICIPLES: Final = _words("given paid sent shown told taught left made found built taken brought bought sold")

_SYNONYMS: Final = {
    "en": """
    no longer=not anymore|not any longer=not anymore|not any more=not anymore|can not=can not|cannot=can not
    has to=must|have to=must|needs to=must|need to=must|is able to=can|are able to=can|in order to=to|so as to=to
    as well as=and|&=and|due to=because of|owing to=because of|even though=although|though=although
    at the moment=now|right now=now|at present=now|of course=|every day=daily|each day=daily|every week=weekly
    each week=weekly|every month=monthly|each month=monthly|every year=yearly|each year=yearly|each=every
    is going to=will|are going to=will|can't stand=hate|can not stand=hate|have got=have|has got=have|there is=|there are=
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


SYNONYMS: Final = {language: _phrases(text) for language, text in _SYNONYMS.items()}
"""By the first word of a phrase: its other words and what stands for it, the longest phrase first."""

_TELLING: Final = {
    "en": ARTICLES["en"]
    | _words("is are was of to and in for with on at not from has have it by does do user prefers i my they we"),
    "de": ARTICLES["de"]
    | _words(
        "ist sind und nicht mit für auf zu im am von um wird nach sich kein keine hat er sie ich wohnt uhr bei war beim"
        " mag wir vom ohne nie zwei drei"
    ),
    "es": ARTICLES["es"]
    | _words(
        "es son está y no de del al en con por para que se su a tiene vive le los mi usuario come prefiere dos tres fue"
    ),
    "fr": ARTICLES["fr"] | _words("est sont et ne pas de du au en avec pour que il elle à dans sur n d mange habite"),
}


def language_of(texts: Iterable[str]) -> str:
    """Returns the language whose function words are the most frequent among words in lower case; English on a tie."""
    words = [word for text in texts for word in text.split()]
    counts = {language: sum(word in telling for word in words) for language, telling in _TELLING.items()}
    return max(counts, key=counts.__getitem__)
