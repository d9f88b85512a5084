"""The step of the demo about requests that grow: the example of seed 4, and the answer that it lost."""

from __future__ import annotations

from typing import cast

from memoranda.compaction import CompactionConfig, SlidingWindow
from memoranda.records.entry import JsonValue
from memoranda.runtime.sync import Scope
from memoranda.service.demo_notes import Notes, short

_SESSION = "vault"
_TURNS = (
    "The vault is in Lisbon. Reply with: noted",
    "The key rotates on friday. Reply with: noted",
    "The owner is ops@example.com. Reply with: noted",
    "Where is the vault? Answer in one word.",
)
_CONFIG = CompactionConfig(
    context_window_tokens=256,
    max_messages=6,
    warn_fraction=0.2,
    counting="text",
    strategies=[SlidingWindow(keep_messages=4)],
)


def compaction(scope: Scope, notes: Notes) -> None:
    """Sends four turns through a compactor of at most six messages, then asks the archive what the last one lacks."""
    session = scope.session(_SESSION)
    compactor = session.compactor(_CONFIG)
    messages: list[dict[str, str]] = [{"role": "system", "content": "You are terse."}]
    request, shape = compactor.on_request(messages), ""
    for turn in _TURNS:
        messages.append({"role": "user", "content": turn})
        request = compactor.on_request(messages)
        shape = "".join(cast("dict[str, str]", message)["role"][0].upper() for message in request.messages)
        warned = ", warned that the window fills" if request.report.warned else ""
        notes.lines.append(f"{len(messages)} messages in, {len(request.messages)} out ({shape}){warned}: {short(turn)}")
        messages.append({"role": "assistant", "content": "noted"})
    sent = [str(cast("dict[str, str]", message)["content"]) for message in request.messages]
    notes.expect(shape == "SAUS", f"the last request has the shape {shape}")
    notes.expect(not any("Lisbon" in text for text in sent), "the last request still holds the first turn")
    hits = session.archive.recall(_TURNS[-1], limit=1)
    found = hits[0].entry.memory if hits else ""
    notes.expect("Lisbon" in found, f"the archive answers {found!r}")
    notes.lines += [f"what left has a handle; the archive answers the last question: {short(found)}"]
    handles = [span.handle for span in request.report.taken]
    texts = [session.archive.expand(handle).text for handle in handles]
    notes.expect(texts[0] == _TURNS[0], f"the first handle gives {texts[0]!r}")
    notes.result = {"shape": shape, "answer": found, "handles": cast("JsonValue", handles)}
