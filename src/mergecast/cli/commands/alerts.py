"""`mergecast alerts`: what is wrong with the queues, and what was."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, PastDates, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_json, say
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.client.answers import Queues
    from mergecast.queues.answers.alerts import Alert, Alerts, Incident, Silence

_NOT_SENT = "  No channel has received it."
_ENDED = {
    "recovered": "",
    "no_data": ", ended without data",
    "threshold_changed": ", ended because its threshold was changed",
    "reference_replaced": ", ended because its reference period was pinned again",
    "reference_deleted": ", ended because its reference period was deleted",
}


def alerts(
    repository: RepositoryName,
    *,
    dates: PastDates,
    everything: Annotated[bool, typer.Option("--all", help="Also all that have ended and are kept")] = False,
    times: ZoneOptions,
    as_json: AsJson = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Exit with code 1 if an alert is open, or no event came for 7 days; for scripts",
        ),
    ] = False,
    server: Server,
) -> int:
    """What is wrong with the queues now, and what was it at 3 am?

    Shows incidents with their cause; with a period or --all, past ones too.

    Example: mergecast alerts demo/harbor --since 7d
    """
    zone = times.read()
    period = dates.query(zone, datetime.now(UTC))
    if period and everything:
        raise WrongUsage("--all shows every alert; it cannot be combined with --since, --start or --end")
    asked = {"state": "all" if period or everything else "open", **period}
    with connect(*server) as client:
        found = client.alerts(repository, asked)
    is_open = any(alert.ended_at is None for alert in found.value.alerts)
    status = 1 if check and (is_open or is_long(found.value.silence)) else 0
    if as_json:
        print_json(found.raw)
        return status
    if found.value.silence is not None:
        say(found.value.silence.sentence)
    if found.value.alerts:
        say(*incident_lines(found.value, zone))
    else:
        say("no alerts" if asked["state"] == "all" else "no open alerts; --all shows past ones")
    return status


def is_long(silence: "Silence | None") -> bool:
    """Whether a queue without alerts is not known to be healthy."""
    return silence is not None and silence.is_long


def incident_lines(found: "Alerts | Queues", zone: Zone) -> Iterator[str]:
    """The cause of each in one sentence with its advice, and indented what follows from it."""
    from mergecast.queues.answers.alerts import DatedAlert, NotifiedIncident

    by_id = {alert.id: alert for alert in found.alerts or ()}
    for incident in found.incidents:
        cause, *others = (by_id[id] for id in incident.alerts)
        yield f"{_span(incident, zone)}, {incident.base_ref}: {incident.sentence}"
        if isinstance(cause, DatedAlert) and cause.change is not None:
            yield f"  {cause.change.sentence}"
        if incident.ended_at is None:
            yield f"  {cause.advice}"
        if isinstance(incident, NotifiedIncident) and incident.notified is not None:
            yield f"  Sent to {', '.join(incident.notified)}." if incident.notified else _NOT_SENT
        for alert in others:
            ended = "" if alert.ended_at is None else _ENDED.get(alert.end_reason or "", "")
            yield f"  {_span(alert, zone)}: {alert.sentence}{ended}"


def _span(one: "Alert | Incident", zone: Zone) -> str:
    since = zone.shown_text(one.since)
    return f"since {since}" if one.ended_at is None else f"{since} to {zone.shown_text(one.ended_at)}"
