"""Deletes reports about CI checks, and rewrites what followed from them."""

from dataclasses import replace
from typing import NamedTuple

from mergecast.queues.store.ci.runs import rewrite_runs, touch_days
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.values import Selection

_RUNS_AT_ONCE = 500


class Chosen(NamedTuple):
    """Which executions to delete; None does not restrict."""

    source: str | None = None
    start: int | None = None
    end: int | None = None
    placed_before: int | None = None


def delete_selected_checks(held: HeldRepository, selection: Selection) -> int:
    """Delete the executions whose counting report is selected; returns how many there were."""
    deleted = delete_chosen_checks(held, Chosen(*selection.parameters))
    if deleted:
        since = held.state.first_at if selection.start is None else selection.start
        held.save(held.state.to_judge(since, held.now))
    return deleted


def delete_chosen_checks(held: HeldRepository, chosen: Chosen) -> int:
    """Delete these executions, and what follows from them; returns how many there were."""
    if not held.state.ci_checks:
        return 0
    runs = [run for (run,) in held.rows("runs_of_selected_ci_checks", *chosen)]
    days = {day for (day,) in held.rows("days_of_selected_ci_checks", *chosen)}
    deleted = held.change_rows("delete_selected_ci_checks", *chosen)
    if not deleted:
        return 0
    for start in range(0, len(runs), _RUNS_AT_ONCE):
        rewrite_runs(held, runs[start : start + _RUNS_AT_ONCE])
        held.give_way()
    touch_days(held, days)
    state = held.state
    held.save(replace(state, ci_version=state.ci_version + 1, ci_checks=state.ci_checks - deleted))
    return deleted
