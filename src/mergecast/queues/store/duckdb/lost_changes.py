"""Says what a damaged store has lost, what is left, and what to do."""

from pathlib import Path
from typing import NamedTuple

import duckdb

from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.model.words import counted
from mergecast.queues.store.duckdb.acknowledged import (
    Acknowledged,
    acknowledged_path,
    log_path,
    read_acknowledged,
)
from mergecast.queues.store.duckdb.files import DatabaseFile, Log
from mergecast.queues.store.errors import StoreUnreadable


class StoreFiles(NamedTuple):
    """The files of a store and what they contain; None for what is missing or makes no sense."""

    path: Path
    acknowledged: Acknowledged | None
    log: Log | None
    database: DatabaseFile | None


def explain_loss(files: StoreFiles, what_happened: str) -> str:
    """For a store whose files lack something that was acknowledged."""
    path, record, known, found = files
    is_same_store = record is not None and found is not None and record.identity == found.identity
    left = _what_is_left(path, record if is_same_store else None)
    moved = [acknowledged_path(path)]
    if left is None or known is None or known.continues != found:
        moved.append(log_path(path))
    right, state = (
        ("the right files", f"this {path.name}") if path.exists() else (path.name, "an empty store")
    )
    sentences = [
        f"the store {path} {what_happened}",
        *([] if record is None else [_last_acknowledged(record)]),
        left or _without_log(record, found),
        "Nothing was changed",
        f"Put {right} back, or restore a backup into an empty folder",
        f"To continue with {state} instead, move {_existing(moved)} out of the folder",
    ]
    return ". ".join(sentences)


def explain_unreadable(path: Path, error: duckdb.Error) -> StoreUnreadable:
    """For a store that DuckDB cannot open."""
    record, known = read_acknowledged(acknowledged_path(path)), log_path(path)
    reason = str(error).splitlines()[0]
    advice = f"restore a backup into an empty folder, without the {known.name} of another store"
    sentences = [f"the store {path} cannot be opened: {reason}; {advice}"]
    if record is not None:
        sentences.append(_last_acknowledged(record))
    if "WAL" in str(error):
        state = "without the log" if record is None else f"with the state of {_time(record.merged_at)}"
        moved = _existing([acknowledged_path(path), known])
        sentences.append(f"To continue {state} instead, move {moved} out of the folder")
    return StoreUnreadable(". ".join(sentences))


def _existing(paths: list[Path]) -> str:
    return " and ".join(f"`{path.name}`" for path in paths if path.exists())


def _last_acknowledged(record: Acknowledged) -> str:
    held = _amount(record.repositories, record.events)
    return f"The last acknowledged change is from {_time(record.at)}, when the store had {held}"


def _time(instant: int) -> str:
    return format_instant(instant // SECOND * SECOND)


def _amount(repositories: int, events: int) -> str:
    return f"{counted(events, 'event')} in {counted(repositories, 'repository', 'repositories')}"


def _what_is_left(database: Path, record: Acknowledged | None) -> str | None:
    """How much it is, and how much less than recorded of the same store.

    None if it cannot be read. Opened only for reading, DuckDB changes no file.
    """
    if not database.exists():
        return "Nothing is left"
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            ((repositories, events),) = connection.execute(
                "select count(*), coalesce(sum(events), 0)::bigint from repository_state"
            ).fetchall()
    except duckdb.CatalogException:  # it has no tables yet
        return "Nothing is left"
    except duckdb.Error:
        return None
    amount = f"What is left has {_amount(repositories, events)}"
    return amount if record is None else f"{amount}: {_difference(record.events, events)}"


def _difference(before: int, left: int) -> str:
    """What the lost changes did to the number of events."""
    if left == before:
        others = "deliveries of sources, settings, keys or sessions"
        return f"as many events as before, so the lost changes are of something else, such as {others}"
    events = counted(abs(left - before), "event")
    return f"{events} fewer" if left < before else f"{events} more, which had been deleted"


def _without_log(record: Acknowledged | None, found: DatabaseFile | None) -> str:
    """What is left if DuckDB cannot open the store with its log."""
    if record is None or found != (record.identity, record.checkpoints):
        return "What is left cannot be read"
    return f"Without its log, the store is in the state of {_time(record.merged_at)}"
