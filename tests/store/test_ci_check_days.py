"""Which executions of CI checks a question reads one by one, and not as sums."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import DAY, HOUR, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.store.ci.day_sums import sum_days
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

_NAME = Repository("acme", "widgets")


class _Noting:
    """A reader that notes the periods of which executions are read."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.periods: list[tuple[object, ...]] = []

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        if statement == "ci_totals":
            self.periods.append(tuple(parameters[1:3]))
        return self._reader.rows(statement, parameters)

    def column(self, statement: str, parameters: Sequence[object]) -> list[Any]:
        return self._reader.column(statement, parameters)

    def groups(self, repository_id: int) -> Mapping[int, Group]:
        return self._reader.groups(repository_id)

    def current(self, known: KnownRepository) -> KnownRepository | None:
        return self._reader.current(known)


def _report(day: int) -> CiCheckReport:
    at = day * DAY + HOUR
    return CiCheckReport(f"report-{day}", at, "main", "default", f"batch-{day}", "1", "unit", "success", 1)


async def _periods(store: Store, window: Window) -> list[tuple[object, ...]]:
    known = await store.repository(_NAME)
    assert known is not None
    id = known.id

    def work(reader: Reader) -> list[tuple[object, ...]]:
        noting = _Noting(reader)
        CI_CHECKS.answer(noting, Question(id, window, window, grid_for(window), {}))
        return noting.periods

    return await store.read(id, work)


def test_days_without_executions_are_not_read(store: Store) -> None:
    """As on weekends. A day to which a report was added is, until it is summed again."""
    window = Window(HOUR, 40 * DAY + HOUR)
    edges = [(HOUR, DAY), (40 * DAY, 40 * DAY + HOUR)]

    async def scenario() -> None:
        await store.record(_NAME, [_report(day) for day in range(1, 40, 2)])
        while await store.change(_NAME, partial(sum_days, quiet=0), create=False):
            pass
        assert edges == await _periods(store, window)
        await store.record(_NAME, [_report(20)])
        assert [edges[0], (20 * DAY, 21 * DAY), edges[1]] == await _periods(store, window)

    asyncio.run(scenario())
