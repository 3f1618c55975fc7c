"""What ended long ago is deleted, and no answer about a later period changes."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.incoming.intake.overview import source_overviews
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.table_pages import export_ci_checks
from mergecast.queues.store.values import Receipt
from store.old_histories import BEGIN, answers_since, events_of, known_as, old_and_new

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")
_KEEP = 30 * DAY
_LIMIT = BEGIN + 30 * DAY
_NOW = _LIMIT + _KEEP + HOUR  # the limit is the beginning of a day
_SEEDS = range(4)


def _event(id: str, type: str, day: float, **fields: Any) -> dict[str, Any]:
    at = format_instant(int(BEGIN + day * DAY))
    return {"id": id, "type": type, "at": at, "base_ref": "main", "queue_name": "default", **fields}


def _stay(
    name: str, entered: float, left: float | None, number: int = 1, batch: str | None = None
) -> list[Any]:
    """A stay with one CI run, which ends when the stay does."""
    stay = {"session_id": name, "pull_request": number}
    run = {**stay, "batch_id": batch or f"batch of {name}"}
    events = [
        _event(f"{name} in", "queue_entered", entered, **stay),
        _event(f"{name} starts", "checks_started", entered, **run, batch_pull_requests=[number]),
    ]
    if left is not None:
        events += [
            _event(f"{name} ends", "checks_ended", left, **run, outcome="SUCCESS"),
            _event(f"{name} out", "queue_left", left, **stay, reason="PR_MERGED"),
        ]
    return events


async def _stored(store: Store, name: Repository = WIDGETS) -> list[AnyEvent]:
    known = await known_as(store, name)
    events: list[AnyEvent] = [event async for page in store.export(known) for event in page]
    return events + [report async for page in export_ci_checks(store, known) for report in page]


def _ids(events: Iterable[AnyEvent]) -> list[str]:
    return sorted(event.id for event in events)


def _stays(events: Iterable[AnyEvent]) -> set[str]:
    return {event.session_id for event in events if isinstance(event, Event) and event.session_id}


def _left_of(store: Store, wires: list[Any]) -> set[str]:
    """The stays that are left of these events."""

    async def scenario() -> set[str]:
        await store.record(WIDGETS, events_of(wires))
        await drop_old_events(store, WIDGETS, _NOW, _KEEP)
        verified = await store.verify(await known_as(store, WIDGETS))
        assert () == verified.examples
        return _stays(await _stored(store))

    return asyncio.run(scenario())


def test_no_answer_about_a_later_period_changes(store: Store) -> None:
    """Whatever was sent. The facts that are left follow from the events that are left."""

    async def scenario(seed: int) -> tuple[int, int]:
        name, events = Repository("acme", f"history-{seed}"), old_and_new(seed)
        await store.record(name, events)
        before = await answers_since(store, name, _LIMIT)

        deleted = await drop_old_events(store, name, _NOW, _KEEP)

        assert before == await answers_since(store, name, _LIMIT), seed
        known = await known_as(store, name)
        assert () == (await store.verify(known)).examples
        assert deleted == 0 or known.kept_since == _LIMIT
        return deleted, known.events

    deleted, left = zip(*[asyncio.run(scenario(seed)) for seed in _SEEDS], strict=True)

    assert sum(deleted) > 20
    assert sum(left) > 30


def test_what_was_deleted_is_not_stored_again(store: Store) -> None:
    """It is acknowledged and counted; everything else is a duplicate."""

    async def scenario(seed: int) -> int:
        name, events = Repository("acme", f"history-{seed}"), old_and_new(seed)
        await store.record(name, events)
        await drop_old_events(store, name, _NOW, _KEEP)
        stored = await _stored(store, name)

        again = await store.record(name, events, _NOW - _KEEP)

        assert _ids(stored) == _ids(await _stored(store, name))
        known = await known_as(store, name)
        listed = await source_overviews(store, name, known, _NOW)
        assert again.expired == sum(one.expired for one in listed if isinstance(one.expired, int))
        assert again == Receipt(0, len(stored), len(events) - len(stored)), seed
        return again.expired

    assert sum(asyncio.run(scenario(seed)) for seed in _SEEDS) > 20


def test_whole_stays_are_deleted_once_they_ended_before_the_limit(store: Store) -> None:
    wires = [*_stay("old", 1, 29.9), *_stay("new", 29, 30.1), *_stay("at the limit", 29, 30)]

    assert {"new", "at the limit"} == _left_of(store, wires)


def test_nothing_open_is_deleted(store: Store) -> None:
    """Neither a stay that has not ended, nor the runs it shares, nor what shares runs with those."""
    wires = [
        *_stay("open", 1, None, 1, "first"),
        *_stay("beside it", 2, 3, 2, "first"),
        *_stay("also", 2, 3, 3, "second"),
        _event("links", "checks_started", 2, session_id="beside it", pull_request=2, batch_id="second",
               batch_pull_requests=[2]),
        *_stay("apart", 2, 3, 4),
    ]  # fmt: skip

    assert {"open", "beside it", "also"} == _left_of(store, wires)


def test_a_run_without_an_end_is_not_deleted(store: Store) -> None:
    """It is still counted as running."""
    run = {"session_id": "old", "pull_request": 1, "batch_id": "endless"}
    wires = [*_stay("old", 1, 2), _event("start", "checks_started", 1, **run, batch_pull_requests=[1])]

    assert {"old"} == _left_of(store, wires)


def test_the_next_entry_of_a_pull_request_without_an_exit_is_kept(store: Store) -> None:
    """It says when the stay before it was over."""
    wires = [*_stay("lost", 1, None, 7), *_stay("next", 5, 6, 7), *_stay("another", 5, 6, 8)]

    assert {"lost", "next"} == _left_of(store, wires)


def test_bisections_are_deleted_once_they_ended(store: Store) -> None:
    def bisection(batch: str, start: float, end: float | None) -> list[Any]:
        started = _event(f"{batch} begins", "bisection_started", start, batch_id=batch, depth=0,
                         batch_pull_requests=[1, 2])  # fmt: skip
        outcome = {"culprit_found": True, "max_failures_reached": False}
        if end is None:
            return [started]
        return [started, _event(f"{batch} ends", "bisection_ended", end, batch_id=batch, **outcome)]

    async def scenario() -> set[str | None]:
        wires = [*bisection("old", 1, 2), *bisection("open", 1, None), *bisection("new", 29, 31)]
        await store.record(WIDGETS, events_of(wires))
        await drop_old_events(store, WIDGETS, _NOW, _KEEP)
        return {event.batch_id for event in await _stored(store)}

    assert {"open", "new"} == asyncio.run(scenario())


def test_reports_about_checks_of_deleted_runs_are_deleted(store: Store) -> None:
    """A run is kept as long as a report about its batch is."""

    def report(batch: str, day: float) -> dict[str, Any]:
        content = {"batch_id": batch, "check_id": f"{batch} {day}", "name": "unit", "conclusion": "success"}
        return _event(f"{batch} {day}", "ci_check_reported", day, **content)

    wires = [
        *[*_stay("old", 1, 2, 1), report("batch of old", 2), report("of no known run", 2)],
        *[*_stay("older", 1, 2, 2), report("batch of older", 2), report("batch of older", 31)],
    ]

    assert {"older"} == _left_of(store, wires)
    assert ["batch of older 2", "batch of older 31", "of no known run 2"] == _ids(
        event for event in asyncio.run(_stored(store)) if isinstance(event, CiCheckReport)
    )
    assert 3 == asyncio.run(known_as(store, WIDGETS)).ci_checks


def test_many_stays_are_deleted_in_several_steps(store: Store) -> None:
    wires = [
        event
        for number in range(450)
        for event in _stay(f"{number}", number / 100, number / 100 + (40 if number % 50 == 0 else 1), number)
    ]

    assert {f"{number}" for number in range(0, 450, 50)} == _left_of(store, wires)


def test_old_events_of_an_open_stay_are_stored(store: Store) -> None:
    """And all events that are connected with newer ones, as long as they arrive together."""

    async def scenario() -> list[Receipt]:
        await store.record(WIDGETS, events_of([*_stay("old", 1, 2), *_stay("open", 3, None, 2)]))
        await drop_old_events(store, WIDGETS, _NOW, _KEEP)
        given = [
            _stay("open", 3, 9, 2),
            [*_stay("new", 29, 31, 3, "shared"), *_stay("beside it", 28, 29, 4, "shared")],
            _stay("unknown", 28, 29, 5),
            _stay("unknown", 28, 31, 5)[-1:],
        ]
        return [await store.record(WIDGETS, events_of(wires), _NOW - _KEEP) for wires in given]

    assert [Receipt(2, 2), Receipt(8, 0), Receipt(0, 0, 4), Receipt(1, 0)] == asyncio.run(scenario())


def test_what_was_deleted_can_be_sent_again_once_more_is_kept(store: Store) -> None:
    """By a longer limit, or without one; the answers go on saying that something was deleted."""

    async def scenario() -> list[object]:
        wires = [_stay("oldest", 1, 2), _stay("old", 20, 21, 2), _stay("new", 31, 32, 3)]
        for stay in wires:
            await store.record(WIDGETS, events_of(stay))
        await drop_old_events(store, WIDGETS, _NOW, _KEEP)
        longer = [await store.record(WIDGETS, events_of(stay), BEGIN + 10 * DAY) for stay in wires]
        for_ever = await store.record(WIDGETS, events_of(wires[0]))
        known = await known_as(store, WIDGETS)
        return [*longer, for_ever, known.events, known.kept_since]

    assert [Receipt(0, 0, 4), Receipt(4, 0), Receipt(0, 4), Receipt(4, 0), 12, _LIMIT] == asyncio.run(
        scenario()
    )


def test_a_repository_without_any_event_left_is_still_known(store: Store) -> None:
    """Its queues were observed from the first event on, and its counters go on."""

    async def scenario() -> None:
        await store.record(WIDGETS, events_of(_stay("old", 1, 2)))
        before = await answers_since(store, WIDGETS, _LIMIT)
        first = await known_as(store, WIDGETS)
        assert 4 == await drop_old_events(store, WIDGETS, _NOW, _KEEP)
        known = await known_as(store, WIDGETS)
        assert known.is_listed
        assert (0, first.first_at, first.last_at) == (known.events, known.first_at, known.last_at)
        assert before == await answers_since(store, WIDGETS, _LIMIT)
        assert 0 == await drop_old_events(store, WIDGETS, _NOW + 10 * DAY, _KEEP)
        assert known == await known_as(store, WIDGETS)

    asyncio.run(scenario())


def test_a_copy_knows_what_was_deleted(store: Store, tmp_path: Path) -> None:
    copy_empty_store(tmp_path / "copy")
    target = open_store(tmp_path / "copy")

    async def scenario() -> None:
        await store.record(WIDGETS, events_of([*_stay("old", 1, 2), *_stay("new", 33, 34, 2)]))
        await drop_old_events(store, WIDGETS, _NOW, _KEEP)
        await store.record(WIDGETS, events_of(_stay("old", 1, 2)), _NOW - _KEEP)
        async for _ in copy_store(store, target, _NOW):
            pass
        one, other = await known_as(store, WIDGETS), await known_as(target, WIDGETS)
        assert (one.kept_since, one.first_at, one.events) == (other.kept_since, other.first_at, other.events)
        assert await answers_since(store, WIDGETS, _LIMIT) == await answers_since(target, WIDGETS, _LIMIT)
        listed = [
            await source_overviews(one, WIDGETS, await known_as(one, WIDGETS), _NOW)
            for one in (store, target)
        ]
        assert listed[0] == listed[1]
        assert Receipt(0, 0, 4) == await target.record(WIDGETS, events_of(_stay("old", 1, 2)), _NOW - _KEEP)

    try:
        asyncio.run(scenario())
    finally:
        target.close()
