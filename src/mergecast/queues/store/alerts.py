"""Alerts of a repository in the store: when they began and ended, why, and where they were sent."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.cause import BEGIN, END, Cause
from mergecast.queues.model.hourly_alert import ADVICE, reference_sentence
from mergecast.queues.model.instant import DAY, MINUTE, Window
from mergecast.queues.model.notification import ALERT
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.outbox import add_causes
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import AlertRow, CauseRow, LookedBackRow
from mergecast.queues.store.stored_rows import delete_rows, read_rows, stored_rows

_alert = msgspec.json.Decoder(Alert)

LASTING = 5 * MINUTE  # how long an alert must last before a notice is sent
KEEP = 400 * DAY  # how long alerts stay after they have ended
_NOT_YET = 0  # in place of the instant that a server has looked back from


class OpenAlert(NamedTuple):
    """What a list of repositories needs of an alert."""

    base_ref: str
    queue_name: str
    figure: str
    origin: str
    since: int


def open_alerts(reader: Reader, repository_id: int) -> list[Alert]:
    """The alerts that have not ended."""
    return _alerts(reader.rows("open_alerts", [repository_id]))


def open_alerts_of(reader: Reader, repository_ids: Sequence[int]) -> dict[int, list[OpenAlert]]:
    """The same for many repositories, without their documents."""
    found: dict[int, list[OpenAlert]] = {}
    for repository_id, *rest in reader.rows("alerts_now", [list(repository_ids)]):
        found.setdefault(repository_id, []).append(OpenAlert(*rest))
    return found


def alerts_between(reader: Reader, repository_id: int, window: Window) -> list[Alert]:
    """The alerts that held at some time in a window, newest first."""
    return _alerts(reader.rows("alerts", [repository_id, *window]))


def is_examined(reader: Reader, repository_id: int) -> bool:
    """Whether a server has looked at what is stored, even if it was too little to look back into."""
    return bool(read_rows(reader, repository_id, LookedBackRow))


def has_looked_back(reader: Reader, repository_id: int) -> bool:
    return any(row.until for row in read_rows(reader, repository_id, LookedBackRow))


def note_examined(held: HeldRepository) -> None:
    """Let other servers know that this one has looked at what is stored, and need not look back yet."""
    if not stored_rows(held.rows, LookedBackRow):
        held.insert([LookedBackRow(held.state.id, _NOT_YET)])
        held.save(held.state)


def held_alerts(held: HeldRepository) -> list[Alert]:
    """The alerts that have not ended, for a transaction."""
    return _alerts(held.rows("open_alerts"))


def _alerts(rows: Iterable[Sequence[Any]]) -> list[Alert]:
    return [decode_alert(document) for (document,) in rows]


def decode_alert(document: str) -> Alert:
    """The alert in a row or in a cause."""
    alert = _alert.decode(document)
    if alert.sentence or alert.compared is None:
        return alert
    # It was stored by a version that made the sentence when it was shown.
    return replace(alert, sentence=reference_sentence(alert), advice=ADVICE[alert.figure])


def encode_alert(alert: Alert) -> str:
    return msgspec.json.encode(alert).decode()


def store_alerts(
    held: HeldRepository, begun: Sequence[Alert], ended: Sequence[Alert]
) -> tuple[list[Alert], list[Alert]]:
    """Store what began and what ended; returns what was new, because several servers may find the same."""
    known = held_alerts(held)
    places, ids = {alert.place for alert in known}, {alert.id for alert in known}
    new = [alert for alert in begun if alert.place not in places]
    over = [alert for alert in ended if alert.id in ids]
    if new or over:
        update_alerts(held, [*new, *over])
        # Answers that tell of alerts have changed, although no event has.
        held.save(replace(held.state, version=held.state.version + 1))
        # An alert that ends before its notice is due is shown and not sent.
        add_causes(held, [_cause(held, alert) for alert in new], LASTING)
        add_causes(held, [_cause(held, alert) for alert in over])
    return new, over


def update_alerts(held: HeldRepository, alerts: Sequence[Alert]) -> None:
    """Replace the rows of alerts; what only says when they were last measured changes no answer."""
    if not alerts:
        return
    delete_rows(held, AlertRow, id=[alert.id for alert in alerts])
    held.insert([_row(held.state.id, alert) for alert in alerts])
    held.save(held.state)


def _row(repository_id: int, alert: Alert) -> AlertRow:
    return AlertRow(
        repository_id,
        alert.id,
        alert.figure,
        alert.origin,
        alert.base_ref,
        alert.queue_name,
        alert.since,
        alert.found_at,
        alert.ended_at,
        encode_alert(alert),
    )


def _cause(held: HeldRepository, alert: Alert) -> Cause:
    """A notice is due; that a queue has recovered is known a while after it did."""
    phase, happened_at = (BEGIN, alert.found_at) if alert.ended_at is None else (END, alert.ended_at)
    if alert.seen_at is not None:  # it is judged up to the last whole hour
        happened_at = held.now
    return Cause(ALERT, alert.id, phase, happened_at, alert.base_ref, alert.queue_name, encode_alert(alert))


def store_past_alerts(held: HeldRepository, alerts: Sequence[Alert], until: int) -> None:
    """Store the alerts found in the history, once per repository; no notice tells of them."""
    if any(row.until for row in stored_rows(held.rows, LookedBackRow)):
        return
    known = {alert.place for alert in held_alerts(held)}
    new = [alert for alert in alerts if alert.ended_at is not None or alert.place not in known]
    held.insert([_row(held.state.id, alert) for alert in new])
    delete_rows(held, LookedBackRow)
    held.insert([LookedBackRow(held.state.id, until)])
    is_heard = any(alert.ended_at is None for alert in new)
    held.save(replace(held.state, version=held.state.version + 1) if is_heard else held.state)


def delete_old_alerts(held: HeldRepository, now: int) -> None:
    """Delete alerts that ended more than 400 days ago."""
    if held.change_rows("delete_old_alerts", now - KEEP):
        held.save(held.state)


Incidents = Mapping[str, str]  # the id of the incident that an alert belongs to, by channel


class Announced(NamedTuple):
    """An alert of an incident that is not over in every channel; kept with the cause of its beginning."""

    alert: Alert  # as it ended, if it did
    stored_at: int
    incidents: Incidents | None  # None: an earlier version has sent it, to every channel that wanted it
    is_over: bool  # its end was sent on, too


def announced_alerts(reader: Reader, repository_id: int) -> list[Announced]:
    """The alerts whose beginning was sent on, and those that belong together with one of them."""
    rows = [
        (key, stored_at, None if channels is None else _decoded(channels), is_over)
        for key, stored_at, channels, is_over in reader.rows("announced_alerts", [repository_id])
    ]
    open_incidents = {
        one for _, _, incidents, is_over in rows if not is_over for one in (incidents or {}).items()
    }
    kept = [row for row in rows if not row[3] or any(one in open_incidents for one in (row[2] or {}).items())]
    alerts = _announced(reader, repository_id, [key for key, *_ in kept])
    return [Announced(alerts[key], *rest) for key, *rest in kept]


def announced_to(reader: Reader, repository_id: int, ids: Sequence[str]) -> dict[str, list[str] | None]:
    """The ids of the channels that alerts were sent to, by alert; None if that is not known."""
    found: dict[str, list[str] | None] = {id: [] for id in ids}
    for row in read_rows(reader, repository_id, CauseRow, key=list(ids)):
        if row.kind == ALERT and row.phase == BEGIN and row.done_at is not None:
            found[row.key] = None if row.announced is None else list(_decoded(row.announced))
    return found


def note_announced(held: HeldRepository, alerts: Mapping[str, Incidents]) -> None:
    """Note the channels that alerts were sent to, in place of what was noted before."""
    for id, incidents in alerts.items():
        held.change_rows("note_announced", id, msgspec.json.encode(incidents).decode())


def _announced(reader: Reader, repository_id: int, keys: Sequence[str]) -> dict[str, Alert]:
    causes = [row for row in read_rows(reader, repository_id, CauseRow, key=list(keys)) if row.kind == ALERT]
    causes.sort(key=lambda row: row.phase == END)
    return {row.key: decode_alert(row.document) for row in causes}


def _decoded(channels: str) -> Incidents:
    return msgspec.json.decode(channels, type=dict[str, str])
