"""When the pull requests in a queue will probably merge, computed beside the requests that show it."""

import asyncio

import structlog

from mergecast.api.forecast import MOST_EVENTS, recorded_events
from mergecast.api.services import Services
from mergecast.errors import MergecastError
from mergecast.judge.errors import ChildError
from mergecast.judge.messages import (
    EXPECTED_MERGES,
    ExpectedMergeFound,
    ExpectedMergesQuestion,
    RecordedWindow,
)
from mergecast.lru import BoundedCache
from mergecast.model.instant import DAY, SECOND, format_instant
from mergecast.model.window import Window
from mergecast.stats.queue_contents import ExpectedMerge

_DAYS = 60
_FRESH_SECONDS = 60
_MOST_BRANCHES = 1000
_OWN_WORK = "expected merges"  # takes turns with the callers

Branch = tuple[int, str]  # a repository and a base ref
Found = dict[str, ExpectedMerge]  # by session

log = structlog.get_logger("mergecast.forecast")


class ExpectedMerges:
    """Answers with what was computed last, and computes it again in the background when that is old."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: BoundedCache[Branch, tuple[int, Found]] = BoundedCache(_MOST_BRANCHES, lambda _: 1)
        self._under_way: dict[Branch, asyncio.Task[None]] = {}

    def of_branch(self, branch: Branch, at: int) -> Found:
        computed_at, found = self._known.get(branch) or (None, {})
        is_fresh = computed_at is not None and at - computed_at < _FRESH_SECONDS * SECOND
        if not is_fresh and branch not in self._under_way:
            task = asyncio.create_task(self._compute(branch, at))
            self._under_way[branch] = task
            task.add_done_callback(lambda _: self._under_way.pop(branch, None))
        return found

    async def _compute(self, branch: Branch, at: int) -> None:
        repository_id, base_ref = branch
        window = Window(at - _DAYS * DAY, at)
        found: Found = {}
        try:
            async with self._services.queries.turn(_OWN_WORK):
                events = await recorded_events(self._services, repository_id, base_ref, window)
            if len(events) <= MOST_EVENTS:
                question = ExpectedMergesQuestion(RecordedWindow(events, *window, None))
                answer = await self._services.forecaster.ask(
                    EXPECTED_MERGES, question, list[ExpectedMergeFound]
                )
                found = {one.session_id: expected for one in answer if (expected := _expected(one, at))}
        except (MergecastError, ChildError) as error:
            log.warning("expected merges could not be computed", base_ref=base_ref, error=str(error))
        self._known.put(branch, (at, found))


def _expected(found: ExpectedMergeFound, at: int) -> ExpectedMerge | None:
    if found.p50 is None or found.p90 is None:
        return None
    p50, p90 = (format_instant(at + int(seconds) * SECOND) for seconds in (found.p50, found.p90))
    return ExpectedMerge(p50, p90, round(found.chance, 3))
