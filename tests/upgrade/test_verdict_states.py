"""States of queues that an earlier engine has stored are made again when something happens there."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from builders import ended, entered, left, started
from mergecast.queues.model.instant import HOUR, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.store import Store
from mergecast.signals.verdict.engine import Engine, OtherVersion
from postgres.server import new_database
from removals.judging import judge, known_of, said, send, states_of
from upgrade.dumps import restore_duckdb, restore_postgres
from upgrade.history import NOW
from upgrade.make_stores import STORES

pytestmark = pytest.mark.server

_HARBOR = Repository("acme", "harbor")
_KEPT = STORES / "0.1.0"
_LATER = NOW + 2 * HOUR


@pytest.fixture(params=["duckdb", "postgres"])
def upgraded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = None
    if request.param == "postgres":
        url = new_database(request.getfixturevalue("database_server"))
        restore_postgres(_KEPT / "postgres.sql", url)
    else:
        restore_duckdb(_KEPT / "duckdb.sql", tmp_path / FILE_NAME)
    with closing(open_store(tmp_path, url)) as store:
        yield store


def test_verdicts_are_those_of_this_engine(upgraded: Store, tmp_path: Path) -> None:
    """About a removal after the upgrade, and about those before it."""

    async def compare() -> None:
        assert False in await _readable_states(upgraded)
        await send(upgraded, _removal(), _LATER, _HARBOR)
        await judge(upgraded, _LATER, name=_HARBOR)
        with closing(open_store(tmp_path / "fresh")) as fresh:
            async for events in upgraded.export(await known_of(upgraded, _HARBOR)):
                await fresh.record(_HARBOR, events)
            await judge(fresh, _LATER, name=_HARBOR)
            expected = await said(fresh, _HARBOR)
        assert "after" in expected
        assert expected == await said(upgraded, _HARBOR)
        assert {True} == await _readable_states(upgraded)

    asyncio.run(compare())


async def _readable_states(store: Store) -> set[bool]:
    """Of the queue in which something happens."""
    states = await states_of(store, _HARBOR)
    return {_is_readable(state.document) for state in states if state.queue_name == "default"}


def _is_readable(document: bytes) -> bool:
    try:
        Engine.load(document)
    except OtherVersion:
        return False
    return True


def _removal() -> list[dict[str, object]]:
    """One of pull request 9,001, whose only run has failed."""
    run = "after", 9001, "of-9001"
    at = [format_instant(NOW + number * HOUR // 4) for number in range(4)]
    return [
        entered(at[0], *run[:2]),
        started(at[1], *run, [9001]),
        ended(at[2], *run, "CHECKS_FAILED"),
        left(at[3], *run[:2], "CHECKS_FAILED"),
    ]
