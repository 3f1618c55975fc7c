"""Since when figures have had another level; found in a forecasting process, from the days of the queues."""

from collections.abc import Hashable
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
from mergecast.queues.model.instant import DAY, WEEK, from_datetime, to_datetime
from mergecast.queues.model.queue_changes import LevelChanges, QueueDay, monday_of
from mergecast.queues.model.window import Window, grid_for
from mergecast.queues.stats.level_changes import sentence_of
from mergecast.queues.stats.question import Filters, Question
from mergecast.queues.stats.queue_days import queue_days
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import ChildError

_OWN_WORK: Final = "changes"  # takes turns with the callers
_MOST_KEPT: Final = 1000  # answers, each of a few kilobytes

log = structlog.get_logger("mergecast.changes")


def last_look(at: int) -> int:
    """The Monday on which the last look before an instant was, as a number of a day."""
    return monday_of(at // DAY)


@dataclass(frozen=True, slots=True)
class Asked:
    known: KnownRepository
    filters: Filters
    until: int  # the Monday of the last look


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
        asked = Asked(known, Filters(), last_look(end))
        try:
            found = await self.find(_OWN_WORK, asked)
        except (MergecastError, ChildError) as error:
            log.warning("changes could not be found for a digest", error=str(error))
            return []
        return [sentence_of(one) for one in found.changes if end - WEEK < one.shown_on * DAY <= end]


def _read(reader: Reader, asked: Asked) -> list[QueueDay]:
    window = Window(_begin(asked), asked.until * DAY)
    if window.start >= window.end:
        return []
    groups = {id: one for id, one in reader.groups(asked.known.id).items() if asked.filters.keep(one)}
    question = Question(asked.known.id, window, window, grid_for(window), groups, filters=asked.filters)
    return queue_days(reader, question)


def _begin(asked: Asked) -> int:
    """Of what is looked at: the year before that of the last look, if so much is known.

    It moves once a year, because the same weeks must have the same looks.
    """
    year = to_datetime(asked.until * DAY).year - 1
    begin = from_datetime(datetime(max(year, 1), 1, 1, tzinfo=UTC))
    known = asked.known
    return max(begin, known.first_at or asked.until * DAY, known.kept_since or begin)
