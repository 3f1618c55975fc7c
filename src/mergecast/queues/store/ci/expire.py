"""Deletes reports about CI checks that are too old, in small steps."""

from functools import partial

from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.delete import Chosen, delete_chosen_checks
from mergecast.queues.store.ci.rows import CiDayRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows


async def drop_old_ci_checks(store: Store, name: Repository, now: int, keep: int) -> None:
    """Delete the reports that are older than `keep`, a day in each transaction."""
    work = partial(_delete_oldest_day, now=now, keep=keep)
    while await store.change(name, work, create=False):
        pass


def _delete_oldest_day(held: HeldRepository, now: int, keep: int) -> bool:
    """Delete the executions of the oldest day if it is too old; returns whether there may be more."""
    last = (now - keep) // DAY  # the last day that may have some that are not too old
    oldest = held.rows("oldest_ci_day", last)
    if not oldest:
        return False
    ((day,),) = oldest
    delete_chosen_checks(held, Chosen(placed_before=(day + 1) * DAY))
    delete_rows(held, CiDayRow, day=[day])
    return True
