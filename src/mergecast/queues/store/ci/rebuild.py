"""Recomputes what the store keeps of CI checks besides their reports."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mergecast.queues.model.instant import DAY
from mergecast.queues.store.ci.derive_rows import derive_ci_rows
from mergecast.queues.store.ci.rows import CiRunRow
from mergecast.queues.store.ci.runs import delete_sums, touch_days
from mergecast.queues.store.ci.verify import ci_parts_of
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import delete_rows


def rebuilding_ci_checks(reader: Reader, repository_id: int) -> list[Callable[[HeldRepository], None]]:
    """What to do in transactions of their own, one after the other."""
    runs, days, _ = ci_parts_of(reader, repository_id)
    return [
        *(partial(_rebuild_runs, runs=part, of=repository_id) for part in runs),
        *(partial(_rebuild_days, days=part, of=repository_id) for part in days),
    ]


def _rebuild_runs(held: HeldRepository, runs: Sequence[int], of: int) -> None:
    """Write what follows from the reports of these runs, where it differs.

    A repository that was deleted and created again has another id, and other runs.
    """
    if held.state.id != of:
        return
    found = derive_ci_rows(held.rows, runs)
    changed = [one for one in found.runs if one.run != one.stored]
    executions = [pair for one in found.runs for pair in one.executions if pair[0] != pair[1]]
    if changed:
        delete_rows(held, CiRunRow, run=[one.stored.run for one in changed])
        held.insert(one.run for one in changed if one.run is not None)
    if executions:
        gone, ids = zip(*((stored.run, stored.check_id) for stored, _ in executions), strict=True)
        held.change_rows("delete_ci_checks", list(gone), list(ids))
        held.insert(derived for _, derived in executions)
        touch_days(held, {derived.placed_at // DAY for _, derived in executions})
    if changed or executions:
        held.save(replace(held.state, ci_version=held.state.ci_version + 1))


def _rebuild_days(held: HeldRepository, days: Sequence[int], of: int) -> None:
    """Drop the sums of these days; they are summed again once they have been quiet for a while."""
    if held.state.id == of:
        delete_sums(held, days)
        touch_days(held, days)
        held.save(replace(held.state, ci_version=held.state.ci_version + 1))
