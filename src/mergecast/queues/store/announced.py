"""Which channels an alert was sent to, as part of which incident; kept with the cause of its beginning."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.cause import BEGIN, END
from mergecast.queues.model.notification import ALERT
from mergecast.queues.store.alerts import decode_alert
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.stored_rows import read_rows

Incidents = Mapping[str, str]  # the id of the incident that an alert belongs to, by channel


class Announced(NamedTuple):
    """An alert of an incident that is not over in every channel."""

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
    alerts = _alerts(reader, repository_id, [key for key, *_ in kept])
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


def _alerts(reader: Reader, repository_id: int, keys: Sequence[str]) -> dict[str, Alert]:
    causes = [row for row in read_rows(reader, repository_id, CauseRow, key=list(keys)) if row.kind == ALERT]
    causes.sort(key=lambda row: row.phase == END)
    return {row.key: decode_alert(row.document) for row in causes}


def _decoded(channels: str) -> Incidents:
    return msgspec.json.decode(channels, type=dict[str, str])
