"""The archive of a session on the durable store (S4.49 to S4.52, C52)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memoranda.bridge.offload import offload
from memoranda.curation import archive as curation
from memoranda.errors import HandleNotFound, InvalidEntry, InvalidInput
from memoranda.memory.archived_text import SOURCE, Place, prepared, read
from memoranda.memory.context import Context
from memoranda.memory.recall import query_of, recall
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.archived import ArchivedSpan, ArchiveReceipt, ArchiveUsage
from memoranda.records.check import MAX_NAME
from memoranda.records.document import MAX_BODY
from memoranda.records.entry import Category
from memoranda.records.message import WireFormat
from memoranda.records.recalled import Hit
from memoranda.records.scope import Scope
from memoranda.records.session import SessionKey
from memoranda.records.span import Span


class StoreArchive:
    """Keeps the spans of one session in the store, as any `protocols.archive.Archive`.

    A span is kept whole in a document under its handle, with secrets masked as `remember` masks them. Passages of its
    text are entries of the category `episode`, so recall of the scope finds them, too; their `source` is `archive/` and
    the handle. They are added as they are: a conversation that the host has stored as well has its text twice, since
    looking for the same text would cost more than it saves. No vectors are made, for this stands between a request and
    its answer: until `reembed` has made them, spans are found by their words.

    Erasing a passage erases its span.

    Args:
        context: the surroundings.
        scope: whose archive.
        session: of which conversation; other sessions of the scope have archives of their own.
        max_entries: most spans of the session; over it the oldest go, with their passages, less validated ones.
        max_entry_characters: longest span, as it is kept in JSON; a longer one is refused.
        format: the wire format in which parts of messages are kept; None to tell it by the message.

    Raises:
        InvalidInput: a bound that is no whole number above 0, or beyond what a document holds.
        Unsupported: the store keeps no documents, or has only the four verbs.
    """

    def __init__(
        self,
        context: Context,
        scope: Scope,
        session: SessionKey,
        *,
        max_entries: int = 10_000,
        max_entry_characters: int = 4_000_000,
        format: WireFormat | None = None,
    ) -> None:
        _check_bound("max_entries", max_entries)
        _check_bound("max_entry_characters", max_entry_characters, most=MAX_BODY)
        self._reader, self._writer = context.documents(), context.writer()
        self._context = context
        self._scope = scope
        self._max_entries = max_entries
        self._place = Place(session=session, format=format, max_characters=max_entry_characters)

    async def keep(self, spans: Sequence[Span]) -> ArchiveReceipt:
        """Keeps all spans, oldest first, or none. One that is there already is not kept twice.

        Raises:
            InvalidInput: a span is larger than the archive takes; nothing of the batch was kept.
            CapacityReached: the scope holds `Settings.max_entries` entries, and too few of them may go.
            StoreError: they cannot be kept.
        """
        if not spans:
            return ArchiveReceipt()
        context, session = self._context, self._place.session.path
        candidates = await offload(partial(prepared, context, self._place, tuple(spans)))
        now = context.clock.now()

        def decide(snapshot: Snapshot) -> Plan[ArchiveReceipt]:
            return curation.keep(
                snapshot,
                candidates,
                session=session,
                now=now,
                max_spans=self._max_entries,
                max_entries=context.settings.max_entries,
            )

        return await self._writer.write(self._scope, decide)

    async def expand(self, handle: str) -> ArchivedSpan:
        """Returns the span of a handle, whole. The `source` of a hit of `recall` does as well.

        Raises:
            HandleNotFound: there is none, or it was evicted or erased.
        """
        # A model may ask for anything, so what can be no handle is simply not there.
        if not isinstance(handle, str) or not handle.strip() or len(handle) > MAX_NAME or handle == curation.LISTING:
            raise HandleNotFound(handle)
        try:
            key = curation.span_key(self._place.session.path, handle.removeprefix(SOURCE))
        except InvalidEntry as error:
            raise HandleNotFound(handle) from error
        document = await self._reader.document(self._scope, key)
        if document is None:
            raise HandleNotFound(handle)
        return read(document)

    async def recall(self, query: str, *, limit: int = 4) -> list[Hit]:
        """Returns passages of this session's spans that answer a query, best first; the newest for a blank query.

        Raises:
            InvalidEntry: the query is no text, or the limit is not above 0 (S4.49).
        """
        asked = query_of(query, limit=limit, categories=[Category.EPISODE], tags=[self._place.tag])
        if asked.limit == 0:
            raise InvalidEntry(f"`limit` is {limit!r}; recall from an archive needs a whole number above 0")
        return list(await recall(self._context, self._scope, asked))

    async def usage(self) -> ArchiveUsage:
        """Returns how full it is."""
        listed = await self._reader.document(self._scope, curation.listing_key(self._place.session.path))
        listing = curation.Listing.of(listed)
        return ArchiveUsage(
            entries=len(listing.spans),
            capacity=self._max_entries,
            characters=sum(listing.spans.values()),
            evicted_entries=listing.evicted,
        )


def _check_bound(name: str, value: object, *, most: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidInput(f"`{name}` of an archive is {value!r}; it must be a whole number above 0")
    if most is not None and value > most:
        raise InvalidInput(f"`{name}` of an archive is {value:,}; a document holds at most {most:,} characters")
