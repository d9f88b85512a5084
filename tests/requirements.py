"""Which requirements the tests prove, and which wait: ids of the seeds' requirements, conflicts and cases.

`PROVED` stands for ids that a test's name, docstring or comment holds. `DEPARTED` gives the reason. Everything else of
`KNOWN` comes with a later part.
"""

from __future__ import annotations


def _ids(prefix: str, numbers: str, digits: int = 1) -> set[str]:
    """Returns the ids of numbers and ranges: `_ids("S0.", "1-3 21")` gives S0.1, S0.2, S0.3 and S0.21."""
    found: set[str] = set()
    for part in numbers.split():
        first, _, last = part.partition("-")
        found |= {f"{prefix}{number:0{digits}}" for number in range(int(first), int(last or first) + 1)}
    return found


def _cases(**numbers: str) -> set[str]:
    """Returns the ids of cases by letter: `_cases(P="1 3")` gives P01 and P03."""
    return set[str]().union(*(_ids(letter, each, digits=2) for letter, each in numbers.items()))


CASES = _cases(
    P="1 3-11", S="1-4", B="1 3-6 8-11", D="1-4 6-9", M="1 2 4-8", X="2-4 6 7", V="1 3-6", Q="1 3-10", T="2-4", H="1-3"
) | _cases(K="1 3-5", L="1-6 8", N="1 3 4 6", R="1 3-5", W="1-8")

KNOWN = (
    _ids("S0.", "1-55") | _ids("S1.", "1-61") | _ids("S2.", "1-18") | _ids("S3.", "1-38") | _ids("S4.", "1-54")
) | (_ids("C", "1-52") | CASES)

PROVED = (
    (_ids("S0.", "1-4 6-8 21-51") | _ids("S1.", "3-8 10-30") | _ids("S2.", "1-17"))
    | (_ids("S4.", "1-54") | _ids("C", "5-11 15-23 27 30 32-39 43-45 47 52"))
    | _cases(P="1 3-11", S="1-4", B="1 3-6 8-11", D="1-4 6 7 9", M="1 2 5 7 8", X="2-4 6 7", V="1 3 4 6", Q="1 3 5-10")
    | _cases(T="2-4", H="1-3", K="1 3-5", L="2-6", R="3-5", W="1-3 8")
)

DEPARTED = {
    "S0.53": "no file store: SQLite is one file (C51)",
    "S0.55": "the hashing embedder is a public fake in testing, not a store (C51)",
}
