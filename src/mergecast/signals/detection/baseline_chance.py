"""Whether chance explains that figures are worse than those of a baseline: one bootstrap for all three.

Blocks of hours are drawn with replacement, the recent one together with the same hours of the week in the
baseline, so that busy days and quiet weekends do not count as differences. The spread of the ratios among the
draws says how much they vary by chance alone.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log, sqrt
from random import Random
from statistics import fmean
from typing import NamedTuple

from mergecast.queues.model.baseline import Figures
from mergecast.signals.detection.baseline_figures import Sample

DRAWS = 200


class Caution(NamedTuple):
    """How many spreads are needed, and how small the spread of each figure is at least."""

    spreads: Sequence[float]
    least: Sequence[float] = (0.0, 0.0, 0.0)


def lowest_ratios(recent: Sample, baseline: Sample, blocks: int, caution: Caution, seed: int) -> Figures:
    """The lowest ratio of each figure that is plausible: so many spreads below the observed one."""
    observed = _log_ratios(recent, baseline, [1] * blocks)
    drawn = [_log_ratios(recent, baseline, chosen) for chosen in _draws(blocks, seed)]
    floors = [max(pair) for pair in zip(_least_spreads(recent, baseline), caution.least, strict=True)]
    return Figures._make(
        _lowest(value, [draw[place] for draw in drawn], floors[place], blocks, caution.spreads[place])
        for place, value in enumerate(observed)
    )


def _lowest(
    observed: float | None, drawn: Sequence[float | None], floor: float, blocks: int, spreads: float
) -> float | None:
    known = [value for value in drawn if value is not None]
    if observed is None or not known:
        return None
    # Draws from few blocks vary a little less than the blocks themselves.
    middle = fmean(known)
    spread = sqrt(fmean((value - middle) ** 2 for value in known) * blocks / (blocks - 1))
    return exp(observed - spreads * max(spread, floor))


def _log_ratios(recent: Sample, baseline: Sample, chosen: Sequence[int]) -> tuple[float | None, ...]:
    now, then = recent.totals(chosen), baseline.totals(chosen)
    return (
        _log_ratio(recent.slow(chosen), baseline.slow(chosen)),
        # Half a failure more: otherwise a week without any could be compared with nothing.
        _log_ratio((now.failures + 0.5) / (now.exits + 1), (then.failures + 0.5) / (then.exits + 1)),
        _log_ratio(now.ci_runs_per_merge, then.ci_runs_per_merge),
    )


def _log_ratio(now: float | None, then: float | None) -> float | None:
    return log(now / then) if now and then else None


def _least_spreads(recent: Sample, baseline: Sample) -> tuple[float, float, float]:
    """Failures vary at least as much as independent ones would, even if the blocks happen to agree."""
    now, then = recent.totals().failures, baseline.totals().failures
    return 0.0, sqrt(1 / max(now, 1) + 1 / max(then, 1)), 0.0


@lru_cache(maxsize=16)
def _draws(blocks: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """How often each block is drawn, in every draw."""
    random = Random(seed)  # noqa: S311 - a simulation
    return tuple(_draw(random, blocks) for _ in range(DRAWS))


def _draw(random: Random, blocks: int) -> tuple[int, ...]:
    times = [0] * blocks
    for _ in range(blocks):
        times[random.randrange(blocks)] += 1
    return tuple(times)
