"""A query gets a second thread once the store is larger than what one thread works on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.duckdb import engine
from mergecast.queues.store.duckdb.writer import Item, Writer
from mergecast.queues.store.store import record
from mergecast.queues.store.values import Sent

_REPOSITORY = Repository("acme", "widgets")


def _threads(opened: engine.Engine) -> int:
    with opened.cursor() as cursor:
        ((threads,),) = cursor.execute("select current_setting('threads')").fetchall()
    return int(threads)


def _event(number: int) -> Event:
    return Event(f"e{number}", "queue_entered", 1_000, "main", "default", None, "api", f"s{number}", 1)


def _report(number: int) -> CiCheckReport:
    return CiCheckReport(f"r{number}", 1_000, "main", "default", "batch", f"{number}", "unit", "success", 1)


def _write(opened: engine.Engine, *events: AnyEvent) -> int:
    """Store these events; returns the number of threads afterwards."""
    writer = Writer(opened)
    for event in events:
        writer.run_batched(Item(_REPOSITORY, record, Sent([event]), 1)).result()
    writer.close()
    return _threads(opened)


@pytest.mark.parametrize("make", [_event, _report])
def test_a_store_that_grows_gets_a_second_thread(
    make: Callable[[int], AnyEvent], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps it when it is opened again; a small store has one thread."""
    monkeypatch.setattr(engine, "ROW_GROUP", 2)
    opened = engine.Engine(tmp_path / "store.duckdb")
    seen = [_write(opened), _write(opened, make(1), make(2))]
    opened.reopen()
    seen += [_write(opened), _write(opened, make(3))]
    opened.reopen()
    seen.append(_write(opened))
    opened.close()

    assert [1, 1, 1, 2, 2] == seen
