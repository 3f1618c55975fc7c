"""`GET …/pulls/{number}/state`: where a pull request stands, small enough to be asked for again and again."""

from collections.abc import Mapping
from hashlib import blake2b

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import LARGEST_RECORDED, read_input
from mergecast.api.responses import etag_headers, matches_etag
from mergecast.api.routing import PULL_REQUEST_PATH, Route
from mergecast.api.services import Services
from mergecast.api.waiting import Present, Waiting
from mergecast.queues.answers.pulls import PullState
from mergecast.queues.model.instant import format_instant
from mergecast.queues.stats.pull_state import PullEndings, read_endings, removal, short_wait
from mergecast.queues.stats.queue_contents import Place
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository


def pull_state_route(services: Services, waiting: Waiting) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments)
        known, number = await services.known(given.repository), given.values["number"]
        body = msgspec.json.encode(await state_of(request, known, number))
        etag = f'W/"{blake2b(body, digest_size=16).hexdigest()}"'
        if matches_etag(request, etag):
            return Response(None, 304, etag_headers(etag))
        return Response(body, 200, etag_headers(etag), "application/json")

    async def state_of(request: Request, known: KnownRepository, number: int) -> PullState:
        at = services.now()

        def read(reader: Reader, current: KnownRepository) -> tuple[PullEndings, Present | None]:
            found = read_endings(reader, current.id, number)
            is_open = found.has_open and not found.is_merged
            return found, waiting.present(reader, current, at) if is_open else None

        if number > LARGEST_RECORDED:
            return _ended(known, number, PullEndings())
        current, (found, present) = await services.query_current(request, known, read)
        state = _ended(current, number, found)
        place = present and present.queues.place_of(number)
        # It is in no queue if the end of its last stay is unknown.
        return in_queue(current, state, present, place) if present and place else state

    def in_queue(known: KnownRepository, state: PullState, present: Present, place: Place) -> PullState:
        """The same with its place in a queue."""
        waits = waiting.waiting_for(known, present, place)
        return msgspec.structs.replace(
            state,
            state="in_queue",
            since=place.entry.entered_at,
            position=place.entry.position,
            waiting_for=short_wait(waits),
            expected_merge=waits.evidence.expected_merge,
            expected_merges=waits.evidence.expected_merges,
        )

    operation = Operation(
        "Statistics",
        "Where a pull request stands: in a queue, merged, removed, or unknown here",
        PullState,
        is_cached=True,
    )
    return Route("GET", f"{PULL_REQUEST_PATH}/state", Right.READ, show, operation)


def _ended(known: KnownRepository, number: int, found: PullEndings) -> PullState:
    """The state without what is in the queues now."""
    last, removed = found.last, found.removed
    if last is None:
        return PullState(number, "unknown")
    since = format_instant(last.changed_at)
    if found.is_merged:
        return PullState(number, "merged", since)
    judged = removed and removal(removed, is_being_judged=known.is_being_judged(removed.left_at))
    return PullState(number, "in_queue" if last.left_at is None else "removed", since, removal=judged)
