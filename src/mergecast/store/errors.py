"""What can go wrong between us and the database."""

import errno
import os

import duckdb

from mergecast.errors import FieldError, InvalidInput, MergecastError, Unavailable

_NO_ROOM = (os.strerror(errno.ENOSPC), os.strerror(errno.EFBIG), os.strerror(errno.EDQUOT))


class StoreInUse(MergecastError):
    """Another process owns the store."""


class StoreUnreadable(MergecastError):
    """The file is not a store, or is damaged."""


class StoreTooNew(MergecastError):
    """The store was written by a newer program."""


class DiskFull(Unavailable):
    """There is no room to store anything more; nothing was stored."""


class AnswerTooLarge(InvalidInput):
    """The question has an answer that is too long to give."""

    def __init__(self, most: int) -> None:
        message = f"the answer has more than {most} entries; keep fewer groups, or ask for a shorter period"
        super().__init__([FieldError("query", "", message)])


class QueryTooSlow(Unavailable):
    """A query ran into its time limit and was stopped."""


class StoreClosed(Unavailable):
    """The store is shutting down."""


def unavailable(error: duckdb.Error) -> Unavailable | None:
    """What the caller is told when the database could not do it; None when it is an internal error."""
    if any(reason in str(error) for reason in _NO_ROOM):
        return DiskFull("the disk of the store is full; nothing was changed")
    if isinstance(error, (duckdb.FatalException, duckdb.OutOfMemoryException)):
        return Unavailable("the store cannot do this now; nothing was changed")
    return None
