"""Servers that share a database judge each hour once."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, Window, grid_for, parse_instant
from mergecast.queues.model.notification import ALERT
from mergecast.queues.model.reference_period import Limits
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import SetThreshold
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.alerts import alerts_between
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import delete_reference_period, put_reference_period
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.thresholds import put_thresholds
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.alerts.pinning import WantedPeriod, pin
from mergecast.signals.alerts.recent_hours import read_recent_hours
from mergecast.signals.alerts.watcher import AlertWatch
from mergecast.signals.thresholds.judged import OVER_TIME
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.set_course import hours_needed_since, measured
from postgres.server import new_store
from signals.two_an_hour import merges

MONDAY = parse_instant("2026-03-02T00:00:00Z")
NAME = Repository("acme", "widgets")
WANTED = WantedPeriod("march", "main", "default", Window(MONDAY, MONDAY + WEEK), Limits())


class Clock:
    def __init__(self) -> None:
        self.now = MONDAY + 2 * WEEK + 5 * MINUTE

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stores(tmp_path: Path, database_server: str, clock: Clock) -> Iterator[list[Store]]:
    """Those of two servers, and a queue that became slow in its second week."""
    url = new_store(database_server)
    opened = [open_store(tmp_path / name, url, clock) for name in ("first", "second")]
    asyncio.run(_slow_queue(opened[0], clock))
    yield opened
    for store in opened:
        store.close()


async def _slow_queue(store: Store, clock: Clock) -> None:
    events = [*merges(MONDAY, 7), *merges(MONDAY + WEEK, 7, 40)]
    lines = "\n".join(json.dumps(event) for event in events)
    await store.record(NAME, read_lines(lines.encode(), clock.now))
    known = await _known(store)
    period, hours = await store.read(
        known.id, partial(pin, repository_id=known.id, wanted=WANTED, now=clock.now)
    )
    await store.change(NAME, partial(put_reference_period, period=period, hours=hours), create=False)


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(NAME)
    assert known is not None
    return known


async def _told(store: Store, clock: Clock) -> tuple[list[str], int]:
    """The figures with an alert, past or present, and how many notices were asked for."""
    known = await _known(store)
    window = Window(0, clock.now + 1)
    alerts = await store.read(known.id, partial(alerts_between, repository_id=known.id, window=window))
    causes = await store.read(known.id, lambda reader: read_rows(reader, known.id, CauseRow))
    return [alert.figure for alert in alerts], sum(cause.kind == ALERT for cause in causes)


async def _to_compare(store: Store, clock: Clock) -> list[Repository]:
    return await store.repositories_to_compare(clock.now // HOUR * HOUR)


def _watch(store: Store, clock: Clock, holder: str) -> AlertWatch:
    return AlertWatch(store, clock, holder, nullcontext)


@pytest.mark.server
def test_an_alert_begins_once(stores: list[Store], clock: Clock) -> None:
    """Although both servers look at the same moment, several times."""

    async def look() -> tuple[list[str], int]:
        watches = [
            AlertWatch(store, clock, f"server {place}", nullcontext) for place, store in enumerate(stores)
        ]
        await asyncio.gather(*(watch.judge_hour() for watch in watches))
        clock.now += HOUR
        await asyncio.gather(*(watch.judge_hour() for watch in watches))
        return await _told(stores[1], clock)

    assert (["time_to_merge_p95"], 1) == asyncio.run(look())


@pytest.mark.server
def test_one_server_compares_until_it_stops(stores: list[Store], clock: Clock) -> None:
    """Then the other one goes on at once."""

    async def look() -> list[list[Repository]]:
        first, second = (
            AlertWatch(store, clock, name, nullcontext) for store, name in zip(stores, "ab", strict=True)
        )
        await first.judge_hour()
        clock.now += HOUR
        await second.judge_hour()
        left = [await _to_compare(stores[1], clock)]
        await first.close()
        await second.judge_hour()
        return [*left, await _to_compare(stores[1], clock)]

    assert [[NAME], []] == asyncio.run(look())


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """Of one server, with the same queue."""
    opened = open_store(tmp_path, None, clock)
    asyncio.run(_slow_queue(opened, clock))
    yield opened
    opened.close()


async def _alerts(store: Store) -> list[tuple[str, str, str | None]]:
    known = await _known(store)
    work = partial(alerts_between, repository_id=known.id, window=Window(0, 2**62))
    return [(one.figure, one.origin, one.end_reason) for one in await store.read(known.id, work)]


def test_thresholds_that_were_set_are_judged(store: Store, clock: Clock) -> None:
    """Each queue by the one in force, until a person changes it; one that is only shown raises nothing."""
    slow, rate = SetThreshold("time_to_merge_p95", 1800.0), SetThreshold("failure_rate", 0.1)
    shown = SetThreshold("ci_runs_per_merge", 0.5, alert=False)

    async def look() -> list[list[tuple[str, str, str | None]]]:
        await store.change(NAME, partial(delete_reference_period, name="march", now=clock.now), create=False)
        found, watch = [], _watch(store, clock, "one")
        for thresholds in ([slow, rate, shown], [slow._replace(value=7200.0)]):
            await store.change(NAME, partial(put_thresholds, thresholds=thresholds), create=False)
            watch.forget_levels(await _known(store))
            await watch.judge_hour()
            found.append(await _alerts(store))
        return found

    assert [
        [("time_to_merge_p95", "set", None)],
        [("time_to_merge_p95", "set", "threshold_changed")],
    ] == asyncio.run(look())


def test_a_reference_period_is_silent_where_its_figure_is_switched_off(store: Store, clock: Clock) -> None:
    """Its open alert ends, and none begins until it is switched on again."""
    off = SetThreshold("time_to_merge_p95", None, "main", "default")

    async def look() -> list[list[tuple[str, str, str | None]]]:
        found, watch = [], _watch(store, clock, "one")
        for thresholds in ([], [off], []):
            await store.change(NAME, partial(put_thresholds, thresholds=thresholds), create=False)
            watch.forget_levels(await _known(store))
            await watch.judge_hour()
            found.append(await _alerts(store))
            clock.now += HOUR
        return found

    begun = ("time_to_merge_p95", "reference", None)
    over = ("time_to_merge_p95", "reference", "threshold_changed")
    first, second, third = asyncio.run(look())
    assert ([begun], [over], {begun, over}) == (first, second, {*third})


def test_a_threshold_of_a_queue_that_is_only_shown_replaces_the_default(store: Store, clock: Clock) -> None:
    default = SetThreshold("failure_rate", 0.1), SetThreshold("time_to_merge_p95", 1800.0)
    shown = SetThreshold("time_to_merge_p95", 1800.0, "main", "default", alert=False)

    async def look() -> list[tuple[str, str, str | None]]:
        await store.change(NAME, partial(delete_reference_period, name="march", now=clock.now), create=False)
        await store.change(NAME, partial(put_thresholds, thresholds=[*default, shown]), create=False)
        await _watch(store, clock, "one").judge_hour()
        return await _alerts(store)

    assert [] == asyncio.run(look())


def test_what_is_judged_is_what_the_summary_says(store: Store, clock: Clock) -> None:
    """Of the last 24 hours; the hours have whole seconds."""
    at = clock.now // HOUR * HOUR
    window, queue = Window(hours_needed_since(at), at), QueueName("main", "default")

    def read(reader: Reader, id: int) -> tuple[dict[str, Any], dict[str, float | None]]:
        hours = read_recent_hours(reader, id, queue, window, OVER_TIME)
        found = {figure: measured(figure, hours.of(figure), at) for figure in OVER_TIME}
        of_day = Window(at - DAY, at)
        question = Question(id, of_day, of_day, grid_for(of_day), reader.groups(id))
        summary: Any = SUMMARY.answer(reader, question)
        return found, {figure: summary["all"][figure].value for figure in OVER_TIME}

    async def look() -> tuple[dict[str, Any], dict[str, float | None]]:
        known = await _known(store)
        return await store.read(known.id, partial(read, id=known.id))

    judged, said = asyncio.run(look())
    assert {*said} == {"time_in_queue_p95", "time_to_merge_p95", "failure_rate", "ci_runs_per_merge"}
    assert {figure: one.value for figure, one in judged.items()} == pytest.approx(said, abs=1)
    assert {1} == {one.days for one in judged.values()}


def test_rules_that_hold_for_any_queue_are_judged(store: Store, clock: Clock) -> None:
    """Once an hour, when nothing was added for a while; not if a person switched them off."""

    async def look() -> list[list[tuple[str, str, str | None]]]:
        await store.change(NAME, partial(delete_reference_period, name="march", now=clock.now), create=False)
        found, watch = [], _watch(store, clock, "one")
        clock.now += 8 * DAY
        for wait in (0, 5 * MINUTE, HOUR):
            clock.now += wait
            await watch.judge_hour()
            found.append(await _alerts(store))
        off = [SetThreshold("source_silent", None)]
        await store.change(NAME, partial(put_thresholds, thresholds=off), create=False)
        clock.now += HOUR
        await watch.judge_hour()
        return [*found, await _alerts(store)]

    silent = ("source_silent", "built_in", None)
    over = ("source_silent", "built_in", "threshold_changed")
    assert [[], [silent], [silent], [over]] == asyncio.run(look())
