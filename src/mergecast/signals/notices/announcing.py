"""Which messages a channel gets about alerts: one when an incident begins, one when it is over. Pure.

Alerts of a queue that overlap are one incident. The first one that a rule of the channel chooses is sent;
the others join it without a message, and the incident is over when the last of them has ended.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.cause import BEGIN, END
from mergecast.queues.store.alerts import Announced, decode_alert
from mergecast.queues.store.rows import CauseRow
from mergecast.signals.notices.channel import Channel
from mergecast.signals.thresholds.incidents import lane_of


class AlertCause(NamedTuple):
    """That an alert began or ended."""

    phase: str
    alert: Alert
    stored_at: int
    happened_at: int


def alert_cause(row: CauseRow) -> AlertCause:
    return AlertCause(row.phase, decode_alert(row.document), row.stored_at, row.happened_at)


@dataclass(slots=True, eq=False)
class ChannelIncident:
    """An incident as a channel knows it: only the alerts that its rules chose."""

    id: str  # of the alert that was found first
    alerts: dict[str, Alert]
    open: set[str] = field(default_factory=set)  # the ids of alerts that have not ended
    is_new: bool = False  # its beginning is not a message yet


class Step(NamedTuple):
    """A message to make."""

    phase: str
    incident: ChannelIncident
    happened_at: int


class Announcement(NamedTuple):
    steps: list[Step]
    joined: dict[str, str]  # the incident of each alert that began


def announce(channel: Channel, causes: Sequence[AlertCause], announced: Sequence[Announced]) -> Announcement:
    """What a channel is sent because of these causes, after what was announced before."""
    incidents = _open_incidents(channel, announced)
    steps: list[Step] = []
    # An alert that begins when another one ends belongs to the same incident.
    for cause in sorted(causes, key=lambda one: (one.stored_at, one.phase, one.alert.found_at, one.alert.id)):
        if cause.phase == BEGIN and channel.takes(cause.stored_at) and channel.chooses_alert(cause.alert):
            steps += _begin(incidents, cause)
        elif cause.phase == END:
            steps += _end(incidents, cause)
    # What is over before its beginning was sent is not sent at all.
    dropped = [incident for incident in incidents if incident.is_new and not incident.open]
    kept = [step for step in steps if step.incident not in dropped and not channel.is_paused]
    begun = {cause.alert.id for cause in causes if cause.phase == BEGIN}
    joined = {
        id: incident.id
        for incident in incidents
        if incident not in dropped
        for id in begun & incident.alerts.keys()
    }
    return Announcement(kept, joined)


def _open_incidents(channel: Channel, announced: Iterable[Announced]) -> list[ChannelIncident]:
    found: dict[str, ChannelIncident] = {}
    for one in announced:
        if (id := _incident_of(channel, one)) is not None:
            incident = found.setdefault(id, ChannelIncident(id, {}))
            incident.alerts[one.alert.id] = one.alert
            if not one.is_over:
                incident.open.add(one.alert.id)
    return [incident for incident in found.values() if incident.open]


def _incident_of(channel: Channel, one: Announced) -> str | None:
    if one.incidents is not None:
        return one.incidents.get(channel.id)
    was_sent = channel.takes(one.stored_at) and channel.chooses_alert(one.alert)
    return one.alert.id if was_sent else None


def _begin(incidents: list[ChannelIncident], cause: AlertCause) -> list[Step]:
    alert = cause.alert
    lane = lane_of(alert)
    for incident in incidents:
        if incident.open and lane_of(next(iter(incident.alerts.values()))) == lane:
            incident.alerts[alert.id] = alert
            incident.open.add(alert.id)
            return []
    incident = ChannelIncident(alert.id, {alert.id: alert}, {alert.id}, is_new=True)
    incidents.append(incident)
    return [Step(BEGIN, incident, cause.happened_at)]


def _end(incidents: Iterable[ChannelIncident], cause: AlertCause) -> list[Step]:
    """The incident is over with its last alert."""
    for incident in incidents:
        if cause.alert.id in incident.open:
            incident.alerts[cause.alert.id] = cause.alert
            incident.open.remove(cause.alert.id)
            return [] if incident.open else [Step(END, incident, cause.happened_at)]
    return []
