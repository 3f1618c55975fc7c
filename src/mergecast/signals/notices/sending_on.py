"""Stores the messages that causes became, and that these causes are done: both, or neither."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.cause import BEGIN, END, LONGEST_AGE
from mergecast.queues.store.alerts import Announced, Incidents, note_announced
from mergecast.queues.store.channel_rows import NoticeRow, add_notices_in, waiting_beginnings_in
from mergecast.queues.store.held_repository import HeldRepository, SharedRows
from mergecast.queues.store.outbox import mark_as_done
from mergecast.queues.store.removals import mark_as_told
from mergecast.queues.store.rows import CauseRow
from mergecast.signals.notices.fan_out import RECENT, Due
from mergecast.signals.notices.notice import RemovedPull


class Made(NamedTuple):
    """What became of the causes that are due."""

    due: Due
    pulls: Mapping[str, RemovedPull]
    rows: Sequence[NoticeRow]
    joined: Mapping[str, Mapping[str, str]]  # by channel: the incident of each alert that began
    announced: Sequence[Announced]
    under_way: frozenset[str]  # channels that a message is being sent to


def send_on(held: HeldRepository, made: Made) -> None:
    """Store it, unless another server was faster."""
    found = [CauseRow(*row) for row in held.rows("causes_to_send", held.now - LONGEST_AGE, held.now - RECENT)]
    if not {cause.name for cause in made.due.all} <= {cause.name for cause in found if cause.done_at is None}:
        return
    dropped = _unsent(held.shared, made)
    rows = [row for row in made.rows if row.phase != END or (row.channel_id, row.key) not in dropped]
    add_notices_in(held.shared, rows, dropped.values())
    note_announced(held, _channels_by_alert(made, dropped))
    mark_as_told(held, _acts(made), is_burst=made.due.is_burst)
    mark_as_done(held, [cause.name for cause in (*made.due.corrections, *made.due.alerts)])


def _unsent(shared: SharedRows, made: Made) -> dict[tuple[str, str], str]:
    """Messages that still wait and say that an incident began which is over now, by channel and incident.

    Neither they nor the ends are sent.
    """
    over = {
        (row.channel_id, row.key)
        for row in made.rows
        if row.phase == END and row.channel_id not in made.under_way
    }
    waiting = waiting_beginnings_in(shared, [key for _, key in over])
    return {incident: id for incident, id in waiting.items() if incident in over}


def _channels_by_alert(made: Made, dropped: Mapping[tuple[str, str], str]) -> dict[str, Incidents]:
    """The channels of the alerts that began, and of those that were not sent after all."""
    noted: dict[str, dict[str, str]] = {cause.key: {} for cause in made.due.alerts if cause.phase == BEGIN}
    for one in made.announced:
        sent = one.incidents or {}
        if any(incident in dropped for incident in sent.items()):
            noted[one.alert.id] = dict(sent)
    for channel_id, joined in made.joined.items():
        for alert_id, incident in joined.items():
            noted[alert_id][channel_id] = incident
    return {
        id: {
            channel: incident for channel, incident in incidents.items() if (channel, incident) not in dropped
        }
        for id, incidents in noted.items()
    }


def _acts(made: Made) -> dict[str, str | None]:
    """What the messages about removals advise."""
    verdicts = {key: pull.verdict for key, pull in made.pulls.items()}
    found = {cause.key: verdicts.get(cause.key) for cause in made.due.removed}
    return {key: None if verdict is None else verdict.act for key, verdict in found.items()}
