"""The mean time to merge, divided exactly: what pull requests wait for adds up to it by definition."""

from math import nan
from statistics import fmean

from mergecast.forecasting.explanation.answer import MeanExplained, MeanPart
from mergecast.forecasting.explanation.sides import Side
from mergecast.forecasting.explanation.wording import mean_sentence
from mergecast.forecasting.history.structure import Run, Stay
from mergecast.forecasting.history.train import Train
from mergecast.queues.model.figures import WAITS


def divided_mean(before: Side, after: Side) -> MeanExplained[float]:
    old, new = _means(before), _means(after)
    parts = tuple(
        MeanPart(wait, words, then, now, now - then)  # type: ignore[arg-type]
        for (wait, words), then, now in zip(WAITS.items(), old, new, strict=True)
    )
    total = sum(old), sum(new)
    return MeanExplained(*total, total[1] - total[0], parts, mean_sentence(total, parts))


def _means(side: Side) -> tuple[float, ...]:
    """What pull requests that merged in the period waited for on average: CI, capacity, schedule, freeze."""
    runs_of = Train(side.arriving).runs_of
    numbers = {stay.session_id: stay.number for stay in side.arriving.stays}
    found = [
        _waits(stay, runs_of.get(numbers[stay.session_id], []))
        for stay in side.merged
        if stay.entering_is_known
    ]
    if not found:
        return (nan,) * len(WAITS)
    return tuple(fmean(waits) for waits in zip(*found, strict=True))


def _waits(stay: Stay, runs: list[Run]) -> tuple[float, ...]:
    left = stay.left or stay.entered
    ci = _covered(runs, stay.entered, left)
    capacity = left - stay.entered - ci - stay.schedule_wait - stay.freeze_wait
    return ci, max(capacity, 0.0), stay.schedule_wait, stay.freeze_wait


def _covered(runs: list[Run], since: float, until: float) -> float:
    """How long at least one of these runs, which are in the order of their starts, was in progress."""
    found, reached = 0.0, since
    for run in runs:
        start, end = max(run.started, reached), min(until if run.ended is None else run.ended, until)
        if end > start:
            found += end - start
            reached = end
    return found
