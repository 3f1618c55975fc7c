"""What can go wrong between us and the database."""

from mergecast.errors import MergecastError, Unavailable


class StoreInUse(MergecastError):
    """Another process owns the store."""


class StoreTooNew(MergecastError):
    """The store was written by a newer program."""


class DiskFull(Unavailable):
    """There is no room to store anything more; nothing was stored."""


class QueryTooSlow(Unavailable):
    """A query ran into its time limit and was stopped."""


class StoreClosed(Unavailable):
    """The store is shutting down."""
