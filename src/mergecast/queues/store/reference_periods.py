"""Reference periods of a repository in the store."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from mergecast.queues.model.alert import DELETED, REPLACED, Alert
from mergecast.queues.model.instant import Window
from mergecast.queues.model.reference_period import MOST_PERIODS, QueueHour, ReferencePeriod
from mergecast.queues.store.alerts import held_alerts, store_alerts, update_alerts
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import ReferencePeriodRow
from mergecast.queues.store.stored_rows import ReadRows, delete_rows, read_rows

_hours = msgspec.json.Decoder(list[QueueHour])

_period = msgspec.json.Decoder(ReferencePeriod)


class StoredPeriod(NamedTuple):
    """A reference period and how it compared last, in JSON."""

    period: ReferencePeriod
    compared_at: int | None
    comparison: bytes | None


class ComparedPeriod(NamedTuple):
    """The result of a comparison, to be stored: what it says in JSON, and the alerts that it changed."""

    period: ReferencePeriod
    at: int
    comparison: bytes
    alerts: Sequence[Alert]


def read_hours(
    reader: Reader, repository_id: int, window: Window, groups: Collection[int]
) -> list[QueueHour]:
    """What happened in each hour of a window; hours in which nothing happened are left out."""
    asked = [repository_id, *window, list(groups)]
    exits = {hour: (counts, tuple(seconds or ())) for hour, *counts, seconds in _rows(reader, "exits", asked)}
    runs = dict(_rows(reader, "runs", asked))
    return [
        QueueHour._make((hour, *counts, runs.get(hour, 0), seconds))
        for hour in sorted(exits.keys() | runs.keys())
        for counts, seconds in [exits.get(hour, ([0, 0, 0], ()))]
    ]


def _rows(reader: Reader, what: str, asked: Sequence[object]) -> list[tuple[Any, ...]]:
    return reader.rows(f"hours_of_{what}", asked)


def read_reference_periods(reader: Reader, repository_id: int) -> list[StoredPeriod]:
    """All reference periods, sorted by name."""
    return [_stored(row) for row in reader.rows("reference_periods", [repository_id])]


def periods_of(read: ReadRows) -> list[ReferencePeriod]:
    """Those of one repository, also in a transaction that holds it, sorted by name."""
    return [_stored(row).period for row in read("reference_periods")]


def _stored(row: Sequence[Any]) -> StoredPeriod:
    _, document, compared_at, comparison = row
    period = _period.decode(document)
    return StoredPeriod(period, compared_at, None if comparison is None else comparison.encode())


def read_pinned(reader: Reader, repository_id: int, name: str) -> list[QueueHour]:
    """The hours that a reference period was pinned with."""
    rows = read_rows(reader, repository_id, ReferencePeriodRow, name=[name])
    return _hours.decode(rows[0].hours) if rows else []


def put_reference_period(held: HeldRepository, period: ReferencePeriod, hours: Sequence[QueueHour]) -> bool:
    """Pin a period, or pin it again; returns False if the repository has as many as it may."""
    others = {name for name, *_ in held.rows("reference_periods")} - {period.name}
    if len(others) >= MOST_PERIODS:
        return False
    _remove(held, period.name, period.pinned_at, REPLACED)
    document, pinned = (msgspec.json.encode(value).decode() for value in (period, hours))
    held.insert([ReferencePeriodRow(held.state.id, period.name, document, pinned, None, None)])
    held.save(held.state)
    return True


def delete_reference_period(held: HeldRepository, name: str, now: int) -> bool:
    """Delete a period and end its alerts; returns whether there was one."""
    is_known = _remove(held, name, now, DELETED)
    held.save(held.state)
    return is_known


def _remove(held: HeldRepository, name: str, now: int, reason: str) -> bool:
    ended = [
        replace(alert, ended_at=max(now, alert.since), end_reason=reason)
        for alert in held_alerts(held)
        if alert.compared is not None and alert.compared.name == name
    ]
    store_alerts(held, (), ended)
    return delete_rows(held, ReferencePeriodRow, name=[name]) > 0


def store_comparison(held: HeldRepository, compared: ComparedPeriod) -> bool:
    """Keep a comparison and the alerts that it changed, together.

    Returns False if the period was deleted or pinned again meanwhile, or another server was faster.
    """
    found = {name: _stored((name, *rest)) for name, *rest in held.rows("reference_periods")}
    stored = found.get(compared.period.name)
    if stored is None or stored.period != compared.period or compared.at <= (stored.compared_at or 0):
        return False
    store_changed_alerts(held, compared.alerts)
    held.change_rows("mark_as_compared", stored.period.name, compared.at, compared.comparison.decode())
    held.save(held.state)
    return True


def store_changed_alerts(held: HeldRepository, alerts: Sequence[Alert]) -> None:
    """Store alerts after they were judged: those that began, that ended, and that go on."""
    known = {alert.id: alert for alert in held_alerts(held)}
    begun = [alert for alert in alerts if alert.id not in known and alert.ended_at is None]
    store_alerts(held, begun, [alert for alert in alerts if alert.ended_at is not None])
    going_on = [alert for alert in alerts if alert.ended_at is None and alert.id in known]
    update_alerts(held, [alert for alert in going_on if alert != known[alert.id]])
