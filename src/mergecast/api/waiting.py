"""What a pull request in a queue waits for. What is in the queues is read once for all who ask together."""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from starlette.requests import Request

from mergecast.api.routing import admission_of
from mergecast.api.services import Services
from mergecast.prediction.expected_merges import Expected
from mergecast.process.concurrently import outlasting
from mergecast.process.lru import BoundedCache
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.stats.present_queues import Place, PresentQueues, read_present_queues
from mergecast.queues.stats.queue_contents import Queue
from mergecast.queues.stats.waiting_for import Situation, Trouble, waits
from mergecast.queues.stats.waiting_sentence import WaitingFor, described
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.thresholds.judged import ALERTED_NOW, SOURCE_SILENT

_NOTHING = Expected(state="too_little_history")
_KEPT_BYTES = 16 << 20
_ENTRY_BYTES = 2_000  # what an entry of a queue takes, about
# Titles, and positions that a source reports, change without another version of the repository.
_FRESH = 5 * SECOND


class _Kept(NamedTuple):
    key: tuple[int, int, int]
    at: int
    found: PresentQueues


class Waiting:
    """What is in the queues of each repository, and what pull requests in them wait for."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: BoundedCache[int, _Kept] = BoundedCache(_KEPT_BYTES, _size)
        self._under_way: dict[tuple[int, int, int], asyncio.Task[PresentQueues]] = {}

    def waiting_for(
        self, known: KnownRepository, present: PresentQueues, place: Place, alerts: Iterable[Alert]
    ) -> WaitingFor:
        """Rules and expected merges are computed in the background."""
        (entry, queue), at = place, self._services.now()
        of_branches = self._services.expected_merges.of_branches(known, [queue.base_ref], at)
        of_branch = of_branches.get(queue.base_ref, _NOTHING)
        situation = Situation(
            entry=entry,
            queue=queue,
            branch=[other for other in present.queues if other.base_ref == queue.base_ref],
            newest_event_at=known.last_at or 0,
            has_passed=present.has_passed(entry),
            rules=of_branch.rules.get(queue.queue_name),
            troubles=[*_troubles(alerts, queue)],
            tested=present.tested,
            expected=of_branch.recent(entry.session_id, at),
            expected_state=of_branch.state_of(queue.entries),
        )
        return described(waits(situation, at), at)

    async def present(self, request: Request, known: KnownRepository) -> PresentQueues:
        """What is in the queues: of the version that is known, or a later one."""
        at, key = self._services.now(), (known.id, known.version, known.ci_version)
        kept = self._kept.get(known.id)
        if kept is not None and kept.key == key and 0 <= at - kept.at < _FRESH:
            return kept.found
        work = self._under_way.get(key)
        if work is None:
            work = self._under_way[key] = asyncio.create_task(self._read(request, known, at))
            work.add_done_callback(lambda _: self._under_way.pop(key, None))
        found = await outlasting(work)
        self._kept.put(known.id, _Kept(key, at, found))
        return found

    async def _read(self, request: Request, known: KnownRepository, at: int) -> PresentQueues:
        """In the turn of the caller who asked first; others may wait for it, so it ends even if they go."""
        async with self._services.queries.turn(admission_of(request).caller.identity):
            return await self._services.database.read(
                known.id, lambda reader: read_present_queues(reader, known.id, at)
            )


def _troubles(alerts: Iterable[Alert], queue: Queue) -> Iterable[Trouble]:
    """The alerts about a queue as it is now; a source that is silent concerns all queues."""
    for alert in alerts:
        is_here = (alert.base_ref, alert.queue_name) == (queue.base_ref, queue.queue_name)
        if alert.figure in ALERTED_NOW and (is_here or alert.figure == SOURCE_SILENT):
            yield Trouble(alert.figure, format_instant(alert.since), alert.evidence.source)


def _size(kept: _Kept) -> int:
    return _ENTRY_BYTES * (1 + sum(len(queue.entries) for queue in kept.found.queues))
