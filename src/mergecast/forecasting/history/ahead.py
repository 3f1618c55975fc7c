"""For each run of a train, the stays that were ahead of its batch."""

from typing import Final

from mergecast.forecasting.history.seconds import in_seconds
from mergecast.forecasting.history.structure import History, Run
from mergecast.queues.model import batches_ahead
from mergecast.queues.model.batches_ahead import KEEPS_ITS_PLACE, Kind, QueueOrder, Step, Train, cause

LAG: Final = in_seconds(batches_ahead.LAG)


def stays_ahead(history: History) -> list[tuple[int, ...]]:
    """For each run of one train, the stays that were ahead of its batch when it started."""
    ahead: list[tuple[int, ...]] = [()] * len(history.runs)
    staying = frozenset(stay.number for stay in history.stays if stay.left is None)
    order = QueueOrder(Train(LAG, staying))
    for step in sorted(_steps(history), key=lambda step: step.order):
        for number, stays in order.take(step):
            ahead[number] = stays
    for number, stays in order.finish():
        ahead[number] = stays
    return ahead


def _steps(history: History) -> list[Step]:
    ends = sorted(run.ended for run in history.runs if run.ended is not None)
    steps = [_start(history, run) for run in history.runs if run.members]
    steps += [
        Step(run.ended, Kind.STOP, run.number, run.batch_id)
        for run in history.runs
        if run.ended is not None and not run.has_verdict and run.outcome not in KEEPS_ITS_PLACE
    ]
    steps += [
        Step(cause(ends, split.at, LAG), Kind.SPLIT, number, members=split.members)
        for number, split in enumerate(history.splits)
    ]
    steps += [
        Step(cause(ends, stay.left, LAG), Kind.EXIT, stay.number, is_merged=stay.is_merged)
        for stay in history.stays
        if stay.left is not None
    ]
    return steps


def _start(history: History, run: Run) -> Step:
    # Late reports can make a run end before it starts; it was under test for a moment nevertheless.
    at = run.started if run.ended is None else min(run.started, run.ended)
    first = history.stays[run.members[0]]
    return Step(
        at,
        Kind.START,
        run.number,
        run.batch_id,
        run.members,
        entered=first.entered,
        priority_rule_name=first.priority_rule_name,
    )
