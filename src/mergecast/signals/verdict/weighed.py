"""A removal whose causes were weighed: the chances that follow, and what to do."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from mergecast.queues.model.instant import HOUR
from mergecast.queues.model.verdict import FIX, LOOK, QUEUE_AGAIN, WAIT, Suspicion
from mergecast.signals.verdict.bad_time import FAILS, LOOKS_BACK, BadTime, Window, worst
from mergecast.signals.verdict.calibration import Chance
from mergecast.signals.verdict.case import MOST_SUSPECTS, Case, Scene
from mergecast.signals.verdict.posterior import Posterior, Prior, broken_sets, posterior
from mergecast.signals.verdict.rates import Rates
from mergecast.signals.verdict.runs import Run

_MOST_BAD_TIME: Final = 0.98
_FEWEST_RUNS: Final = 30
_MOST_RETURNS: Final = 2
_BAD, _PASSES, _SURE, _STANDS_OUT = 0.5, 0.7, 0.9, 0.5


class Weighed(NamedTuple):
    case: Case
    posterior: Posterior
    rates: Rates
    others: tuple[Run, ...]  # runs without any suspect, of the day before and since
    waits_for: str | None  # the check that fails for everybody
    bad_now: float  # that the bad time lasts

    @property
    def passes_later(self) -> float:
        return (1 - self.posterior.probabilities.own) * (1 - self.rates.flake)

    @property
    def passes_now(self) -> float:
        return self.passes_later * (1 - FAILS * self.bad_now)

    @property
    def chance(self) -> Chance:
        """What is calibrated."""
        at = self.case.at
        failures = sum(not run.has_passed and at - HOUR <= run.ended_at <= at for run in self.others)
        return Chance(self.passes_now, failures)

    @property
    def failed_for_others(self) -> list[Run]:
        """Runs of others in which the same check ended so, or in which any did without names."""
        kinds = self.case.last.kinds
        return [
            run
            for run in self.others
            if not run.has_passed and not (kinds and set(kinds).isdisjoint(run.kinds))
        ]

    @property
    def is_alone(self) -> bool:
        """Whether it failed once, without others."""
        return len(self.case.own_failures) == 1 and len(self.case.last.tree) == 1

    @property
    def lacks_names(self) -> bool:
        return not self.case.last.names

    @property
    def has_few_runs(self) -> bool:
        return self.lacks_names and self.rates.runs < _FEWEST_RUNS

    @property
    def has_many_suspects(self) -> bool:
        return self.case.suspected > MOST_SUSPECTS and max(self.posterior.suspicion) <= _STANDS_OUT

    @property
    def is_too_little(self) -> bool:
        """Whether it rests on too little to say anything."""
        return self.has_few_runs or (self.is_alone and self.lacks_names) or self.has_many_suspects

    @property
    def is_sure(self) -> bool:
        return max(self.posterior.probabilities) >= _SURE

    def act(self, unchanged_returns: int) -> str:
        own = self.posterior.probabilities.own
        if self.is_too_little:
            return LOOK
        if self.bad_now >= _BAD and own < _BAD:
            return WAIT
        if self.passes_now >= _PASSES and unchanged_returns < _MOST_RETURNS:
            return QUEUE_AGAIN
        return FIX if own >= _SURE else LOOK


class Weigher(NamedTuple):
    """Weighs removals in a scene."""

    scene: Scene
    rates: Rates
    counted: AbstractSet[int]
    now: int  # whether the bad time lasts is asked for this instant

    def weigh(self, stay: int) -> Weighed | None:
        """None if no run explains the removal."""
        scene, rates = self.scene, self.rates
        case = scene.case(stay)
        if case is None:
            return None
        others = scene._replace(until=self.now).others(case.stays, case.at - LOOKS_BACK)
        before = [run for run in others if run.ended_at <= case.at]
        prior, name = self._prior(case, before)
        found = posterior(case, scene.stays, rates, prior)
        if found is None:
            return None
        since = Window(others[len(before) :], max(self.now, case.at))
        bad_now = BadTime(rates, scene.stays, name).later(since, found.bad_time, case.at)
        return Weighed(case, found, rates, tuple(others), name, bad_now)

    def suspicion(self, stay: int) -> Suspicion | None:
        """About one that is still in the queue; None if none of its runs failed."""
        case, stays = self.scene.case(stay), self.scene.stays
        if case is None:
            return None
        prior, _ = self._prior(case, self.scene.others(case.stays, case.at - LOOKS_BACK))
        found = broken_sets(case, stays, self.rates, prior)
        suspects = tuple(stays.session(stays.of_change(change)[-1]) for change in case.suspects)
        return Suspicion(suspects, tuple(found), tuple(found.values())) if found else None

    def _prior(self, case: Case, others: Sequence[Run]) -> tuple[Prior, str | None]:
        """Also the check that may fail for everybody."""
        bad_time, name = worst(self.rates, self.scene.stays, case.last.names, Window(others, case.at))
        has_failed_before = self._has_failed_before(case.stay)
        return Prior(min(_MOST_BAD_TIME, bad_time), has_failed_before, self.counted), name

    def _has_failed_before(self, stay: int) -> bool:
        """Since its pull request merged last."""
        failed = False
        for earlier in self.scene.stays.earlier(stay):
            failed = not earlier.is_merged and (failed or earlier.has_failed)
        return failed
