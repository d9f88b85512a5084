"""The recall indexes of the scopes in use, kept in memory and brought up to date before each recall."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from memoranda.bridge.offload import offload
from memoranda.protocols.embedder import EmbedderIdentity
from memoranda.protocols.store import Changes, EntryReader
from memoranda.recall.index import ScopeIndex
from memoranda.recall.view import View
from memoranda.records.scope import Scope
from memoranda.records.settings import Settings
from memoranda.text.words import Analyser


@dataclass(slots=True)
class _Held:
    index: ScopeIndex
    size: int = 0
    lock: Lock = field(default_factory=Lock)


class Indexes:
    """Keeps the indexes of the scopes that were recalled from last, `Settings.index_entries` entries in all.

    An index stands at a version of its scope. Before it is used, what changed since is read from the store, so that
    what another process wrote is found by the next recall. An index that was dropped is built again from the rows.
    """

    def __init__(self, settings: Settings, embedder: EmbedderIdentity | None = None) -> None:
        self.analyser = Analyser(settings.language)
        self._bound = settings.index_entries
        self._embedder = embedder
        self._start_afresh()

    async def current(self, store: EntryReader, scope: Scope) -> View:
        """Returns the scope's index as the store stands now."""
        embedder = self._embedder.key if self._embedder else None
        if os.getpid() != self._process:
            # A lock that another thread held at a fork would never be let go of here.
            self._start_afresh()
        held = self._hold(scope)
        while True:
            index = held.index
            changes = await store.changes(scope, index.version, embedder)
            if changes.version == index.version and not changes.complete:
                with held.lock:
                    return held.index.view()
            view = await offload(partial(self._take_in, held, index, changes))
            if view is not None:
                self._account(scope, held)
                return view

    def forget(self, scope: Scope) -> None:
        """Lets go of a scope's index, so that nothing of what was erased stays in it; it is built again when needed."""
        if os.getpid() != self._process:
            self._start_afresh()
        with self._lock:
            held = self._scopes.pop(scope, None)
            self._total -= held.size if held else 0

    def _start_afresh(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._scopes: OrderedDict[Scope, _Held] = OrderedDict()
        self._total = 0

    def _hold(self, scope: Scope) -> _Held:
        with self._lock:
            held = self._scopes.get(scope)
            if held is None:
                dimensions = self._embedder.dimensions if self._embedder else None
                held = self._scopes[scope] = _Held(ScopeIndex(self.analyser, dimensions))
            self._scopes.move_to_end(scope)
            return held

    def _take_in(self, held: _Held, seen: ScopeIndex, changes: Changes) -> View | None:
        """Applies `changes`; None when another thread was faster, and what changed must be read again."""
        with held.lock:
            if held.index is not seen or seen.version > changes.version:
                return None
            held.index = seen.apply(changes)
            return held.index.view()

    def _account(self, used: Scope, held: _Held) -> None:
        """Counts the entries of an index that changed, and lets go of those that were used least."""
        with self._lock:
            if self._scopes.get(used) is not held:
                return
            self._total += len(held.index) - held.size
            held.size = len(held.index)
            while self._total > self._bound and len(self._scopes) > 1:
                self._total -= self._scopes.popitem(last=False)[1].size
