"""Did past pull requests merge when they were expected to?"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mergecast.estimate.estimate import Estimate
from mergecast.estimate.tables import oracle_of
from mergecast.forecast.plan import Plan
from mergecast.forecast.present import ExpectedMerge, play_forward
from mergecast.history.inference import TrainRules
from mergecast.history.lines import Line
from mergecast.history.structure import Stay

_INSTANTS: Final = 24


class Eta(NamedTuple):
    """The shares of merged pull requests that merged before their p50 and before their p90.

    Ideal are 0.5 and 0.9; NaN without cases.
    """

    p50: float
    p90: float
    cases: int


def measure_eta(
    fitted: Sequence[Estimate], plans: Sequence[Plan], queues: frozenset[str], since: float
) -> Eta:
    """Compute expected merges at some instants after `since`; the estimates know nothing later."""
    cases = [
        case for one, plan in zip(fitted, plans, strict=True) for case in _cases(one, plan, queues, since)
    ]
    count = len(cases)
    before_p50, before_p90 = (sum(case[place] for case in cases) for place in range(2))
    if not count:
        return Eta(float("nan"), float("nan"), 0)
    return Eta(before_p50 / count, before_p90 / count, count)


def _cases(fitted: Estimate, plan: Plan, queues: frozenset[str], since: float) -> Iterator[tuple[bool, bool]]:
    """Whether each merged pull request merged before its p50 and its p90."""
    oracles = [oracle_of(fitted, replicate) for replicate in range(len(fitted.breakages))]
    stays = {stay.session_id: stay for stay in fitted.rules.line.history.stays}
    for at in _instants(fitted.rules, since):
        known = replace(fitted.rules, line=Line(fitted.rules.line.history.until(at)))
        for expected in play_forward(known, plan, oracles, fitted.overheads):
            stay = stays[expected.session_id]
            if stay.queue_name in queues and stay.is_merged and stay.left is not None:
                yield from _compared(expected, stay.left - at)


def _compared(expected: ExpectedMerge, took: float) -> Iterator[tuple[bool, bool]]:
    if expected.p50 is not None and expected.p90 is not None:
        yield took <= expected.p50, took <= expected.p90


def _instants(train: TrainRules, since: float) -> Iterator[float]:
    """Evenly chosen stays after `since`, each at another point of its time in the queue."""
    later: list[Stay] = [stay for stay in train.line.history.stays if stay.entered > since]
    step = max(1, len(later) // _INSTANTS)
    for turn, stay in enumerate(later[::step][:_INSTANTS]):
        if stay.left is not None:
            yield stay.entered + (stay.left - stay.entered) * (turn * 0.618 % 1)
