"""Words that say nothing about a query's subject, in English, German, Spanish and French.

They are left out of a query's informative terms only; entries keep every word.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from memoranda.text.folding import fold

_ENGLISH: Final = """
a about above after again all also am an and any anybody anyone anything are as ask at be because been before being
below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done dont down
during each either else ever every few for from further get gets got had hadn't has hasn't have haven't having he
her here hers herself hi him himself his how however i i'm if in into is isn't it its itself just know let like many
may maybe me might more most much must my myself neither no nor not now of off oh ok okay on once one only or other
ought our ours ourselves out over own please quite rather really regarding same shall she should shouldn't since so
some somebody someone something still such tell than that the their theirs them themselves then there these they
this those through to too uh um under until up upon us very was wasn't we well were weren't what when whenever where
whether which while who whom whose why will with within without won't would wouldn't yes yet you your yours yourself
yourselves
"""
_GERMAN: Final = """
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit dann das
dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine
einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben hat hatte hatten hier hinter ich ihm
ihn ihnen ihr ihre im in ins ist jede jeder jedes jetzt kann kein keine können könnte man mein meine mich mir mit
muss nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so solche soll sollte sondern über um und
uns unser unsere unter viel vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn
wer werden wem wen wessen wie wieder wieso will wir wird wo woher wohin worden wurde wurden zu zum zur zwischen
"""
_SPANISH: Final = """
a al algo alguien algún alguna algunas algunos ante antes aquel aquella así aún aunque bajo bien cada casi como cómo
con contra cual cuál cuales cuáles cuando cuándo cuánta cuántas cuánto cuántos de del desde donde dónde durante e el
él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos fue fueron ha
había han hasta hay he la las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros nuestra nuestro o os
otra otro para pero poco por porque qué que quien quién quienes quiénes se sea según ser si sí sido sin sobre son
soy su sus también tanto te ti tiene todo todos tu tú tus un una unas uno unos usted ustedes y ya yo
"""
_FRENCH: Final = """
à ai alors au aucun aussi autre aux avait avec avez avoir avons c'est ce ceci cela celle celui ces cet cette chaque
chez ci comme comment d'un d'une dans de des donc dont du elle elles en encore entre es est est-ce et étaient était
été être eu eux fait il ils j'ai je l'on la là laquelle le lequel les lesquels leur leurs lui ma mais me même mes
moi mon n'est ne ni non nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi qu'est-ce qu'il
qu'elle quand que quel quelle quelles quels qui quoi sa sans se sera ses si son sont sous suis sur ta te tes toi ton
tous tout toute toutes très tu un une vos votre vous y
"""


@cache
def _lists() -> tuple[frozenset[str], ...]:
    """Returns the lists, English first, folded as terms are: without accents, in lower case."""
    return tuple(frozenset(fold(listed).casefold().split()) for listed in (_ENGLISH, _GERMAN, _SPANISH, _FRENCH))


def without_stop_words(terms: Sequence[str]) -> tuple[str, ...]:
    """Returns the terms that are no stop words of the query's own language.

    The language is the one with most stop words among the terms (both lists on a tie), since a stop word of one
    language is a name or a thing in another: hat, sea, son. With fewer than two such words it is English.
    Contractions that begin with a stop word are stop words too (what's, they'll).
    """
    lists = _lists()
    counts = [sum(term in listed for term in terms) for listed in lists]
    most = max(counts)
    chosen = [listed for listed, count in zip(lists, counts, strict=True) if count == most] if most > 1 else lists[:1]
    stop = frozenset().union(*chosen)
    return tuple(term for term in terms if term not in stop and not ("'" in term and term.split("'", 1)[0] in stop))
