"""Maps database errors to errors of a store. No message contains the URL, which contains a password."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import structlog
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from mergecast.errors import MergecastError, Unavailable
from mergecast.store.errors import DiskFull, QueryTooSlow, StoreClosed, StoreDamaged, UnusableDatabase

SETTING = "MERGECAST_DATABASE_URL"

log = structlog.get_logger("mergecast.store")


class DatabaseUnreachable(Unavailable):
    """No connection, or it was lost."""


@contextmanager
def database_errors(seconds: float = 0.0) -> Iterator[None]:
    """Convert errors of the driver; `seconds` is the time limit of the statements."""
    try:
        yield
    except errors.QueryCanceled as error:
        raise QueryTooSlow(seconds) from error
    except errors.DiskFull as error:
        raise DiskFull("the disk of the database is full; nothing was stored") from error
    except errors.ReadOnlySqlTransaction as error:
        raise DatabaseUnreachable("the database accepts no changes now; try again in a moment") from error
    except (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable) as error:
        raise Unavailable("the database is busy with another change; try again in a moment") from error
    except (errors.DataCorrupted, errors.IndexCorrupted) as error:
        log.error("the database is damaged", error=_first_line(error))  # noqa: TRY400 - the trace says no more
        raise StoreDamaged from error
    except (errors.UndefinedTable, errors.InsufficientPrivilege) as error:
        raise DatabaseUnreachable(
            f"the database is not set up for mergecast: {_first_line(error)}"
        ) from error
    except PoolClosed as error:
        raise StoreClosed("the service is stopping; try again in a moment") from error
    except PoolTimeout as error:
        raise DatabaseUnreachable("no connection to the database is free; try again in a moment") from error
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise DatabaseUnreachable("the database cannot be reached; try again in a moment") from error


def explained(error: psycopg.Error) -> MergecastError:
    """Why a first connection failed, and how to fix it."""
    text = str(error).lower()
    if "does not exist" in text and "database" in text:
        return UnusableDatabase(f"{SETTING}: the database does not exist; create it with `createdb`")
    if "password" in text or "authentication" in text or "role" in text or "pg_hba" in text:
        return UnusableDatabase(f"{SETTING}: the database does not accept this user and password")
    if isinstance(error, errors.InsufficientPrivilege):
        return UnusableDatabase(
            f"{SETTING}: this user may not create tables; run "
            "`grant create, usage on schema public to` the user, or create them as the owner"
        )
    return DatabaseUnreachable("the database cannot be reached; is it running, and are host and port right?")


def _first_line(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0]
