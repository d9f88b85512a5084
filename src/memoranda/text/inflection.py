"""Forms of one word: inflections that change no meaning, spelling variants, accents.

The stemmers of recall join too much for this: tenses (works, worked), degrees (fast, faster), nouns and verbs (train,
training), genders (hijo, hija) say different things. Here only what is sure is joined.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from memoranda.text.word_lists import word_set

_KEPT: Final = word_set(
    "news goods customs glasses arms means sometimes besides contents always perhaps thanks savings series species"
    " does his its this us is was has as plus less minus versus across towards whereas yes bus gas lens"
)
_SHORTEST: Final = 4
_LOANS: Final = word_set(
    "cafe cafes naive resume resumes fiance fiancee cliche facade jalapeno pinata deja touche elite entree decor"
    " creche manana espanol espanola espana senor senora contrasena contrasenas nino ninos nina ninas diseno pequeno"
)
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe"})
_ACUTE: Final = str.maketrans("áéíóúü", "aeiouu")
_OUR: Final = re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|able|ite|ites|ful|ly|al|hood|hoods)?$)")
_ISE: Final = re.compile(r"(?<=[a-z]{4})(i|y)s(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
_VARIANTS: Final = {
    "centre": "center", "centres": "centers", "theatre": "theater", "metre": "meter", "metres": "meters",
    "litre": "liter", "litres": "liters", "fibre": "fiber", "grey": "gray", "catalogue": "catalog",
    "dialogue": "dialog",
    "programme": "program", "programmes": "programs", "cheque": "check", "licence": "license", "defence": "defense",
    "travelled": "traveled", "travelling": "traveling", "traveller": "traveler", "cancelled": "canceled",
    "cancelling": "canceling", "labelled": "labeled", "labelling": "labeling", "modelling": "modeling",
    "modelled": "modeled", "jewellery": "jewelry", "aluminium": "aluminum", "tyre": "tire", "tyres": "tires",
    "aeroplane": "airplane", "mum": "mom", "ok": "okay", "till": "until", "toward": "to", "towards": "to",
    "amongst": "among", "whilst": "while", "upon": "on", "learnt": "learned", "burnt": "burned", "dreamt": "dreamed",
    "analogue": "analog", "storey": "story", "enrol": "enroll", "fulfil": "fulfill", "skilful": "skillful",
    "has": "have", "e-mail": "email", "e-mails": "emails",
}  # fmt: skip


@lru_cache(maxsize=16_384)
def form(word: str, language: str, *, name: bool = False) -> str:
    """Returns what stands for all forms of a word that say the same.

    Joined are: in English -s of the plural and the third person, British and American spellings; in German endings of
    adjectives (-en, -em, -es), ae for ä and ss for ß; in Spanish the plural -os, acute accents but for those on the
    last letter, which are a tense (compro, compró). A name keeps its ending. All else stays.

    Args:
        word: one word in lower case, NFC.
        language: ``en``, ``de``, ``es``, ``fr``, or ``none`` where it is not known: then no endings are joined.
        name: whether the word is written as a name is.
    """
    plain = _without_accents(word, language, name)
    if language in ("en", "none"):
        spelled = _ISE.sub(r"\1z", _OUR.sub("or", _VARIANTS.get(plain, plain)))
        return spelled if name or language == "none" else singular(spelled)
    if language == "de" and not name and len(plain) > _SHORTEST and plain.endswith(("en", "em", "es")):
        return plain[:-1]
    if language == "es" and not name and len(plain) > _SHORTEST and plain.endswith("os"):
        return plain[:-1]
    return plain


def singular(word: str) -> str:
    """Returns an English word without the -s of the plural or of the third person."""
    if len(word) < _SHORTEST or word in _KEPT or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    bare = word[:-1]
    if bare.endswith("ie") and len(bare) > _SHORTEST:
        return bare[:-2] + "y"
    return bare[:-1] if bare.endswith(("xe", "che", "she", "sse", "zze", "oe")) else bare


def without_ing(word: str) -> str:
    """Returns an English verb in its plain form where it is one in -ing: deploying, running; else the word."""
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < 3 or not re.search("[aeiouy]", stem):
        return word
    return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem


def _without_accents(word: str, language: str, name: bool) -> str:
    if word.isascii():
        return word
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    if bare in _LOANS or (name and language in ("en", "es") and not set(word) & set("äöüñ")):
        return bare
    if language == "es" and len(word) > _SHORTEST - 1:
        return word[:-1].translate(_ACUTE) + word[-1]
    return word.translate(_UMLAUTS)
