"""The figures that a forecast compares, from a recorded history or replays, and their ranges."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isfinite, log, sqrt
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.overheads import Overheads
from mergecast.forecasting.estimate.survival import Flags, Numbers, survival
from mergecast.forecasting.forecast.answer import Figures, Ranged
from mergecast.forecasting.history.seconds import DAY, MICROSECONDS
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.codes import CONFLICT_WITH_BASE, FAILED, NEVER, REASONS, RETRIED, VOUCHED
from mergecast.forecasting.replay.record import Record

FiguresFound = Figures[float]
Range = Ranged[float]
RangesFound = Figures[Range]

_BY_CHECKS: Final = REASONS[FAILED:CONFLICT_WITH_BASE]


class _Sample(NamedTuple):
    """Stays and runs of a window. A stay that was open at the end has its time so far."""

    times: Numbers
    is_merged: Flags  # the others were still open
    merged: int
    left: int
    removed: int
    runs: int
    ci_seconds: float


def recorded_figures(
    history: History, queues: Sequence[str], since: float = 0.0, until: float | None = None
) -> FiguresFound:
    """What the record itself shows for these queues between two instants.

    Merges a day count the days that were recorded, which may be fewer than there are between the instants.
    """
    end = history.length if until is None else until
    kept = frozenset(queues)
    stays = [stay for stay in history.stays if stay.queue_name in kept]
    entered = [stay for stay in stays if stay.entering_is_known and since <= stay.entered < end]
    scored = [stay for stay in entered if stay.is_merged or stay.left is None or stay.left >= end]
    left = [stay for stay in stays if stay.left is not None and since <= stay.left < end]
    runs = [
        (run.started, run.ended)
        for run in history.runs
        if run.ended is not None and since <= run.ended < end and run.queue_name in kept
    ]
    sample = _Sample(
        times=np.array([(end if s.left is None else min(s.left, end)) - s.entered for s in scored]),
        is_merged=np.array([s.left is not None and s.left < end for s in scored], dtype=np.bool_),
        merged=sum(stay.is_merged for stay in left),
        left=len(left),
        removed=sum(stay.reason in _BY_CHECKS for stay in left),
        runs=len(runs),
        ci_seconds=sum(max(0.0, end - start) for start, end in runs),
    )
    first, last = history.recorded_span
    return _figures([sample], min(end, last) - max(since, first))


@dataclass(frozen=True)
class Played:
    """One replay of one train."""

    record: Record
    rules: Sequence[int]  # the queue rules to report
    rule_of_pull: Sequence[int]
    overheads: Overheads


def replayed_figures(
    played: Sequence[Played],
    length: float,
    since: float = 0.0,
    *,
    recorded: float | None = None,
    censored: bool = False,
) -> FiguresFound:
    """The same figures from replays, for stays that entered from `since` on, over all trains together.

    `recorded` is how much of this time was recorded, in seconds; all of it by default.

    A replay continues after the window until the queue is empty. To compare with a record, which does not,
    stays that are open at the end of the window count as `censored`.
    """
    samples = [_sample(train, length, since, censored=censored) for train in played]
    return _figures(samples, length - since if recorded is None else recorded)


def _sample(played: Played, length: float, since: float, *, censored: bool) -> _Sample:
    stays, runs = played.record.stays, played.record.runs
    rule = np.asarray(played.rule_of_pull, dtype=np.int64)[column(stays.pull)]
    kept = np.isin(rule, played.rules)
    entered = column(stays.entered_at) / MICROSECONDS
    delays = played.overheads.end + played.overheads.next_end * np.maximum(column(stays.place), 0)
    raw, reasons = column(stays.left_at), column(stays.reason)
    merged = (reasons <= VOUCHED) & (raw != NEVER)
    left = np.where(raw == NEVER, np.inf, raw / MICROSECONDS + np.where(merged, delays, 0.0))
    is_open = left >= (length if censored else np.inf)
    scored = kept & (entered >= since) & (entered < length) & (merged | is_open)
    gone = kept & (left >= since) & (left < length)
    by_checks = (reasons >= FAILED) & (reasons < CONFLICT_WITH_BASE)
    starts, ends = column(runs.started_at) / MICROSECONDS, column(runs.ended_at) / MICROSECONDS
    run_rule = column(played.record.batches.rule)[column(runs.batch)]
    # A run that is stopped before its checks begin is never reported.
    began = (starts < ends) | (column(runs.outcome) <= RETRIED)
    ended = np.isin(run_rule, played.rules) & (ends >= since) & (ends < length) & began
    return _Sample(
        times=np.minimum(left, length if censored else np.inf)[scored] - entered[scored],
        is_merged=~is_open[scored],
        merged=int(np.sum(gone & merged)),
        left=int(np.sum(gone)),
        removed=int(np.sum(gone & by_checks)),
        runs=int(np.sum(ended)),
        ci_seconds=float(np.sum((ends - starts)[ended])),
    )


def column(column: Sequence[int]) -> NDArray[np.int64]:
    return np.fromiter(column, dtype=np.int64, count=len(column))


def _figures(samples: Sequence[_Sample], recorded: float) -> FiguresFound:
    """`recorded` is the time in which merges were recorded, in seconds."""
    times = np.concatenate([sample.times for sample in samples])
    is_merged = np.concatenate([sample.is_merged for sample in samples])
    merged = sum(sample.merged for sample in samples)
    left = sum(sample.left for sample in samples)
    per_merge = 1 / merged if merged else float("nan")
    p50, p90, p95 = quantiles(times, is_merged)
    return Figures(
        *(p50, p90, p95),
        ci_runs_per_merge=sum(sample.runs for sample in samples) * per_merge,
        ci_seconds_per_merge=sum(sample.ci_seconds for sample in samples) * per_merge,
        merged_per_day=merged * DAY / recorded if recorded > 0 else float("nan"),
        removed_by_checks=sum(sample.removed for sample in samples) / left if left else float("nan"),
    )


def quantiles(times: Numbers, is_merged: Flags) -> tuple[float, float, float]:
    """p50, p90 and p95; open stays count as if they merged some time later."""
    if not is_merged.any():
        return float("nan"), float("nan"), float("nan")
    if is_merged.all():
        p50, p90, p95 = np.percentile(times, (50, 90, 95))
        return float(p50), float(p90), float(p95)
    curve = survival(times, is_merged)
    found = np.minimum(curve.at(np.array([0.5, 0.9, 0.95])), times.max())
    return float(found[0]), float(found[1]), float(found[2])


def busier_than(record: Record, most: int, length: float) -> float:
    """The share of time with more concurrent runs than this."""
    starts, ends = column(record.runs.started_at), column(record.runs.ended_at)
    complete = ends != NEVER
    instants = np.concatenate((starts[complete], ends[complete]))
    order = np.argsort(instants, kind="stable")
    steps = np.concatenate((np.ones(int(complete.sum())), -np.ones(int(complete.sum()))))[order]
    running = np.cumsum(steps)[:-1]
    return float(np.sum(np.diff(instants[order])[running > most])) / MICROSECONDS / length if length else 0.0


def larger_than(record: Record, most: int) -> float:
    """The share of runs with a larger batch than this."""
    sizes = column(record.batches.size)[column(record.runs.batch)]
    return float(np.mean(sizes > most)) if len(sizes) else 0.0


def waiting_at(played: Played, instant: float) -> int:
    """How many of the reported pull requests are in a queue then."""
    stays, at = played.record.stays, instant * MICROSECONDS
    left = column(stays.left_at)
    is_there = (column(stays.entered_at) < at) & ((left == NEVER) | (left >= at))
    rule = np.asarray(played.rule_of_pull, dtype=np.int64)[column(stays.pull)]
    return int(np.sum(is_there & np.isin(rule, played.rules)))


# What remains uncertain however many replicates there are, as a share of the value.
_FLOORS: Final = Figures(0.01, 0.02, 0.02, 0.01, 0.01, 0.01, 0.01)
_LEAST: Final = 1e-9
# The 95th percentile of Student's distribution, by degrees of freedom.
_STUDENT: Final = {
    1: 6.314,
    2: 2.920,
    3: 2.353,
    4: 2.132,
    5: 2.015,
    7: 1.895,
    9: 1.833,
    14: 1.761,
    19: 1.729,
    29: 1.699,
    99: 1.660,
}


def ranged(replicates: Sequence[FiguresFound]) -> RangesFound:
    """Each figure over all replicates, by the mean of logarithms."""
    return Figures(
        *(
            range_of([getattr(figures, name) for figures in replicates], getattr(_FLOORS, name))
            for name in Figures.__struct_fields__
        )
    )


def paired(baseline: Sequence[FiguresFound], candidate: Sequence[FiguresFound]) -> RangesFound:
    """The relative difference of each figure, replicate by replicate: 0.1 is 10 % more than the baseline."""
    found = []
    for name in Figures.__struct_fields__:
        ratios = [
            getattr(after, name) / max(getattr(before, name), _LEAST)
            for before, after in zip(baseline, candidate, strict=True)
        ]
        ratio = range_of(ratios)
        found.append(Ranged(ratio.value - 1, ratio.low - 1, ratio.high - 1))
    return Figures(*found)


def range_of(values: Sequence[float], floor: float = 0.0) -> Range:
    """The mean of the middle half, with the interval that holds 90 % of what values like these come from.

    Where replicates assume different things, a few of them are far off to one side: the interval reaches
    further there, and the value stays with the majority.
    """
    logs = sorted(log(max(value, _LEAST)) for value in values if isfinite(value))
    if not logs:
        return Ranged(float("nan"), float("nan"), float("nan"))
    middle = fmean(logs[len(logs) // 4 : len(logs) - len(logs) // 4])
    below = _reach([value - middle for value in logs], floor)
    above = _reach([middle - value for value in logs], floor)
    return Ranged(exp(middle), exp(middle - below), exp(middle + above))


def _reach(deviations: Sequence[float], floor: float) -> float:
    """How far the interval reaches to the side of the negative deviations."""
    count = len(deviations)
    both = sum(deviation**2 for deviation in deviations) / max(1, count - 1)
    one = 2 * sum(deviation**2 for deviation in deviations if deviation < 0) / max(1, count - 1)
    # Few replicates determine the spread of one side poorly, so that a small one is not believed.
    spread = max(one, (one + both) / 2)
    return student(count - 1) * sqrt(spread * (1 + 1 / count) + floor**2)


def student(freedom: int) -> float:
    return next((value for least, value in reversed(_STUDENT.items()) if freedom >= least), 6.314)
