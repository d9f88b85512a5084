"""The engine's errors as ours, each with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from memoranda import errors

_FULL = frozenset((apsw.SQLITE_IOERR_SHMSIZE,))
_FOLDER = "check that the folder exists and may be written"


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Raises what goes wrong inside as a `StoreError` that names the file."""
    try:
        yield
    except apsw.Error as error:
        raise as_store_error(error, name) from error


def as_store_error(error: apsw.Error, name: str) -> errors.StoreError:
    """Returns the engine's error as ours."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return errors.StoreBusy(f"{name}: other writers held it for too long; raise `busy_timeout` or try again")
        case apsw.FullError():
            return errors.StoreFull(f"{name}: the disk is full; free some space and try again, nothing was changed")
        case apsw.IOError() if getattr(error, "extendedresult", 0) in _FULL:
            return errors.StoreFull(f"{name}: the disk is full; free some space and try again, nothing was changed")
        case apsw.ReadOnlyError():
            return errors.StoreReadOnly(f"{name}: it cannot be written; {_FOLDER}")
        case apsw.CorruptError() | apsw.NotADBError():
            return errors.StoreDamaged(f"{name}: it is not a sound database ({error}); restore it from a backup")
        case apsw.CantOpenError():
            return errors.StoreUnavailable(f"{name}: it cannot be opened; {_FOLDER}")
        case apsw.ConnectionClosedError():
            return errors.StoreClosed(f"{name}: the store is closed; open it again")
        case _:
            return errors.StoreError(f"{name}: {type(error).__name__}: {error}")
