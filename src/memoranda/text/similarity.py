"""How much two texts share, by their words."""

from collections.abc import Iterable


def jaccard(a_terms: Iterable[str], b_terms: Iterable[str]) -> float:
    """Returns the shared terms divided by all terms, as sets: 0.0 to 1.0. Two empty sets share nothing: 0.0."""
    a, b = frozenset(a_terms), frozenset(b_terms)
    union = len(a | b)
    return len(a & b) / union if union else 0.0


def seed_tokens(text: str) -> list[str]:
    """Returns the tokens that the merge of S0.46 compares.

    Lower case, split on whitespace, each trimmed of characters that are neither letter nor digit at both ends;
    what is then empty is dropped. Order and repeats stay.
    """
    return [token for token in map(_trimmed, text.lower().split()) if token]


def _trimmed(token: str) -> str:
    start, end = 0, len(token)
    while start < end and not token[start].isalnum():
        start += 1
    while end > start and not token[end - 1].isalnum():
        end -= 1
    return token[start:end]
