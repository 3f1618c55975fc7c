"""Whether past pull requests merged when they were expected to, and what corrects it where they did not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import exp, log
from statistics import quantiles
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.estimate import Estimate
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.answer import Eta
from mergecast.forecasting.forecast.chances import ChanceCase
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.present import ExpectedMerge, play_forward
from mergecast.forecasting.forecast.suspects import Suspicions, unsuspecting
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History, Stay
from mergecast.forecasting.history.train import Train

_NAN: Final = float("nan")
# Pull requests that are in a queue at the same time share their luck, so instants count and not cases.
_DOUBT: Final = 8.0  # instants' worth of belief that expected merges need no correction
_SOON: Final = 7 * DAY  # every day of the week: chances on weekends are not those of other days
_SHORTEST: Final = 1.0  # seconds
_LARGEST_FACTOR: Final = 4.0


class Calibration(NamedTuple):
    """Factors on the expected p50 and p90."""

    p50: float = 1.0
    p90: float = 1.0

    def corrected(self, expected: ExpectedMerge) -> ExpectedMerge:
        if expected.p50 is None or expected.p90 is None:
            return expected
        p50, p90 = self.p50 * expected.p50, self.p90 * expected.p90
        return replace(expected, p50=p50, p90=max(p50, p90))


class Case(NamedTuple):
    """One pull request: how long after an instant it merged, and what was expected then."""

    took: float
    p50: float
    p90: float


Instant = tuple[Case, ...]


class Expectations(NamedTuple):
    """What was expected at one instant, compared with what happened."""

    merges: Instant
    chances: tuple[ChanceCase, ...]


class Happened(NamedTuple):
    """What happened in these queues and others of the branch, and what verdicts would have said."""

    history: History
    queues: frozenset[str]
    suspicions: Suspicions = unsuspecting


def cases_of(fitted: Estimate, happened: Happened, count: int) -> Iterator[Expectations]:
    """Expected merges at some instants soon after the estimates were made."""
    train, history = fitted.rules, happened.history
    if history.queue_names != train.queue_names:
        history = history.of_queues(train.queue_names)
    oracles = [oracle_of(fitted, replicate) for replicate in range(len(fitted.breakages))]
    plan = Plan(train.policy, train.kind)
    stays = {stay.session_id: stay for stay in history.stays}
    for at in _chosen(history, fitted.known_until, count):
        known = replace(train, recorded=Train(history.until(at)))
        found = play_forward(known, plan, oracles, fitted.overheads, happened.suspicions(at))
        left = [
            (expected, stay) for expected in found if (stay := stays[expected.session_id]).left is not None
        ]
        counting = [(expected, stay) for expected, stay in left if stay.queue_name in happened.queues]
        yield Expectations(tuple(_merges(counting, at)), tuple(_chances(counting)))


def _merges(expected: Iterable[tuple[ExpectedMerge, Stay]], at: float) -> Iterator[Case]:
    for found, stay in expected:
        if stay.is_merged and stay.left is not None and found.p50 is not None and found.p90 is not None:
            yield Case(stay.left - at, found.p50, found.p90)


def _chances(expected: Iterable[tuple[ExpectedMerge, Stay]]) -> Iterator[ChanceCase]:
    for found, stay in expected:
        yield ChanceCase(found.chance, stay.is_merged, found.has_failed, found.has_returned)


def _chosen(history: History, since: float, count: int) -> Iterator[float]:
    """Evenly chosen stays of the next days, each at another point of its time in the queue."""
    later = [stay for stay in history.stays if stay.entered > since]
    soon = sum(stay.entered < since + _SOON for stay in later)
    entered = later[: max(soon, count)]
    step = max(1, len(entered) // count)
    for turn, stay in enumerate(entered[::step][:count]):
        if stay.left is not None:
            yield stay.entered + (stay.left - stay.entered) * (turn * 0.618 % 1)


def eta_of(instants: Sequence[Instant], correction: Calibration) -> Eta[float]:
    cases = list(chain.from_iterable(instants))
    if not cases:
        return Eta(_NAN, _NAN, 0)
    before_p50 = sum(case.took <= correction.p50 * case.p50 for case in cases)
    before_p90 = sum(case.took <= max(correction.p50 * case.p50, correction.p90 * case.p90) for case in cases)
    return Eta(before_p50 / len(cases), before_p90 / len(cases), len(cases))


def calibrated(instants: Sequence[Instant]) -> Calibration:
    """What makes half of these merge before their p50 and 90 % before their p90; less, if they are few."""
    cases = list(chain.from_iterable(instants))
    if len(cases) < 2:  # noqa: PLR2004 - a quantile needs two
        return Calibration()
    belief = len(instants) / (len(instants) + _DOUBT)
    p50 = _tenths([case.took / max(case.p50, _SHORTEST) for case in cases])[4]
    p90 = _tenths([case.took / max(case.p90, _SHORTEST) for case in cases])[8]
    return Calibration(_believed(p50, belief), _believed(p90, belief))


def _tenths(ratios: list[float]) -> list[float]:
    return quantiles(ratios, n=10, method="inclusive")


def _believed(factor: float, belief: float) -> float:
    bounded = min(max(factor, 1 / _LARGEST_FACTOR), _LARGEST_FACTOR)
    return exp(belief * log(bounded))
