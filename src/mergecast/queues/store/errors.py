"""What can go wrong with a store."""

from mergecast.errors import Conflict, FieldError, InvalidInput, MergecastError, Stopping, Unavailable


class StoreInUse(MergecastError):
    """Another process owns the store."""


class StoreUnreadable(MergecastError):
    """The file is not a store, or is damaged."""


class StoreDamaged(Unavailable):
    """A part of the store cannot be read; other parts may be."""

    def __init__(self) -> None:
        super().__init__("a part of the store is damaged; the operator has to restore a backup", 60)


class StoreTooNew(MergecastError):
    """The store was written by a newer program."""


class StoreTooOld(MergecastError):
    """The store was written by a program whose stores this one cannot migrate."""


class UnusableDatabase(MergecastError):
    """The settings name a database that cannot be used as it is; the message says what to change."""


class StatementFailed(MergecastError):
    """A statement failed; the message names it and has the words of the database."""


class PartUnreachable(Unavailable):
    """The database answers, but a part of it does not: for example a worker of a cluster."""


class MissingDriver(UnusableDatabase):
    """The library for this kind of store is not installed."""


class DiskFull(Unavailable):
    """The disk is full; nothing was stored."""


class OutOfMemory(Unavailable):
    """The database lacks the memory for this piece of work; others may need less."""

    def __init__(self) -> None:
        super().__init__("the store lacks the memory for this; nothing was changed")


class RepositoryRenamed(Conflict):
    """The repository that was found under a name no longer has it; nothing was stored."""

    def __init__(self) -> None:
        super().__init__([FieldError("path", "repository", "has been renamed or deleted; try again")])


class AnswerTooLarge(InvalidInput):
    """The answer has too many rows."""

    def __init__(self, most: int) -> None:
        message = f"the answer has more than {most} entries; filter the groups or choose a shorter period"
        super().__init__([FieldError("query", "", message)])


class QueryTooSlow(Unavailable):
    """A query reached its time limit and was stopped."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"the store did not answer within {seconds:g} seconds; choose a shorter period or try again"
        )


class StoreClosed(Stopping):
    """The store is shutting down."""
