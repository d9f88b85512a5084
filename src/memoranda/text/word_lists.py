"""How lists of words are written in the pages of this room: one string, words apart by blanks."""


def word_set(listed: str) -> frozenset[str]:
    """Returns the words of a list."""
    return frozenset(listed.split())
