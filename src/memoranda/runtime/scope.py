"""`AsyncScope`: the verbs of one scope, awaited."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from memoranda.bridge.offload import offload
from memoranda.memory import browse, edit, transfer
from memoranda.memory import consolidate as consolidating
from memoranda.memory import erase as erasing
from memoranda.memory import recall as recalling
from memoranda.memory import remember as remembering
from memoranda.memory import why_not as explaining
from memoranda.memory.context import Context
from memoranda.recall.recalled import Recalled
from memoranda.records.entry import Category, JsonValue, MemoryEntry, Origin
from memoranda.records.erasure import ErasureReceipt
from memoranda.records.new_entry import NewEntry
from memoranda.records.receipt import WriteReceipt
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.session import SessionKey
from memoranda.records.stats import ConsolidationStats, LoadReport
from memoranda.runtime.core import AsyncCore
from memoranda.runtime.documents import check_document
from memoranda.runtime.files import read_lines, write_lines
from memoranda.runtime.session import AsyncSession


class AsyncScope:
    """The memory of one scope. Made by `AsyncMemory.scope`; costs nothing to make or to keep.

    Attributes:
        path: the scope's path.
    """

    def __init__(self, context: Context, scope: ScopePath) -> None:
        self._context = context
        self._scope = scope

    @property
    def path(self) -> str:
        """The scope's path."""
        return self._scope.path

    @property
    def core(self) -> AsyncCore:
        """The scope's core blocks: labelled texts that are always in context."""
        return AsyncCore(self._context, self._scope)

    def session(self, id: str, *, agent: str = "", slot: str = "") -> AsyncSession:
        """Returns one conversation of this scope. Nothing is read or made yet.

        Args:
            id: the session's id, chosen by the host.
            agent: which agent holds the conversation; empty where there is only one.
            slot: tells conversations of the same agent and session apart.

        Raises:
            InvalidEntry: the id is blank, or one of the three is too long or no text.
        """
        return AsyncSession(self._context, self._scope, SessionKey(id, agent, slot))

    async def remember(
        self,
        text: str,
        *,
        category: Category | str = Category.FACT,
        tags: Sequence[str] = (),
        key: str | None = None,
        origin: Origin | str = Origin.USER,
        source: str | None = None,
        speaker: str | None = None,
        session: str | None = None,
        position: int | None = None,
        occurred_at: datetime | None = None,
        expires_at: datetime | None = None,
        confidence: float | None = None,
        validated: bool = False,
        idempotency_key: str | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        emitted: Collection[str] = (),
    ) -> WriteReceipt:
        """Remembers one thing, durably, and says what became of it. See `NewEntry` for the arguments.

        Secrets in the text are masked first (`Settings.redact`). Under a `key` the newer takes the place of the
        older; what is less trusted never replaces what is more trusted; what happened earlier is kept as history.

        Raises:
            InvalidEntry: something given cannot be kept as it is; nothing is stored.
            IdempotencyConflict: the idempotency key was used for something else.
        """
        item = NewEntry(
            text,
            category=category,
            tags=tags,
            key=key,
            origin=origin,
            source=source,
            speaker=speaker,
            session=session,
            position=position,
            occurred_at=occurred_at,
            expires_at=expires_at,
            confidence=confidence,
            validated=validated,
            idempotency_key=idempotency_key,
            metadata=metadata,
            emitted=emitted,
        )
        return (await remembering.remember_many(self._context, self._scope, [item]))[0]

    async def remember_many(self, items: Iterable[NewEntry | str | Mapping[str, object]]) -> list[WriteReceipt]:
        """Remembers many things in one durable commit: all of them, or none when one cannot be kept.

        Args:
            items: texts, mappings of `remember`'s arguments with `text` among them, or `NewEntry` values.

        Returns:
            A receipt for each, in order. A later item sees what became of the earlier ones.

        Raises:
            InvalidEntry: an item cannot be kept as it is; the message gives its number, counted from 0.
            IdempotencyConflict: an idempotency key was used for something else.
        """
        return await remembering.remember_many(self._context, self._scope, NewEntry.each_of(items))

    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        also: Sequence[str | ScopePath] = (),
        categories: Sequence[Category | str] | None = None,
        tags: Sequence[str] | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        min_score: float | None = None,
    ) -> Recalled:
        """Returns the entries that answer a query, best first, each with its score parts and the reason in words.

        A hit means what the query means (the embedder's floor), or it, or a neighbour of it in its session, has an
        informative word of the query; an empty answer is an answer. Blank text gives the newest entries, marked
        `recent`. The query is never parsed as a query language.

        Args:
            query: the question or the words.
            limit: most hits, 8 when None; none for 0 or less.
            also: further scopes to read. For the host to name, never for a model.
            categories: only these.
            tags: only entries that have all of these tags.
            session: only entries of this conversation; also shows its `working` entries.
            as_of: what held at that moment, instead of what is live now.
            min_score: least score of a hit, 0 to 1.

        Raises:
            InvalidEntry: an argument cannot be used; the message names it.
        """
        asked = recalling.query_of(
            query,
            limit=limit,
            also=also,
            categories=categories,
            tags=tags,
            session=session,
            as_of=as_of,
            min_score=min_score,
        )
        return await recalling.recall(self._context, self._scope, asked)

    async def why_not(
        self,
        query: str,
        id: str,
        *,
        limit: int | None = None,
        also: Sequence[str | ScopePath] = (),
        categories: Sequence[Category | str] | None = None,
        tags: Sequence[str] | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        min_score: float | None = None,
    ) -> str:
        """Says in one sentence why an entry is not among the hits of `recall` with the same arguments, or its place.

        Raises:
            InvalidEntry: an argument cannot be used; the message names it.
        """
        asked = recalling.query_of(
            query,
            limit=limit,
            also=also,
            categories=categories,
            tags=tags,
            session=session,
            as_of=as_of,
            min_score=min_score,
        )
        return await explaining.why_not(self._context, self._scope, asked, id)

    async def get(self, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or retracted ones included; None when this scope has none."""
        return await browse.get(self._context, self._scope, id)

    async def update(
        self,
        id: str,
        text: str,
        *,
        category: Category | str | None = None,
        tags: Sequence[str] | None = None,
        origin: Origin | str = Origin.USER,
        source: str | None = None,
        confidence: float | None = None,
        validated: bool | None = None,
        occurred_at: datetime | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
    ) -> WriteReceipt:
        """Puts a new entry in the place of a live one; what is not given is taken over from it.

        The old entry keeps its row as superseded, with a revision, and `restore` brings it back. An origin that is
        trusted less than the old entry's sets the new one beside it instead, contested.

        Raises:
            EntryNotFound: this scope has no live entry of that id.
            InvalidEntry: the new entry cannot be kept as it is; the old one stays live.
        """
        change = edit.Update(
            text, category, tags, origin, source, confidence, validated, occurred_at, expires_at, metadata
        )
        return await edit.update(self._context, self._scope, id, change)

    async def retract(self, id: str, *, because: str = "it was taken back") -> WriteReceipt:
        """Takes a live entry back: it keeps its row, with a revision, and is no longer shown.

        Raises:
            EntryNotFound: this scope has no live entry of that id.
        """
        return await edit.retract(self._context, self._scope, id, because)

    async def restore(self, id: str) -> WriteReceipt:
        """Undoes the last fold, update, replacement or retraction of an entry that was not undone yet.

        The entry may be named by its own id or by that of the entry that took its place.

        Raises:
            EntryNotFound: this scope has no entry of that id.
            NothingToRestore: nothing is left to undo.
            Conflict: something that came later stands in the way; the message names it.
        """
        return await edit.restore(self._context, self._scope, id)

    async def erase(self, id: str, *, reopen: bool = False) -> ErasureReceipt:
        """Erases an entry for good, live or not, and proves that the store's files hold nothing more of it.

        With it go its revisions, its vectors, the idempotency keys that were answered with it, the entries that a
        consolidation let join it, and every entry whose metadata names it under `derived_from`. What it had replaced
        does not come back.

        Args:
            id: the entry's id.
            reopen: whether what it replaced last is live again, as `restore` would make it.

        Raises:
            EntryNotFound: this scope has no entry of that id.
            Conflict: `reopen`, and another live entry holds the key by now; nothing is erased.
        """
        return await erasing.erase(self._context, self._scope, id, reopen=reopen)

    async def erase_where(self, *, source: str) -> ErasureReceipt:
        """Erases every entry of a source for good, as `erase` does. When there is none, the receipt says so.

        Args:
            source: the whole source, such as `notes.md`, which takes its places (`notes.md#L7`) with it; or one place.
        """
        return await erasing.erase_where(self._context, self._scope, source=source)

    async def erase_scope(self, *, confirm: str | None = None) -> ErasureReceipt:
        """Erases all that this scope holds, for good. Scopes below it are others and stay.

        Args:
            confirm: the path of the scope, exactly.

        Raises:
            InvalidScope: `confirm` is missing, empty or no text; nothing is erased.
            InvalidInput: `confirm` is another path; nothing is erased.
        """
        return await erasing.erase_scope(self._context, self._scope, confirm=confirm)

    async def revisions(self, id: str) -> list[Revision]:
        """Returns what an entry and those whose place it took were before, oldest first.

        Raises:
            EntryNotFound: this scope has no entry of that id.
        """
        return await browse.revisions(self._context, self._scope, id)

    async def contested(self) -> list[tuple[MemoryEntry, MemoryEntry]]:
        """Returns the pairs of live entries that cannot both be true, the older one first.

        `update`, `retract`, or a newer entry under the same key settles a pair.
        """
        return await browse.contested(self._context, self._scope)

    async def count(self) -> int:
        """Returns how many live entries the scope has."""
        return await browse.count(self._context, self._scope)

    async def consolidate(
        self, *, dry_run: bool = False, on_progress: Callable[[ConsolidationStats], None] | None = None
    ) -> ConsolidationStats:
        """Removes what has expired, merges what says the same, keeps `Settings.max_entries`, and says what it did.

        What is validated stays; `restore` undoes a merge. It works in short batches beside others that read and write,
        may be stopped at any time and called again, and changes nothing when nothing was written since. Age alone
        removes nothing. `InMemoryStore`, and a store of your own that is no `TombstoneKeeper`, tidies in its own way.

        Args:
            dry_run: whether only to tell what would be done; nothing is written.
            on_progress: called after each batch with what was done so far.

        Raises:
            Unsupported: `dry_run`, and the store tidies in its own way.
        """
        return await consolidating.consolidate(self._context, self._scope, dry_run=dry_run, on_progress=on_progress)

    async def dump(self, path: str | os.PathLike[str]) -> int:
        """Writes the scope to a file as JSON lines and returns the number of entries.

        The file is complete or not there: it is written beside its place and then moved. A file that is there
        already is replaced.
        """
        lines = await transfer.dump(self._context, self._scope)
        await offload(lambda: write_lines(Path(path), lines))
        return len(lines) - 1

    async def load(self, path: str | os.PathLike[str]) -> LoadReport:
        """Adds the entries of a dump in one commit; nothing that is stored already is overwritten.

        Lines that cannot be read are left out and reported with their number.

        Raises:
            ImportFormatError: the file is no dump.
            InvalidInput: the file cannot be read.
        """
        lines = await offload(lambda: read_lines(Path(path)))
        return await transfer.load(self._context, self._scope, lines, check_document)

    # Last in the class: below it, `list` in an annotation would mean this method.
    async def list(
        self,
        *,
        categories: Sequence[Category | str] | None = None,
        tags: Sequence[str] | None = None,
        session: str | None = None,
        limit: int = 100,
        after: str | None = None,
        superseded: bool = False,
    ) -> list[MemoryEntry]:
        """Returns live entries, newest first, a page at a time.

        Args:
            categories: only these.
            tags: only entries that have all of these tags.
            session: only entries of this conversation.
            limit: most entries; none for 0 or less.
            after: the id of the last entry of the page before.
            superseded: whether superseded, retracted and expired entries are shown too.

        Raises:
            EntryNotFound: this scope has no entry of the id `after`.
        """
        return await browse.page(
            self._context,
            self._scope,
            categories=categories,
            tags=tags,
            session=session,
            limit=limit,
            after=after,
            superseded=superseded,
        )
