"""A store that is moved to a database and back gives the same answers, to the last digit."""

import asyncio
import json
import os
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest

from builders import Wire
from cli.program import mergecast
from mergecast.demo.history import demo_events
from mergecast.incoming.intake.event_bodies import MOST_EVENTS_PER_DELIVERY, read_json
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import distribute_database, open_store
from mergecast.queues.store.store import Store
from postgres.generated_history import generated_history
from postgres.server import new_database
from store.statistics import all_answers

T = TypeVar("T")

_CITUS = os.environ.get("MERGECAST_TEST_CITUS_URL")
_NO_CLUSTER = pytest.mark.skipif(
    not _CITUS, reason="MERGECAST_TEST_CITUS_URL is not set: it names a Citus database"
)
_END = parse_instant("2026-04-12T00:00:00Z")
_HISTORIES: dict[str, Callable[[], Iterable[Wire]]] = {
    "demo": lambda: demo_events(date(2026, 3, 23), datetime(2026, 4, 12, tzinfo=UTC)),
    "generated": partial(generated_history, 1, 2_500),
}


@pytest.fixture(params=["postgresql", pytest.param("citus", marks=_NO_CLUSTER)])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of a database to move to; that of the cluster may hold other repositories."""
    if request.param == "postgresql":
        return new_database(request.getfixturevalue("database_server"))
    assert _CITUS is not None
    distribute_database(_CITUS)
    return _CITUS


@pytest.mark.parametrize("history", _HISTORIES)
def test_a_history_keeps_its_digits_there_and_back(database: str, tmp_path: Path, history: str) -> None:
    name = Repository("acme", uuid4().hex)
    here, back = tmp_path / "here", tmp_path / "back"
    here.mkdir()
    _use(here, None, partial(_record, name=name, events=list(_HISTORIES[history]())))

    moved = mergecast("store", "copy", "--to", database, data=here)
    returned = mergecast(
        "store", "copy", "--to", back, data=tmp_path / "none", MERGECAST_DATABASE_URL=database
    )

    assert (0, "") == (moved.code, moved.err)
    assert f"{name}:" not in returned.err
    places = ((here, None), (tmp_path, database), (back, None))
    expected, there, again = (_use(folder, url, partial(_answers, name=name)) for folder, url in places)
    assert expected == there
    assert expected == again


def _use(folder: Path, url: str | None, work: Callable[[Store], T]) -> T:
    store = open_store(folder, url)
    try:
        return work(store)
    finally:
        store.close()


def _record(store: Store, name: Repository, events: list[Wire]) -> None:
    async def record() -> None:
        for start in range(0, len(events), MOST_EVENTS_PER_DELIVERY):
            body = json.dumps(events[start : start + MOST_EVENTS_PER_DELIVERY]).encode()
            await store.record(name, read_json(body, _END))

    asyncio.run(record())


def _answers(store: Store, name: Repository) -> dict[str, bytes]:
    return asyncio.run(all_answers(store, name, _END))
