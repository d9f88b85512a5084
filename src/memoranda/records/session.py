"""Which conversation: an agent, a session id, and a slot, within a scope."""

from __future__ import annotations

import json
from dataclasses import dataclass

from memoranda.records.check import check_name


@dataclass(frozen=True, slots=True, order=True)
class SessionKey:
    """One conversation of a scope.

    Attributes:
        id: the session's id, chosen by the host.
        agent: which agent holds the conversation; empty where there is only one.
        slot: tells conversations of the same agent and session apart, such as those of parallel branches.

    Raises:
        InvalidEntry: the id is blank; or one of the three is longer than `records.check.MAX_NAME`, or no Unicode text.
    """

    id: str
    agent: str = ""
    slot: str = ""

    def __post_init__(self) -> None:
        check_name(self.id, "session")
        for value, name in ((self.agent, "agent"), (self.slot, "slot")):
            if value != "":
                check_name(value, name)

    @property
    def path(self) -> str:
        """The three as one text. Two keys that differ have two paths, whatever the names hold."""
        return json.dumps([self.id, self.agent, self.slot], ensure_ascii=False, separators=(",", ":"))
