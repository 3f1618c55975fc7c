"""Computes recommendations in the background, one at a time, and keeps them in the store.

Of several servers on one database, the one that holds the lease of a branch computes it. The lease is short
and renewed while the work goes on, so that another server, or this one after a restart, soon begins again.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple
from zlib import crc32

import msgspec
import structlog

from mergecast.errors import MergecastError, Unavailable
from mergecast.judge.messages import (
    RECOMMENDATION,
    Baseline,
    ForecastAnswer,
    RecommendationProgress,
    SearchQuestion,
)
from mergecast.prediction.forecaster import Forecaster
from mergecast.prediction.history import (
    PAST,
    USUAL_SEED,
    ReplayParameters,
    TooManyEvents,
    head_of,
    recorded_window,
    whole_answer,
)
from mergecast.process.background import Background, WantedLease, WorkLease
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, Window
from mergecast.queues.store.recommendations import put_recommendation, read_recommendation
from mergecast.queues.store.rows import RecommendationRow
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import ChildError, TooMuchToRead
from mergecast.sandbox.turns import Place

# The first that holds enough history is replayed.
_DAYS: Final = (28, 60)
_MOST_OF_CALLER: Final = 20
_MOST_UNDER_WAY: Final = 1000
_MOST_REMEMBERED: Final = 1000
_OWN_WORK: Final = "recommendations"  # takes turns with the callers
_LEASES: Final = 64  # branches share them, so that their number does not grow
_LEASE_LENGTH: Final = 30 * SECOND
_RENEWED_SECONDS: Final = 10.0
_TRIED_AGAIN: Final = 30 * MINUTE  # after a failure, or if there was too little history

Branch = tuple[int, str]  # a repository and a base ref

log = structlog.get_logger("mergecast.forecast")


@dataclass(frozen=True)
class Progress:
    state: str  # known, pending, too_little_history or failed
    detail: str | None = None
    combinations: RecommendationProgress | None = None
    place: Place | None = None  # in the line of recommendations


_PENDING: Final = Progress("pending")


class Task(NamedTuple):
    """What to compute, and which caller asked: callers take turns."""

    caller: Hashable
    known: KnownRepository
    base_ref: str
    baseline: Baseline
    settings_version: str

    @property
    def branch(self) -> Branch:
        return self.known.id, self.base_ref


class _UnderWay(NamedTuple):
    progress: Progress
    task: Task


class _Ended(NamedTuple):
    """Why the last attempt gave nothing; it holds for these settings, for some time."""

    progress: Progress
    settings_version: str
    at: int


class Recommendations(Background):
    """One per server."""

    def __init__(self, forecaster: Forecaster, holder: str) -> None:
        super().__init__()
        self._forecaster, self._store, self._now = forecaster, forecaster.store, forecaster.now
        self._holder = holder
        self._under_way: dict[Branch, _UnderWay] = {}
        # How far those got that were postponed.
        self._furthest: RecentEntries[Branch, _UnderWay] = RecentEntries(_MOST_REMEMBERED)
        self._ended: RecentEntries[Branch, _Ended] = RecentEntries(_MOST_REMEMBERED)

    def under_way(self, branch: Branch) -> tuple[Progress, str] | None:
        """How far it is and which settings it is about; None if nothing is under way."""
        found = self._under_way.get(branch)
        return None if found is None else (found.progress, found.task.settings_version)

    def begin(self, task: Task) -> Progress:
        """Compute it, unless that is under way, has just failed, or there is no room: then ask again."""
        ended = self._ended.get(task.branch)
        if ended is not None and ended.settings_version == task.settings_version:
            is_recent = self._now() - ended.at < _TRIED_AGAIN
            if is_recent:
                return ended.progress
        if task.branch not in self._under_way and self._has_room(task.caller):
            before = self._furthest.get(task.branch)
            is_same = before is not None and before.task.settings_version == task.settings_version
            progress = before.progress if before is not None and is_same else _PENDING
            self._under_way[task.branch] = _UnderWay(progress, task)
            work = self._begin(self._compute(task))
            work.add_done_callback(lambda _: self._under_way.pop(task.branch))
        found = self._under_way.get(task.branch)
        return _PENDING if found is None else found.progress

    def _has_room(self, caller: Hashable) -> bool:
        of_caller = sum(one.task.caller == caller for one in self._under_way.values())
        return of_caller < _MOST_OF_CALLER and len(self._under_way) < _MOST_UNDER_WAY

    async def _compute(self, task: Task) -> None:
        show, lease = partial(self._show_place, task.branch), self._lease(task)
        try:
            async with (
                self._forecaster.recommendations.turn(task.caller, has_begun=True, on_place=show),
                lease.held(_RENEWED_SECONDS) as is_held,
            ):
                if is_held and not await self._is_done(task):
                    await self._answer_and_keep(task)
        except Unavailable as busy:
            self._furthest.put(task.branch, self._under_way[task.branch])
            log.info("a recommendation is postponed", base_ref=task.base_ref, reason=str(busy))
        except MergecastError as error:
            self._end(task, Progress("failed", str(error)))
        except ChildError as error:
            log.error("a recommendation failed", base_ref=task.base_ref, error=str(error))  # noqa: TRY400
            self._end(task, Progress("failed", "an internal error occurred"))

    def _show_place(self, branch: Branch, place: Place) -> None:
        progress, task = self._under_way[branch]
        self._under_way[branch] = _UnderWay(replace(progress, place=place), task)

    def _show_progress(self, branch: Branch, line: bytes) -> None:
        """One that begins again shows how far it was until it gets further."""
        done = msgspec.json.decode(line, type=RecommendationProgress)
        progress, task = self._under_way[branch]
        before = progress.combinations
        if before is None or before.total != done.total or before.done < done.done:
            self._under_way[branch] = _UnderWay(replace(progress, combinations=done), task)

    async def _answer_and_keep(self, task: Task) -> None:
        for days in _DAYS:
            replay = _replay(task, days, self._now())
            answer = await self._ask(task, replay)
            if answer.too_little is None:
                break
        if answer.too_little is not None:
            self._end(task, Progress("too_little_history", answer.too_little))
        elif answer.errors:
            self._end(task, Progress("failed", "; ".join(error.message for error in answer.errors)))
        else:
            document = whole_answer(head_of(task.known, replay), answer).decode()
            row = RecommendationRow(*task.branch, self._now(), task.settings_version, document)
            change = partial(put_recommendation, row=row)
            await self._store.change(task.known.repository, change, create=False)

    def _end(self, task: Task, progress: Progress) -> None:
        ended = _Ended(progress, task.settings_version, self._now())
        self._ended.put(task.branch, ended)

    async def _ask(self, task: Task, replay: ReplayParameters) -> ForecastAnswer:
        query = partial(self._forecaster.query, _OWN_WORK)
        recorded = await recorded_window(query, task.known, replay, PAST)
        question = SearchQuestion(recorded, None, None, task.baseline, replay.seed)
        show = partial(self._show_progress, task.branch)
        try:
            return await self._forecaster.work(
                _OWN_WORK, RECOMMENDATION, question, ForecastAnswer, on_progress=show
            )
        except TooMuchToRead:
            raise TooManyEvents from None

    async def _is_done(self, task: Task) -> bool:
        """Whether another server was faster."""
        read = partial(read_recommendation, repository_id=task.known.id, base_ref=task.base_ref)
        stored = await self._store.read(task.known.id, read)
        if stored is None or stored.settings_version != task.settings_version:
            return False
        return stored.computed_at // DAY == self._now() // DAY

    def _lease(self, task: Task) -> WorkLease:
        number = crc32(f"{task.known.id} {task.base_ref}".encode()) % _LEASES
        wanted = WantedLease(f"recommendation {number}", self._holder, _LEASE_LENGTH, _LEASE_LENGTH)
        return WorkLease(self._store, self._now, wanted)


def _replay(task: Task, days: int, now: int) -> ReplayParameters:
    """The last recorded days, which may be long ago."""
    end = min(now, (task.known.last_at or now) + 1)
    return ReplayParameters(task.base_ref, None, Window(end - days * DAY, end), USUAL_SEED)
