"""Telling the text of an error from a summary: some clients give back what went wrong as if a model had said it."""

from __future__ import annotations

import json
import re
from typing import Final

_LONGEST: Final = 1_000
"""Characters; what is longer is a summary, whatever it begins with. Pages of gateways are told by their mark-up."""
_MARKUP: Final = re.compile(r"<(?:!doctype\b|html\b|error\b|\?xml\b)", re.IGNORECASE)
_OPENING: Final = re.compile(
    r"\W{0,3}(?:"
    r"(?:(?:api|http|llm|model|provider|server)\s+)?[\w.]*(?:error|exception)(?:\s+code)?\s*[:(\[\-]*\s*[45]\d\d\b"
    r"|[\w.]*(?:error|exception)\s*:"
    r"|(?:an\s+)?(?:\w+\s+)?errors?\s+(?:occurred\s+)?(?:(?:while|when|in|during|from)\s+)?(?:the\s+)?"
    r"(?:generating|generation|creating|calling|summari[sz]\w+|summary|processing\s+your|communicating|invoking)\b"
    r"|(?:failed|unable)\s+to\s+(?:generate|create|produce|summari[sz]e|call|reach|connect)\b"
    r"|summary\s+(?:generation\s+)?(?:failed|unavailable|not\s+available)\b"
    r"|traceback\s+\(most\s+recent\s+call\s+last\)"
    r"|(?:http\S*\s+|status\s+)?[45]\d\d\s*[:\-]?\s*(?:client|server|too\s+many|bad|unauthori[sz]ed|forbidden|not\s+found"
    r"|internal|service|gateway|payment|request|rate|overloaded)\b"
    r"|(?:rate\s+limit|quota|(?:maximum\s+)?context\s+(?:length|window))\s+(?:was\s+|has\s+been\s+|is\s+)?(?:exceeded|reached)"
    r"|(?:request|connection|read)\s+(?:timed\s+out|timeout|refused|reset|error)\b[^a-z]*$"
    r"|(?:internal\s+server\s+error|bad\s+gateway|gateway\s+time-?out|service\s+(?:temporarily\s+)?unavailable"
    r"|too\s+many\s+requests|overloaded)\b[^a-z]*$"
    r")",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(r"```\w*\s*|\s*```")


def is_error_text(text: str) -> bool:
    """Tells whether a text is what a client, a gateway or a provider says when something went wrong.

    It is told by how it begins, so that a summary may speak of errors. Where a summary begins just like an error, it is
    taken for one: the messages then stay, which loses nothing.

    >>> is_error_text("Error code: 429 - {'error': {'message': 'Rate limit reached'}}")
    True
    >>> is_error_text("Ana asked why db-9 answers with error 500; it was out of memory.")
    False
    """
    said = text.strip()
    if _MARKUP.match(said) is not None or _is_error_object(said):
        return True
    return len(said) <= _LONGEST and _OPENING.match(said) is not None


def _is_error_object(text: str) -> bool:
    """Tells whether a text is a JSON object that holds an error, as all providers answer with."""
    bare = _FENCE.sub("", text)
    if not bare.startswith("{"):
        return False
    try:
        told = json.loads(bare)
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and bool(told.get("error") or told.get("type") == "error")
