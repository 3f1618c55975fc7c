"""Sums of the executions of each day and of each block of days, so that a year can be read quickly.

A day is summed once it is over and nothing has arrived about it for a while. Until then, and again when one
of its executions changes, its executions are read one by one. A block is summed once all its days are, and
its days are read one by one until then.
"""

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.day_sums import block_sums, day_sums
from mergecast.queues.store.ci.rows import DAYS_PER_BLOCK, CiBlockSumRow, CiDayRow, first_day_of_block
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows

QUIET = 10 * MINUTE
_DAYS_AT_ONCE = 10


def sum_days(held: HeldRepository, quiet: int = QUIET) -> bool:
    """Sum some days that are over and quiet, or else a block; returns whether there may be more."""
    days = [day for (day,) in held.rows("ci_days_to_sum", held.now // DAY, held.now - quiet, _DAYS_AT_ONCE)]
    if not days:
        return _sum_block(held)
    for day in days:
        held.insert(day_sums(held.rows, held.state.id, day))
        held.give_way()
    delete_rows(held, CiDayRow, day=days)
    held.insert([CiDayRow(held.state.id, day, is_summed=True, changed_at=held.now) for day in days])
    held.save(held.state)
    return True


def _sum_block(held: HeldRepository) -> bool:
    """Sum the first block that can be summed; returns whether there was one."""
    present = first_day_of_block(held.now // DAY)
    found = held.rows("ci_block_to_sum", present, DAYS_PER_BLOCK)
    for first_day, changed_at in found:
        delete_rows(held, CiBlockSumRow, first_day=[first_day])
        held.insert(block_sums(held.rows, held.state.id, first_day, changed_at))
        held.save(held.state)
    return bool(found)


async def repositories_to_sum(store: Store, now: int) -> list[Repository]:
    """The repositories with days that can be summed."""
    return await store.repositories_listed("repositories_with_ci_days", now // DAY, now - QUIET)
