"""The command `contested`: what cannot both be true."""

from __future__ import annotations

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.state import State


@verb("contested --scope acme/alice", "contested --json")
def contested_command(state: State) -> None:
    """Shows the pairs of live entries that cannot both be true.

    The older one comes first, each with its time and who said it. `update` or `retract` of one of them settles a pair,
    and so does a newer entry under the same key.
    """
    with state.scope() as scope:
        pairs = scope.contested()
    if state.json:
        from memoranda.service.views import contested_view

        render.show_json(contested_view(pairs))
        return
    if not pairs:
        render.note("nothing is contested")
        return
    render.show_records(
        ("pair", "memory", "time", "said by"),
        [
            (str(number), f"{render.excerpt(entry.memory)}\n{entry.id}", render.happened(entry), entry.origin.value)
            for number, pair in enumerate(pairs, 1)
            for entry in pair
        ],
    )
