"""`GET …/queue`: what is in the queues and what is wrong."""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.alerts import shown_incidents
from mergecast.api.freshness import freshness, silence_of
from mergecast.api.openapi.operation import Operation
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.statistics import MOST_GROUPS
from mergecast.errors import FieldError, InvalidInput
from mergecast.prediction.expected_merges import Expected, while_working, with_expected
from mergecast.queues.answers import alerts as answers
from mergecast.queues.answers.alerts import Undiagnosed
from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.sources import PolledSource
from mergecast.queues.model.alert import Alert
from mergecast.queues.stats.queue_contents import Queue, queue_contents
from mergecast.queues.stats.shown_alert import shown_alert
from mergecast.queues.store.alerts import open_alerts
from mergecast.queues.store.reader import Reader
from mergecast.signals.thresholds.levels import Levels
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.sentences import too_little


class QueuesNow(Struct, frozen=True):
    at: DateTime
    version: int
    newest_event_at: DateTime | None
    quiet_after: DateTime | None
    polled: tuple[PolledSource, ...]
    queues: Sequence[Queue]
    alerts: tuple[answers.Alert, ...]
    incidents: tuple[answers.Incident, ...]
    undiagnosed: list[Undiagnosed]
    silence: answers.Silence | None


def _undiagnosed(levels: Mapping[QueueName, Levels]) -> list[Undiagnosed]:
    sentences = ((queue, too_little(of_queue)) for queue, of_queue in sorted(levels.items()))
    return [Undiagnosed(*queue, sentence) for queue, sentence in sentences if sentence is not None]


def queue_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        at, known = services.now(), await services.asked(request, segments)
        await services.watch.refresh(known)
        known, (queues, alerts) = await services.query_current(
            request,
            known,
            lambda reader, current: (_queues(reader, current.id, at), open_alerts(reader, current.id)),
        )
        merges = services.expected_merges.of_branches(known, (queue.base_ref for queue in queues), at)
        undiagnosed = _undiagnosed(await services.watch.levels(known) or {})
        fresh = await freshness(services, known, at)
        found = QueuesNow(
            *(fresh.at, fresh.version, fresh.newest_event_at, fresh.quiet_after, fresh.polled, queues),
            *(tuple(map(shown_alert, alerts)), shown_incidents(alerts, at), undiagnosed),
            silence_of(fresh),
        )
        # In a thread: there may be many entries, and other requests are answered meanwhile.
        return await asyncio.to_thread(_response, found, merges, alerts, is_quiet=fresh.is_quiet)

    operation = Operation("Statistics", "What is in the queues now", QueuesNow)
    return Route("GET", f"{REPOSITORY_PATH}/queue", Right.READ, show, operation)


def _queues(reader: Reader, repository_id: int, at: int) -> Sequence[Queue]:
    queues = queue_contents(reader, repository_id, at)
    if len(queues) > MOST_GROUPS:
        message = (
            f"{len(queues):,} queues hold pull requests, more than the {MOST_GROUPS:,} that can be listed"
        )
        raise InvalidInput([FieldError("path", "", message)])
    return queues


def _response(
    found: QueuesNow, merges: Mapping[str, Expected], alerts: Sequence[Alert], *, is_quiet: bool
) -> Response:
    def expecting(queue: Queue) -> Queue:
        if queue.base_ref not in merges:
            return queue
        return with_expected(queue, while_working(merges[queue.base_ref], queue, alerts, is_quiet=is_quiet))

    queues = [expecting(queue) for queue in found.queues]
    return json_response(replace(found, queues=queues))
