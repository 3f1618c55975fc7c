"""`GET …/freshness`: how old the newest event is, whether that is usual, and how many problems hold."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_content, schema_of
from mergecast.api.parameters import read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.queues.model.instant import format_instant
from mergecast.queues.stats.answer import DateTime
from mergecast.queues.store.baselines import read_current_alerts
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.detection.quiet import quiet_after


class Freshness(Struct, frozen=True):
    """`quiet_after` is when silence becomes unusual; both are null without events.

    `version` is the one that `…/live` announces: a client that hears of another one asks again.
    """

    at: DateTime
    newest_event_at: DateTime | None
    quiet_after: DateTime | None
    is_quiet: bool
    version: int


class FreshnessAnswer(Freshness, frozen=True):
    """The two numbers are those of `…/queue` and `…/alerts` that hold now."""

    queue_problems: int
    alerts: int


async def freshness(services: Services, known: KnownRepository, at: int) -> Freshness:
    if known.last_at is None:
        return Freshness(format_instant(at), None, None, is_quiet=True, version=known.version)
    levels = await services.diagnosis.levels(known) or {}
    # If the clock of a client is ahead, its last event lies in the future, although it has arrived.
    newest = min(known.last_at, at)
    until = quiet_after(levels.values(), newest)
    return Freshness(
        format_instant(at), format_instant(newest), format_instant(until), at > until, known.version
    )


def freshness_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        known = await services.known(repository)
        fresh = await freshness(services, known, services.now())
        problems = await services.diagnosis.stored_problems(known)
        alerts = await services.query(request, known.id, lambda reader: read_current_alerts(reader, known.id))
        return json_response(
            FreshnessAnswer(**asdict(fresh), queue_problems=len(problems), alerts=len(alerts))
        )

    answer = json_content(schema_of(FreshnessAnswer))
    summary = "How old the newest event is, whether that is usual, and how many problems hold"
    operation = Operation("Statistics", summary, answer)
    return Route("GET", f"{REPOSITORY_PATH}/freshness", Right.READ, show, operation)
