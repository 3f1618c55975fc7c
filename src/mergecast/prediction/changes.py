"""Since when figures have had another level; found in a forecasting process, from the days of the queues."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Hashable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from typing import Final

import msgspec
import structlog

from mergecast.errors import MergecastError
from mergecast.judge.messages import CHANGES, ChangesQuestion
from mergecast.prediction.forecaster import Forecaster
from mergecast.process.lru import RecentEntries
from mergecast.queues.answers.alerts import AlertChange
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.figures import CHANGE_FIGURES
from mergecast.queues.model.instant import DAY, WEEK, Window, from_datetime, grid_for, to_datetime
from mergecast.queues.model.queue_changes import LevelChange, LevelChanges, QueueDay
from mergecast.queues.stats.answer import Filters, Question
from mergecast.queues.stats.level_changes import alert_change_of, sentence_of
from mergecast.queues.stats.queue_days import queue_days
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import read_reference_periods
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import ChildError

_OWN_WORK: Final = "changes"  # takes turns with the callers
_PATIENCE_SECONDS: Final = 10.0  # other forecasts may take longer
_MOST_KEPT: Final = 1000  # answers, each of a few kilobytes
_SHORTLY: Final = 4 * WEEK  # before an alert
_Reference = tuple[str, str, str]  # its branch, its queue and its name

log = structlog.get_logger("mergecast.changes")


def last_look(at: int) -> int:
    """The day whose beginning the last look before an instant was at, as a number."""
    return at // DAY


@dataclass(frozen=True, slots=True)
class Asked:
    known: KnownRepository
    filters: Filters
    until: int  # the day of the last look


class Changes:
    """One per server. What was found is kept for as long as no day before the last look changes."""

    def __init__(self, forecaster: Forecaster) -> None:
        self._forecaster = forecaster
        self._found: RecentEntries[bytes, LevelChanges] = RecentEntries(_MOST_KEPT)

    async def find(self, caller: Hashable, asked: Asked) -> LevelChanges:
        """What was shown by the time of the last look."""
        days = await self._forecaster.query(caller, asked.known.id, partial(_read, asked=asked))
        question = msgspec.json.encode(ChangesQuestion(days, asked.until))
        key = blake2b(question, digest_size=16).digest()
        found = self._found.get(key)
        if found is None:
            found = await self._forecaster.ask(caller, CHANGES, question, LevelChanges)
            self._found.put(key, found)
        return found

    async def first_reported(self, known: KnownRepository, end: int) -> list[str]:
        """Sentences about those that were first reported in the week before an instant, for a digest."""
        async with _going_on("digest"):
            changes = (await self.find(_OWN_WORK, Asked(known, Filters(), last_look(end)))).changes
            return [sentence_of(one) for one in changes if end - WEEK < one.shown_on * DAY <= end]
        return []

    async def of_alerts(
        self, known: KnownRepository, alerts: Iterable[Alert], at: int
    ) -> dict[str, AlertChange]:
        """By the id of each open alert: the last change of its figure shortly before it, if it was to worse.

        Of an alert that compares with a reference period, the last one since the end of that.
        """
        by_queue: defaultdict[Filters, list[Alert]] = defaultdict(list)
        for alert in alerts:
            if alert.ended_at is None and alert.figure in CHANGE_FIGURES:
                queue = Filters(frozenset([alert.base_ref]), frozenset([alert.queue_name]))
                by_queue[queue].append(alert)
        found: dict[str, AlertChange] = {}
        async with _going_on("alerts"):
            since = partial(_may_begin_since, await self._ends_of_references(known, by_queue))
            for queue, of_queue in by_queue.items():
                changes = (await self.find(_OWN_WORK, Asked(known, queue, last_look(at)))).changes
                last = {alert.id: _last_between(changes, since(alert), alert) for alert in of_queue}
                found |= {id: alert_change_of(one) for id, one in last.items() if one is not None}
        return found

    async def _ends_of_references(
        self, known: KnownRepository, by_queue: Mapping[Filters, Sequence[Alert]]
    ) -> dict[_Reference, int]:
        if all(alert.compared is None for alerts in by_queue.values() for alert in alerts):
            return {}
        work = partial(read_reference_periods, repository_id=known.id)
        periods = [stored.period for stored in await self._forecaster.query(_OWN_WORK, known.id, work)]
        return {(one.base_ref, one.queue_name, one.name): one.end for one in periods}


@asynccontextmanager
async def _going_on(asked_for: str) -> AsyncIterator[None]:
    """Limit the time for finding changes: what they are for is sent or answered without them, too."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            yield
    except (MergecastError, ChildError, TimeoutError) as error:
        log.warning("changes could not be found", asked_for=asked_for, error=str(error))


def _may_begin_since(ends: Mapping[_Reference, int], alert: Alert) -> int:
    """What changed longer ago is not why an alert begins: its threshold knew the new level."""
    name = alert.compared.name if alert.compared else ""
    return ends.get((alert.base_ref, alert.queue_name, name), alert.since - _SHORTLY)


def _last_between(changes: Iterable[LevelChange], since: int, alert: Alert) -> LevelChange | None:
    of_figure = [
        one
        for one in changes
        if one.figure == alert.figure and one.day * DAY >= since and one.earliest * DAY <= alert.since
    ]
    return of_figure[-1] if of_figure and of_figure[-1].after > of_figure[-1].before else None


def _read(reader: Reader, asked: Asked) -> list[QueueDay]:
    window = Window(first_looked_at(asked), asked.until * DAY)
    if window.start >= window.end:
        return []
    groups = {id: one for id, one in reader.groups(asked.known.id).items() if asked.filters.keep(one)}
    question = Question(asked.known.id, window, window, grid_for(window), groups, filters=asked.filters)
    return queue_days(reader, question)


def first_looked_at(asked: Asked) -> int:
    """When looks begin: with the year before that of the last look, if so much is known.

    It moves once a year, because the same weeks must have the same looks. Where old events are deleted, it
    moves with them.
    """
    year = to_datetime(asked.until * DAY).year - 1
    begin = from_datetime(datetime(max(year, 1), 1, 1, tzinfo=UTC))
    known = asked.known
    return max(begin, known.first_at or asked.until * DAY, known.kept_since or begin)
