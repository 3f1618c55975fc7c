"""How probable each cause of a removal is: every set of broken suspects, in a bad time or not, is weighed."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Final, NamedTuple

from mergecast.queues.model.instant import HOUR
from mergecast.queues.model.verdict import Probabilities
from mergecast.signals.verdict.bad_time import FAILS
from mergecast.signals.verdict.case import Case
from mergecast.signals.verdict.episodes import Cause, Term
from mergecast.signals.verdict.rates import Rates
from mergecast.signals.verdict.runs import Run
from mergecast.signals.verdict.stays import Stays

_ALL_SUBSETS_UP_TO: Final = 5  # suspects; of more, at most two are taken to be broken
_NEAR: Final = 3 * HOUR  # runs that a bad time has in common
_OTHER_NAMES: Final = 0.05  # a bad time fails other checks than before
_FAILS_AGAIN: Final = 0.9  # the same breakage shows in the same checks
_BROKEN_PASSES: Final = 1e-4
_BROKEN_PASSES_RETRY: Final = 0.02
_FAILED_BEFORE: Final = 2.0
_UNLIKELY: Final = 1e-6
_MOST_TERMS: Final = 48


class Posterior(NamedTuple):
    probabilities: Probabilities
    bad_time: float  # that the removal was in a bad time
    suspicion: tuple[float, ...]  # how probable it is that each suspect is broken
    terms: list[Term]


class _Failure(NamedTuple):
    """A failed run: which suspects it tested, as bits, and the factors of its explanations."""

    tree: int
    names: tuple[str, ...]
    if_broken: float
    if_bad_time: float | None
    if_flake: float
    is_retry: bool
    is_new: bool


class _Way(NamedTuple):
    """One way in which it can have come about."""

    broken: int  # the broken suspects, as bits
    is_bad_time: bool
    flakes: int
    retry_flakes: int
    new_flakes: int
    new_retry_flakes: int
    weight: float


class Prior(NamedTuple):
    """What is assumed before the runs of the case are looked at."""

    bad_time: float
    has_failed_before: bool
    counted: AbstractSet[int]  # failed runs that earlier episodes counted


def posterior(case: Case, stays: Stays, rates: Rates, prior: Prior) -> Posterior | None:
    """None if nothing explains what happened."""
    weighing = _Weighing(case, stays, rates, prior)
    ways = [(way, weighing.cause(way), weighing.probability(way)) for way in weighing.ways()]
    total = sum(weight for _, _, weight in ways)
    if total <= 0:
        return None
    causes, suspicion, bad_time = [0.0] * len(Cause), [0.0] * len(case.suspects), 0.0
    for way, cause, weight in ways:
        causes[cause] += weight / total
        bad_time += way.is_bad_time * weight / total
        for place in range(len(suspicion)):
            suspicion[place] += (way.broken >> place & 1) * weight / total
    return Posterior(Probabilities(*causes), bad_time, tuple(suspicion), weighing.terms(ways))


def broken_sets(case: Case, stays: Stays, rates: Rates, prior: Prior) -> dict[int, float]:
    """How probable it is that exactly these suspects are broken, given as bits; empty as above."""
    weighing, found = _Weighing(case, stays, rates, prior), dict[int, float]()
    for way in weighing.ways():
        found[way.broken] = found.get(way.broken, 0.0) + weighing.probability(way)
    total = sum(found.values())
    return {broken: weight / total for broken, weight in found.items() if weight > 0}


class _Weighing:
    def __init__(self, case: Case, stays: Stays, rates: Rates, prior: Prior) -> None:
        self.case, self.stays, self.rates, self.prior = case, stays, rates, prior
        self.bits = {change: 1 << place for place, change in enumerate(case.suspects)}
        self.last = self._tree(case.last)
        self.failures = [self._failure(run) for run in case.failed]
        self.passes = [
            (self._tree(run), _BROKEN_PASSES_RETRY if run.is_retry else _BROKEN_PASSES) for run in case.passed
        ]

    def _tree(self, run: Run) -> int:
        return sum(self.bits.get(change, 0) for change in self.stays.changes(run.tree))

    def _failure(self, run: Run) -> _Failure:
        rates, last = self.rates, self.case.last
        is_near = abs(self.case.at - run.ended_at) < _NEAR
        is_other = bool(run.names and last.names) and set(run.names).isdisjoint(last.names)
        return _Failure(
            self._tree(run) if run.is_evidence else 0,
            run.names,
            rates.share_broken(run.kinds) * (1 - _BROKEN_PASSES_RETRY if run.is_retry else 1),
            (FAILS * (_OTHER_NAMES if is_other else 1)) if is_near else None,
            rates.share_flake(run.kinds),
            run.is_retry,
            run.number not in self.prior.counted,
        )

    def ways(self) -> Iterator[_Way]:
        bad_time = self.prior.bad_time
        times = ((False, 1 - bad_time), (True, bad_time)) if bad_time > _UNLIKELY else ((False, 1.0),)
        for is_bad_time, weight in times:
            for broken in _subsets(list(self.bits.values())):
                yield self._way(broken, weight, is_bad_time=is_bad_time)

    def _way(self, broken: int, weight: float, *, is_bad_time: bool) -> _Way:
        if broken & 1 and self.prior.has_failed_before:
            weight *= _FAILED_BEFORE
        flakes = retry_flakes = new_flakes = new_retry_flakes = 0
        shown = set[tuple[int, tuple[str, ...]]]()
        for failure in self.failures:
            if at_fault := broken & failure.tree:
                weight *= _FAILS_AGAIN if (at_fault, failure.names) in shown else failure.if_broken
                shown.add((at_fault, failure.names))
            elif is_bad_time and failure.if_bad_time is not None:
                weight *= failure.if_bad_time
            else:
                weight *= failure.if_flake
                flakes += not failure.is_retry
                retry_flakes += failure.is_retry
                new_flakes += failure.is_new and not failure.is_retry
                new_retry_flakes += failure.is_new and failure.is_retry
        for tree, passes in self.passes:
            if broken & tree:
                weight *= passes
        return _Way(broken, is_bad_time, flakes, retry_flakes, new_flakes, new_retry_flakes, weight)

    def cause(self, way: _Way) -> Cause:
        if way.broken & 1:
            return Cause.OWN
        if way.broken & self.last:
            return Cause.OTHER
        return Cause.EVERYBODY if way.is_bad_time else Cause.FLAKE

    def probability(self, way: _Way) -> float:
        rates = self.rates
        odds = rates.odds_broken ** way.broken.bit_count()
        return float(way.weight * odds * rates.flake**way.flakes * rates.retry_flake**way.retry_flakes)

    def terms(self, ways: Sequence[tuple[_Way, Cause, float]]) -> list[Term]:
        """The ways with the same factors together; only those that matter now."""
        weights: dict[tuple[int, int, int, int, int, Cause], tuple[float, float]] = {}
        for way, cause, probability in ways:
            flakes = way.flakes, way.retry_flakes, way.new_flakes, way.new_retry_flakes
            key = (way.broken.bit_count(), *flakes, cause)
            weight, total = weights.get(key, (0.0, 0.0))
            weights[key] = weight + way.weight, total + probability
        kept = sorted(weights.items(), key=lambda item: -item[1][1])[:_MOST_TERMS]
        return [Term(*key, weight) for key, (weight, _) in kept if weight > 0]


def _subsets(bits: list[int]) -> Iterator[int]:
    largest = len(bits) if len(bits) <= _ALL_SUBSETS_UP_TO else 2
    for size in range(largest + 1):
        for chosen in combinations(bits, size):
            yield sum(chosen)
