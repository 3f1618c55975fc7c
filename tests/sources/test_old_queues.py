"""Of a queue that is three times as old as the imported window, the queue is shown as it is now."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from mergecast.incoming.intake.follower import StoreSink
from mergecast.incoming.intake.importing.following import FollowState, Pace, follow
from mergecast.incoming.intake.importing.importer import Importer, Stored
from mergecast.incoming.intake.intake import Intake
from mergecast.queues.model.instant import DAY, MINUTE, Window, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.store.alerts import alerts_between
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.alerts.watcher import AlertWatch
from sources.faulty_server import FaultyServer, faulty_server
from sources.imports import Setup
from sources.old_queues import NOW, OLD_QUEUES, SINCE, TESTED, TESTED_SINCE, WAITING, WAITING_SINCE
from sources.platforms import PAGE, GitLabPlatform

pytestmark = [pytest.mark.server, pytest.mark.thorough]

_NAME = Repository("acme", "lander")
_TRUTH = [(WAITING, WAITING_SINCE), (TESTED, TESTED_SINCE)]
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_BEFORE = 2 * DAY  # what the stays at the beginning of a window need
_POLLS = 3


class _Enough(Exception):
    """Enough polls were made."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(_NAME)
    assert known is not None
    return known


async def _queue(store: Store, now: int) -> list[tuple[int, str]]:
    known = await _known(store)
    queues = await store.read(known.id, lambda reader: queue_contents(reader, known.id, now))
    return [(entry.pull_request, entry.entered_at) for queue in queues for entry in queue.entries]


async def _alerts(store: Store, now: int) -> list[str]:
    """The alerts of all time, after the queue was measured."""
    known = await _known(store)
    await AlertWatch(store, lambda: now, "tests", nullcontext).measure(known)
    found = await store.read(known.id, lambda reader: alerts_between(reader, known.id, Window(0, now)))
    return [alert.figure for alert in found]


def _first_asked(server: FaultyServer) -> int:
    """The earliest instant that any request named, or that the last page of cars before it began with."""
    named = [text for request in server.requests for text in _INSTANT.findall(str(dict(request.query)))]
    pages = [int(one.parameter("page")) for one in server.requests if one.path.endswith("/merge_trains")]
    if pages and isinstance(server.answer, GitLabPlatform):
        newest = sorted(server.answer.cars, key=lambda car: -car["id"])
        named.append(newest[(max(pages) - 1) * PAGE]["updated_at"])
    return min((parse_instant(text) for text in named), default=NOW)


def _asked_one_by_one(server: FaultyServer) -> set[int]:
    """The pull requests whose timelines were asked for by their numbers."""
    bodies = [request.body["variables"] for request in server.requests if request.body]
    return {variables["number"] for variables in bodies if "number" in variables}


@pytest.mark.parametrize("source", OLD_QUEUES)
def test_every_import_shows_the_queue_as_it_is(source: str, store: Store) -> None:
    """None asks for more before its window than the stays at its beginning need."""
    with faulty_server(OLD_QUEUES[source]()) as server:
        sink = StoreSink(store, Intake(store, lambda: NOW, "tests"), _NAME, source, lambda: NOW)
        setup = Setup(source, server, sink, NOW)
        for _ in range(3):
            setup.once(SINCE)

            assert _TRUTH == asyncio.run(_queue(store, setup.now))
            assert [] == asyncio.run(_alerts(store, setup.now))
            setup.now += 10 * MINUTE

        assert SINCE - _BEFORE <= _first_asked(server)
        assert set() == _asked_one_by_one(server)
        assert [] == setup.slept


@pytest.mark.parametrize("source", OLD_QUEUES)
def test_a_following_server_shows_the_queue_as_it_is(source: str, store: Store) -> None:
    """After its import and some polls."""

    polled: list[FollowState] = []

    async def pause(_: float) -> None:
        if len(polled) == _POLLS:
            raise _Enough

    async def polls(importer: Importer) -> Stored:
        with suppress(_Enough):
            await follow(importer, SINCE, polled.append, Pace(), pause)
        return Stored()

    with faulty_server(OLD_QUEUES[source]()) as server:
        sink = StoreSink(store, Intake(store, lambda: NOW, "tests"), _NAME, source, lambda: NOW)
        Setup(source, server, sink, NOW).run(polls)

        assert [None] * _POLLS == [state.error for state in polled]
        assert _TRUTH == asyncio.run(_queue(store, NOW))
        assert [] == asyncio.run(_alerts(store, NOW))
        assert SINCE - _BEFORE <= _first_asked(server)
        assert set() == _asked_one_by_one(server)


@pytest.mark.parametrize("source", OLD_QUEUES)
def test_what_is_read_of_the_history_alone_shows_no_one_who_has_left(source: str, store: Store) -> None:
    """A server shows its queue also before it has compared it with that of the platform."""
    with faulty_server(OLD_QUEUES[source]()) as server:
        sink = StoreSink(store, Intake(store, lambda: NOW, "tests"), _NAME, source, lambda: NOW)
        Setup(source, server, sink, NOW).run(lambda importer: importer.run(SINCE))

        assert set() == set(asyncio.run(_queue(store, NOW))) - set(_TRUTH)
