"""Sums of the executions of each day, so that a year can be read quickly.

A day is summed once it is over and nothing has arrived about it for a while. Until then, and again when one
of its executions changes, its executions are read one by one.
"""

from functools import partial

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci_day_sums import day_sums
from mergecast.queues.store.ci_rows import CiDayRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import repositories_listed
from mergecast.queues.store.store import Store

QUIET = 10 * MINUTE
_DAYS_AT_ONCE = 10


def sum_days(held: HeldRepository, quiet: int = QUIET) -> bool:
    """Sum some days that are over and quiet; returns whether there may be more."""
    days = [day for (day,) in held.rows("ci_days_to_sum", held.now // DAY, held.now - quiet, _DAYS_AT_ONCE)]
    for day in days:
        held.insert(day_sums(held.rows, held.state.id, day))
        held.give_way()
    if days:
        held.change_rows("delete_ci_days", days)
        held.insert([CiDayRow(held.state.id, day, is_summed=True, changed_at=held.now) for day in days])
        held.save(held.state)
    return len(days) == _DAYS_AT_ONCE


async def repositories_to_sum(store: Store, now: int) -> list[Repository]:
    """The repositories with days that can be summed."""
    statement, parameters = "repositories_with_ci_days", [now // DAY, now - QUIET]
    return await store.read(None, partial(repositories_listed, statement=statement, parameters=parameters))
