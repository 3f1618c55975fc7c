"""Baselines and alerts of a repository in the store."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from mergecast.queues.model.baseline import (
    DELETED,
    MEASURES,
    MOST_BASELINES,
    REPLACED,
    Alert,
    Baseline,
    QueueHour,
    stored_name,
)
from mergecast.queues.model.cause import ALERT, BEGIN, END, Cause
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.window import Window
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.outbox import add_causes
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import AlertRow, BaselineRow
from mergecast.queues.store.stored_rows import delete_rows, read_rows

KEEP = 400 * DAY  # how long alerts stay after they have ended
_MEASURES = {stored_name(measure): measure for measure in MEASURES}


class StoredBaseline(NamedTuple):
    """A baseline and how it compared last, in JSON."""

    baseline: Baseline
    compared_at: int | None
    comparison: bytes | None


class Compared(NamedTuple):
    """The result of a comparison, to be stored: what it says in JSON, and the alerts that it changed."""

    baseline: Baseline
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


def read_baselines(reader: Reader, repository_id: int) -> list[StoredBaseline]:
    """All baselines, sorted by name."""
    return [_stored(row) for row in reader.rows("baselines", [repository_id])]


def _stored(row: Sequence[Any]) -> StoredBaseline:
    _, document, compared_at, comparison = row
    baseline = msgspec.json.decode(document, type=Baseline)
    return StoredBaseline(baseline, compared_at, None if comparison is None else comparison.encode())


def read_pinned(reader: Reader, repository_id: int, name: str) -> list[QueueHour]:
    """The hours that a baseline was pinned with."""
    rows = read_rows(reader, repository_id, BaselineRow, name=[name])
    return msgspec.json.decode(rows[0].hours, type=list[QueueHour]) if rows else []


def read_alerts(reader: Reader, repository_id: int, window: Window) -> list[Alert]:
    """The alerts that held at some time in a window, newest first."""
    return [_alert(row) for row in reader.rows("alerts", [repository_id, *window])]


def read_current_alerts(reader: Reader, repository_id: int) -> list[Alert]:
    return [_alert(row) for row in reader.rows("current_alerts", [repository_id])]


def _alert(row: Sequence[Any]) -> Alert:
    return decode_alert(row[0])


def decode_alert(document: str) -> Alert:
    """The alert in a row or in a cause."""
    stored = msgspec.json.decode(document, type=Alert)
    return replace(stored, measure=_MEASURES[stored.measure])


def _encode_alert(alert: Alert) -> str:
    return msgspec.json.encode(replace(alert, measure=stored_name(alert.measure))).decode()


def put_baseline(held: HeldRepository, baseline: Baseline, hours: Sequence[QueueHour]) -> bool:
    """Pin a baseline, or pin it again; returns False if the repository has as many as it may."""
    others = {name for name, *_ in held.rows("baselines")} - {baseline.name}
    if len(others) >= MOST_BASELINES:
        return False
    _remove(held, baseline.name, baseline.pinned_at, REPLACED)
    document, pinned = (msgspec.json.encode(value).decode() for value in (baseline, hours))
    held.insert([BaselineRow(held.state.id, baseline.name, document, pinned, None, None)])
    held.save(held.state)
    return True


def delete_baseline(held: HeldRepository, name: str, now: int) -> bool:
    """Delete a baseline and end its alerts; returns whether there was one."""
    is_known = _remove(held, name, now, DELETED)
    held.save(held.state)
    return is_known


def _remove(held: HeldRepository, name: str, now: int, reason: str) -> bool:
    current = [_alert(row) for row in held.rows("current_alerts")]
    ended = [
        replace(alert, ended_at=max(now, alert.began_at), end_reason=reason)
        for alert in current
        if alert.baseline == name
    ]
    _write_alerts(held, ended)
    return delete_rows(held, BaselineRow, name=[name]) > 0


def store_comparison(held: HeldRepository, compared: Compared) -> bool:
    """Keep a comparison and the alerts that it changed, together.

    Returns False if the baseline was deleted or pinned again meanwhile, or another server was faster.
    """
    found = {name: _stored((name, *rest)) for name, *rest in held.rows("baselines")}
    stored = found.get(compared.baseline.name)
    if stored is None or stored.baseline != compared.baseline or compared.at <= (stored.compared_at or 0):
        return False
    _write_alerts(held, compared.alerts)
    held.change_rows("mark_as_compared", stored.baseline.name, compared.at, compared.comparison.decode())
    held.change_rows("delete_old_alerts", compared.at - KEEP)
    held.save(held.state)
    return True


def _write_alerts(held: HeldRepository, alerts: Sequence[Alert]) -> None:
    """Write alerts, with a cause for a notice for each that begins or ends."""
    if not alerts:
        return
    known = {_alert(row).id for row in held.rows("current_alerts")}
    causes = [_cause(held, alert) for alert in alerts if alert.id not in known or alert.ended_at is not None]
    delete_rows(held, AlertRow, id=[alert.id for alert in alerts])
    held.insert([_alert_row(held.state.id, alert) for alert in alerts])
    add_causes(held, causes)


def _cause(held: HeldRepository, alert: Alert) -> Cause:
    phase = BEGIN if alert.ended_at is None else END
    return Cause(ALERT, alert.id, phase, held.now, alert.base_ref, alert.queue_name, _encode_alert(alert))


def _alert_row(repository_id: int, alert: Alert) -> AlertRow:
    return AlertRow(
        repository_id, alert.id, alert.baseline, alert.began_at, alert.ended_at, _encode_alert(alert)
    )
