"""`GET …/alerts`: which figures of queues are, or were, beyond their thresholds."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.freshness import freshness, silence_of
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import QUERY, Input, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.answers import alerts as answers
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import Window, format_instant, next_whole_second
from mergecast.queues.stats.shown_alert import dated_alert
from mergecast.queues.store.alerts import KEEP, alerts_between
from mergecast.signals.thresholds.incidents import Incident, incidents_of

_PARAMETERS = ("state", "start_at", "end_at", "figure", "queue_name")


def shown_incident(incident: Incident) -> answers.Incident:
    return answers.Incident(
        incident.id,
        incident.base_ref,
        incident.queue_name,
        format_instant(incident.since),
        None if incident.ended_at is None else format_instant(incident.ended_at),
        incident.sentence,
        tuple(alert.id for alert in incident.alerts),
    )


def shown_incidents(alerts: Iterable[Alert], at: int) -> tuple[answers.Incident, ...]:
    return tuple(map(shown_incident, incidents_of(alerts, at)))


def _with_receivers(
    incident: Incident, notified: Mapping[str, Collection[str] | None]
) -> answers.NotifiedIncident:
    channels = [notified[alert.id] for alert in incident.alerts]
    names = {name for known in channels for name in known or ()}
    is_known = bool(names) or None not in channels
    shown = structs.asdict(shown_incident(incident))
    return answers.NotifiedIncident(**shown, notified=tuple(sorted(names)) if is_known else None)


def alerts_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, _PARAMETERS)
        now = services.now()
        window = _window(given, now)
        known = await services.known(given.repository)
        silence = None
        if given.values.get("state", "open") != "ended":
            await services.watch.refresh(known)
            silence = silence_of(await freshness(services, known, now))
        work = partial(alerts_between, repository_id=known.id, window=window)
        found = [alert for alert in await services.query(request, known.id, work) if _is_asked(alert, given)]
        changes = await services.changes.of_alerts(known, found, now)
        notified = await services.channels.notified(known, [alert.id for alert in found])
        return json_response(
            answers.Alerts(
                format_instant(window.start),
                format_instant(window.end),
                tuple(dated_alert(alert, changes.get(alert.id)) for alert in found),
                tuple(_with_receivers(incident, notified) for incident in incidents_of(found, now)),
                silence,
            )
        )

    start = replace(
        QUERY["start_at"],
        description="Alerts that had ended before are left out; 400 days before `end_at` by default",
    )
    end = replace(QUERY["end_at"], description="Alerts that began later are left out; now by default")
    others = tuple(QUERY[name] for name in ("state", "figure", "queue_name"))
    operation = Operation(
        "Alerts",
        "Which figures of queues are beyond their thresholds, and which were",
        answers.Alerts,
        (others[0], start, end, *others[1:]),
    )
    return Route("GET", f"{REPOSITORY_PATH}/alerts", Right.READ, show, operation)


def _window(given: Input, now: int) -> Window:
    end = given.values.get("end_at", next_whole_second(now))
    window = Window(given.values.get("start_at", end - KEEP), end)
    if window.start >= window.end:
        raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
    return window


def _is_asked(alert: Alert, given: Input) -> bool:
    state, figures = given.values.get("state", "open"), given.values.get("figure")
    queues = given.values.get("queue_name")
    return (
        (state == "all" or (alert.ended_at is None) == (state == "open"))
        and (figures is None or alert.figure in figures)
        and (queues is None or any(queue in queues for queue in alert.queues))
    )
