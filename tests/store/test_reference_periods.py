"""Reference periods and their alerts in the store."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from empty_store import copy_empty_store
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.alert import Alert, Compared
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window
from mergecast.queues.model.reference_period import (
    MOST_PERIODS,
    Figures,
    Finds,
    Limits,
    QueueHour,
    ReferencePeriod,
    Spreads,
)
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import REFERENCE
from mergecast.queues.store.alerts import KEEP, alerts_between, delete_old_alerts, open_alerts
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import (
    ComparedPeriod,
    StoredPeriod,
    delete_reference_period,
    put_reference_period,
    read_hours,
    read_pinned,
    read_reference_periods,
    store_comparison,
)
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Selection

pytestmark = pytest.mark.thorough

T = TypeVar("T")
WIDGETS = Repository("acme", "widgets")
NOON = 1_000 * DAY + 12 * HOUR
PERIOD = ReferencePeriod(
    name="march",
    base_ref="main",
    queue_name="default",
    start=NOON,
    end=NOON + 7 * DAY,
    limits=Limits(),
    pinned_at=NOON + 9 * DAY,
    merges=300,
    figures=Figures(900.5, 0.1, 1.25),
    spreads=Spreads(0.2, 0.3, 0.1, 5),
    finds=Finds(0.45, 14, 4),
)
HOURS = [QueueHour(NOON // HOUR, 5, 1, 4, 6, (60, 900))]
AT = PERIOD.pinned_at // HOUR * HOUR + HOUR
ALERT = Alert(
    id="a",
    figure="time_to_merge_p95",
    origin=REFERENCE,
    base_ref="main",
    queue_name="default",
    since=AT,
    found_at=AT,
    value=2000.0,
    threshold=1350.75,
    sentence="it takes longer",
    advice="Look at it.",
    compared=Compared("march", 900.5, 2.2, 1.5),
    seen_at=AT,
)
OTHER = replace(ALERT, id="b", figure="ci_runs_per_merge")


def _events(*, reason: str = "PR_MERGED") -> list[Event]:
    """A pull request that was tested twice within an hour, and left."""
    common = ("main", "default", None, "api", "stay-1", 1)
    return [
        Event("1", "queue_entered", NOON, *common),
        Event(
            "2", "checks_started", NOON + MINUTE, *common, batch_id="b", batch_pull_requests="1", attempt=1
        ),
        Event(
            "3", "checks_ended", NOON + 2 * MINUTE, *common, batch_id="b", attempt=1, outcome="CHECKS_FAILED"
        ),
        Event(
            "4",
            "checks_started",
            NOON + 3 * MINUTE,
            *common,
            batch_id="b",
            batch_pull_requests="1",
            attempt=2,
        ),
        Event("5", "checks_ended", NOON + 4 * MINUTE, *common, batch_id="b", attempt=2, outcome="SUCCESS"),
        Event("6", "queue_left", NOON + 5 * MINUTE, *common, reason=reason),
    ]


def _begin(store: Store) -> None:
    asyncio.run(store.record(WIDGETS, _events()))


def _change(store: Store, work: Callable[[HeldRepository], T]) -> T | None:
    return asyncio.run(store.change(WIDGETS, work, create=False))


def _put(store: Store, period: ReferencePeriod = PERIOD) -> bool | None:
    return _change(store, partial(put_reference_period, period=period, hours=HOURS))


def _store(store: Store, *alerts: Alert, at: int = AT, period: ReferencePeriod = PERIOD) -> bool | None:
    return _change(store, partial(store_comparison, compared=ComparedPeriod(period, at, b"{}", alerts)))


def _read(store: Store, work: Callable[[Reader, int], T]) -> T:
    async def read() -> T:
        known = await store.repository(WIDGETS)
        assert known is not None
        return await store.read(known.id, lambda reader: work(reader, known.id))

    return asyncio.run(read())


def _current(store: Store) -> list[Alert]:
    return _read(store, open_alerts)


def _all(store: Store) -> list[Alert]:
    return _read(store, partial(alerts_between, window=Window(0, AT + 1000 * DAY)))


def _causes(store: Store) -> list[tuple[str, str, str]]:
    rows = _read(store, lambda reader, known: reader.rows("causes_to_send", [known, 0, 2**62]))
    return [CauseRow(*row).name for row in rows]


def test_the_hours_of_a_queue(store: Store) -> None:
    """What left, what failed, what merged, how many runs ended, and how long the merged ones stayed."""
    _begin(store)

    def read(reader: Reader, id: int) -> list[QueueHour]:
        return read_hours(reader, id, Window(NOON, NOON + HOUR), list(reader.groups(id)))

    assert [QueueHour(NOON // HOUR, 1, 0, 1, 2, (5 * MINUTE // SECOND,))] == _read(store, read)


def test_a_reference_period_is_kept_as_it_was_pinned(store: Store) -> None:
    _begin(store)
    assert _put(store)

    assert [StoredPeriod(PERIOD, None, None)] == _read(store, read_reference_periods)
    assert HOURS == _read(store, partial(read_pinned, name="march"))
    assert [WIDGETS] == asyncio.run(store.repositories_to_compare(AT))


def test_a_reference_period_stays_when_all_events_are_deleted(store: Store) -> None:
    """Deleting the repository deletes it, too."""
    _begin(store)
    _put(store)
    asyncio.run(store.delete_events(Selection(WIDGETS)))
    assert HOURS == _read(store, partial(read_pinned, name="march"))

    asyncio.run(store.forget(WIDGETS))

    assert None is asyncio.run(store.repository(WIDGETS))
    assert [] == asyncio.run(store.repositories_to_compare(AT))


def test_a_repository_has_a_limited_number_of_reference_periods(store: Store) -> None:
    """Pinning one of them again is possible."""
    _begin(store)
    for number in range(MOST_PERIODS):
        assert _put(store, replace(PERIOD, name=f"b{number:02}"))

    assert not _put(store)
    assert _put(store, replace(PERIOD, name="b07", merges=999))
    assert MOST_PERIODS == len(_read(store, read_reference_periods))


def test_a_comparison_is_stored_once_with_its_alerts(store: Store) -> None:
    """A second server that compared the same hour changes nothing, and there is one cause for a notice."""
    _begin(store)
    _put(store)

    assert _store(store, ALERT)
    assert not _store(store, replace(ALERT, id="b"))

    assert [StoredPeriod(PERIOD, AT, b"{}")] == _read(store, read_reference_periods)
    assert [] == asyncio.run(store.repositories_to_compare(AT))
    assert [WIDGETS] == asyncio.run(store.repositories_to_compare(AT + HOUR))
    assert [ALERT] == _current(store)
    assert [("alert", "a", "begin")] == _causes(store)


def test_an_alert_that_goes_on_and_ends(store: Store) -> None:
    """Its end is a cause for a notice of its own, unless its beginning has not been sent."""
    _begin(store)
    _put(store)
    _store(store, ALERT)
    waiting = replace(ALERT, below_since=AT + HOUR)
    _store(store, waiting, at=AT + HOUR)
    assert [waiting] == _current(store)
    assert [("alert", "a", "begin")] == _causes(store)

    ended = replace(ALERT, ended_at=AT + 2 * HOUR, end_reason="recovered")
    _store(store, ended, at=AT + 2 * HOUR)

    assert ([], [ended], []) == (_current(store), _all(store), _causes(store))


def test_alerts_of_a_period(store: Store) -> None:
    """Those that held at some time in it."""
    _begin(store)
    _put(store)
    _store(store, ALERT)
    later = replace(OTHER, since=AT + DAY, found_at=AT + DAY)
    _store(store, replace(ALERT, ended_at=AT + DAY), later, at=AT + DAY)

    def ids(start: int, end: int) -> list[str]:
        found = _read(store, partial(alerts_between, window=Window(start, end)))
        return [alert.id for alert in found]

    assert ["b", "a"] == ids(AT, AT + 2 * DAY)
    assert ["a"] == ids(AT, AT + DAY)
    assert ["b"] == ids(AT + DAY + 1, AT + 2 * DAY)
    assert [] == ids(AT - DAY, AT)


def test_a_comparison_with_a_reference_period_that_was_pinned_again(store: Store) -> None:
    """It is not stored, and the alerts of the earlier period end."""
    _begin(store)
    _put(store)
    _store(store, ALERT)
    again = replace(PERIOD, pinned_at=AT + HOUR)
    _put(store, again)

    assert not _store(store, at=AT + DAY)
    assert [StoredPeriod(again, None, None)] == _read(store, read_reference_periods)
    assert [replace(ALERT, ended_at=AT + HOUR, end_reason="reference_replaced")] == _all(store)


def test_a_deleted_reference_period(store: Store) -> None:
    """Its alerts end and stay."""
    _begin(store)
    _put(store)
    _store(store, ALERT)
    delete = partial(delete_reference_period, name="march", now=AT + HOUR)

    assert (True, False) == (_change(store, delete), _change(store, delete))
    assert [] == _read(store, read_reference_periods)
    assert [replace(ALERT, ended_at=AT + HOUR, end_reason="reference_deleted")] == _all(store)


def test_alerts_are_kept_for_400_days(store: Store) -> None:
    _begin(store)
    _put(store)
    _store(store, ALERT)
    _store(store, replace(ALERT, ended_at=AT + DAY), at=AT + DAY)
    _change(store, partial(delete_old_alerts, now=AT + DAY + KEEP))
    assert 1 == len(_all(store))

    _change(store, partial(delete_old_alerts, now=AT + DAY + KEEP + HOUR))

    assert [] == _all(store)


def test_a_copy_has_reference_periods_and_alerts(store: Store, tmp_path: Path) -> None:
    """Copying twice changes nothing."""
    _begin(store)
    _put(store)
    _store(store, ALERT)
    copy_empty_store(tmp_path / "copy")
    copy = open_store(tmp_path / "copy")

    async def run() -> None:
        async for _ in copy_store(store, copy, AT):
            pass

    try:
        asyncio.run(run())
        asyncio.run(run())
        assert _read(store, read_reference_periods) == _read(copy, read_reference_periods)
        assert (HOURS, [ALERT]) == (_read(copy, partial(read_pinned, name="march")), _all(copy))
    finally:
        copy.close()


def test_a_reference_period_survives_its_encoding() -> None:
    """A comparison is stored only if the period is still the same, so that figures must not change."""
    spreads, finds = Spreads(1 / 3, 0.1 + 0.2, 1e-9, 12), Finds(0.15, 14, 8)
    odd = replace(PERIOD, figures=Figures(1 / 3, None, 0.1 + 0.2), spreads=spreads, finds=finds)

    assert odd == msgspec.json.decode(msgspec.json.encode(odd), type=ReferencePeriod)


def test_a_reference_period_that_an_earlier_version_pinned() -> None:
    """It does not know how much the weeks before it varied, nor what an alert would find."""
    document = msgspec.to_builtins(PERIOD)
    earlier = {name: value for name, value in document.items() if name not in {"spreads", "finds"}}

    found = msgspec.json.decode(msgspec.json.encode(earlier), type=ReferencePeriod)

    assert replace(PERIOD, spreads=None, finds=None) == found
