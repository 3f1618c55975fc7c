"""`GET …/freshness`: how old the newest event is, whether that is usual, and what to say if it is not."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.incoming.intake.overview import polled_sources
from mergecast.queues.answers.alerts import Silence
from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.sources import PolledSource
from mergecast.queues.model.instant import SECOND, duration, format_instant, parse_instant
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.thresholds.built_in import LONG_SILENCE
from mergecast.signals.thresholds.levels import quiet_after


class Freshness(Struct, frozen=True):
    """`quiet_after` is when silence becomes unusual; both are null without events.

    `version` is the one that `…/live` announces: a client that hears of another one asks again. `polled` are
    the sources that must be asked: what happened since then is not in any answer yet.
    """

    at: DateTime
    newest_event_at: DateTime | None
    quiet_after: DateTime | None
    is_quiet: bool
    version: int
    polled: tuple[PolledSource, ...]


class FreshnessAnswer(Freshness, frozen=True):
    """`alerts` is the number of open ones."""

    alerts: int


async def freshness(services: Services, known: KnownRepository, at: int) -> Freshness:
    polled = await polled_sources(services.database, known, at)
    if known.last_at is None:
        return Freshness(format_instant(at), None, None, is_quiet=True, version=known.version, polled=polled)
    levels = await services.watch.levels(known) or {}
    # If the clock of a client is ahead, its last event lies in the future, although it has arrived.
    newest = min(known.last_at, at)
    until = quiet_after(levels.values(), newest)
    return Freshness(
        *(format_instant(at), format_instant(newest), format_instant(until)),
        *(at > until, known.version, polled),
    )


def freshness_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        known = await services.asked(request, segments)
        fresh = await freshness(services, known, services.now())
        alerts = await services.watch.stored_alerts(known)
        return json_response(FreshnessAnswer(**asdict(fresh), alerts=len(alerts)))

    summary = "How old the newest event is, whether that is usual, and how many alerts are open"
    operation = Operation("Statistics", summary, FreshnessAnswer)
    return Route("GET", f"{REPOSITORY_PATH}/freshness", Right.READ, show, operation)


def silence_of(fresh: Freshness) -> Silence | None:
    """What to say wherever nothing would look wrong, because nothing is heard."""
    if not fresh.is_quiet:
        return None
    if fresh.newest_event_at is None:
        return Silence(None, "No event has arrived yet.", is_long=True)
    age = parse_instant(fresh.at) - parse_instant(fresh.newest_event_at)
    sentence = f"No event has arrived for {duration(age / SECOND)}: what is shown may be out of date."
    return Silence(fresh.newest_event_at, sentence, is_long=age >= LONG_SILENCE)
