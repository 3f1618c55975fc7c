"""Maps database errors to errors of a store. No message contains the URL, which contains a password.

A client of the API reads what it can do. An operator reads the database's own words, in the log or when a
command fails.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import structlog
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from mergecast.errors import MergecastError, Unavailable
from mergecast.queues.store.errors import (
    DiskFull,
    PartUnreachable,
    QueryTooSlow,
    StatementFailed,
    StoreClosed,
    StoreDamaged,
    UnusableDatabase,
)

SETTING = "MERGECAST_DATABASE_URL"
UNREACHABLE = "the database cannot be reached; try again in a moment"
_NO_RIGHTS = (
    f"{SETTING}: this user may not create or change tables; run "
    "`grant create, usage on schema public to` the user, or connect as the owner of the tables"
)
_READ_ONLY = "the database accepts no changes: it is a replica, or its transactions are read-only"
# Errors that the program causes: another attempt would fail the same way.
_OWN_MISTAKES = (
    psycopg.ProgrammingError,
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.NotSupportedError,
)
# The server is about to close the connection, or accepts none.
_CLOSING = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.IdleSessionTimeout,
    errors.TooManyConnections,
)
_OF_CONNECTIONS = "08"  # the class of errors about connections; from the server, about those to workers

log = structlog.get_logger("mergecast.store")


class DatabaseUnreachable(Unavailable):
    """No connection, or it was lost."""


_MEANINGS: tuple[tuple[tuple[type[psycopg.Error], ...], type[Unavailable], str], ...] = (
    ((errors.DiskFull,), DiskFull, "the disk of the database is full; nothing was stored"),
    (
        (errors.ReadOnlySqlTransaction,),
        DatabaseUnreachable,
        "the database accepts no changes now; try again in a moment",
    ),
    (
        (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable),
        Unavailable,
        "the database is busy with another change; try again in a moment",
    ),
    ((PoolClosed,), StoreClosed, "the service is stopping; try again in a moment"),
    ((PoolTimeout,), DatabaseUnreachable, UNREACHABLE),
)


@contextmanager
def database_errors(seconds: float | None = None) -> Iterator[None]:
    """Convert errors of the driver; `seconds` is the time limit of the statements, if they have one."""
    try:
        yield
    except psycopg.Error as error:
        converted = _converted(error, seconds)
        if converted is None:
            raise
        raise converted from error


def _converted(error: psycopg.Error, seconds: float | None) -> MergecastError | None:
    """What an error means to the caller; None for a mistake of the program."""
    if isinstance(error, errors.QueryCanceled) and seconds is not None:
        return QueryTooSlow(seconds)
    for kinds, converted, message in _MEANINGS:
        if isinstance(error, kinds):
            return converted(message)
    if isinstance(error, errors.DataCorrupted | errors.IndexCorrupted):
        log.error("the database is damaged", error=words_of(error))
        return StoreDamaged()
    if isinstance(error, errors.UndefinedTable | errors.InsufficientPrivilege):
        return DatabaseUnreachable(f"the database is not set up for mergecast: {words_of(error)}")
    if _is_lost(error):
        return DatabaseUnreachable(UNREACHABLE)
    return None if isinstance(error, _OWN_MISTAKES) else _failed(error)


def _failed(error: psycopg.Error) -> MergecastError:
    """The database reports an error that the statement did not cause; often a worker of a cluster did."""
    log.error("the database failed", error=words_of(error), sqlstate=error.sqlstate)
    if (error.sqlstate or "").startswith(_OF_CONNECTIONS):
        return PartUnreachable("a part of the database does not answer; try again in a moment")
    return Unavailable("the database could not do this now; try again in a moment")


def _is_lost(error: psycopg.Error) -> bool:
    """Whether there is no connection, which the driver reports, or the server is about to close it."""
    has_answered = error.sqlstate is not None
    is_of_connection = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return (is_of_connection and not has_answered) or isinstance(error, _CLOSING)


@contextmanager
def named_statement(name: str) -> Iterator[None]:
    """Say what failed, and why in the database's own words."""
    try:
        yield
    except errors.InsufficientPrivilege as error:
        raise UnusableDatabase(f"{_NO_RIGHTS} ({name}: {words_of(error)})") from None
    except errors.ReadOnlySqlTransaction as error:
        raise UnusableDatabase(f"{SETTING}: {_READ_ONLY} ({name}: {words_of(error)})") from None
    except psycopg.Error as error:
        if _is_lost(error):
            raise DatabaseUnreachable(f"the connection to the database was lost during {name}") from None
        raise StatementFailed(f"{name} failed: {words_of(error)}") from None


def refused(error: psycopg.Error) -> MergecastError:
    """Why a first connection failed, and how to fix it."""
    words = _first_line(error).removeprefix("connection failed: ")
    text = words.lower()
    if "does not exist" in text and "database" in text:
        return UnusableDatabase(f"{SETTING}: the database does not exist; create it with `createdb`")
    if "pg_hba" in text:
        return UnusableDatabase(f"{SETTING}: the database refuses this connection: {_after_fatal(words)}")
    if "password" in text or "authentication" in text or "role" in text:
        return UnusableDatabase(f"{SETTING}: the database does not accept this user and password")
    if "fatal:" in text or "ssl" in text or "certificate" in text:
        return DatabaseUnreachable(f"the database refuses connections: {_after_fatal(words)}")
    return DatabaseUnreachable(
        f"the database cannot be reached: {words}; is it running, and are host and port right?"
    )


def words_of(error: psycopg.Error) -> str:
    """What the database says, in one line."""
    said = error.diag
    if said.message_primary is None:
        return _first_line(error)
    parts = (said.message_primary, said.message_detail, said.message_hint)
    return "; ".join(part.rstrip(".").replace("\n", " ") for part in parts if part)


def _after_fatal(words: str) -> str:
    return words.partition("FATAL:")[2].strip() or words


def _first_line(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0]
