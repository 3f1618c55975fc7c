"""Samples how often pull requests are broken and runs flake, and which pull requests were broken.

The model: a pull request is broken with chance `broken`. A run whose tree has a broken one fails; a retry
passes by luck with chance `lucky`. Any other run fails with chance `flake`, a retry with chance
`flake_again`. Rates and explanations are sampled in turn, so that what the history leaves open varies.
"""

from dataclasses import dataclass
from math import log, log1p
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.evidence import Evidence
from mergecast.forecasting.estimate.run_table import Ending, RunTable
from mergecast.forecasting.estimate.survival import Numbers

_Rows = np.ndarray[tuple[int], np.dtype[np.int64]]

_STEPS: Final = 12
# Prior Beta distributions, each worth a few observations.
_BROKEN_PRIOR: Final = (0.6, 20.0)
_FLAKE_PRIOR: Final = (0.6, 20.0)
_AGAIN_PRIOR: Final = (1.0, 4.0)
_LUCKY_PRIOR: Final = (0.5, 50.0)


class Rates(NamedTuple):
    """Chances that hold for the whole history."""

    broken: float
    flake: float
    flake_again: float
    lucky: float


@dataclass(frozen=True)
class Breakage:
    """One sample: the rates, and the numbers of the broken stays."""

    rates: Rates
    broken: frozenset[int]


def draw_breakage(
    table: RunTable, evidence: Evidence, lasting: Numbers, count: int, chance: np.random.Generator
) -> list[Breakage]:
    """`lasting` is the likelihood ratio, failing to passing, of each run's length."""
    sampler = _Sampler(table, Explanations(table, evidence), lasting, chance)
    return [sampler.drawn() for _ in range(count)]


class Explanations:
    """Every explanation of what the runs showed. One for each group is drawn, given the rates."""

    def __init__(self, table: RunTable, evidence: Evidence) -> None:
        self.evidence = evidence
        self.counts = _counts(evidence)
        self._weights = self.counts.astype(np.float64)
        self.stopped_is_retry = table.attempts[evidence.stopped_runs] > 1

    def broken(self, lasting: Numbers, rates: Rates, chance: np.random.Generator) -> frozenset[int]:
        """Which stays are broken if these are the rates."""
        # Sampled rates would begin with these numbers: the same seed gives the same draw as before.
        _start(0.0, chance)
        return self.guilty(self.draw_rows(lasting, rates, chance), rates, chance)

    def guilty(self, rows: _Rows, rates: Rates, chance: np.random.Generator) -> frozenset[int]:
        """The stays that are broken by the drawn explanations, or of which nothing is known."""
        guilty = {stay for row in rows for stay in self.evidence.broken[row]}
        unknown = self.evidence.unknown
        guilty |= set(unknown[chance.random(len(unknown)) < rates.broken].tolist())
        return frozenset(guilty)

    def draw_rows(self, lasting: Numbers, rates: Rates, chance: np.random.Generator) -> _Rows:
        """One explanation for each group: the highest log weight with Gumbel noise."""
        found = self.evidence
        logs = self._weights @ (
            log(rates.broken),
            log1p(-rates.broken),
            log(rates.flake),
            log(rates.flake_again),
            log1p(-rates.lucky),
            log1p(-rates.flake_again),
            log(rates.lucky),
        )
        if len(found.stopped_rows):
            stopped = self._stopped_logs(lasting, rates)
            logs = logs + np.bincount(found.stopped_rows, stopped, minlength=len(logs))
        if not len(logs):
            return np.zeros(0, dtype=np.int64)
        noisy = logs + chance.gumbel(size=len(logs))
        best = np.maximum.reduceat(noisy, found.group_starts)
        return np.flatnonzero(noisy == best[found.group_of])

    def _stopped_logs(self, lasting: Numbers, rates: Rates) -> Numbers:
        """The log likelihood ratio of each stopped run on a good tree and on a broken one."""
        flakes = np.where(self.stopped_is_retry, rates.flake_again, rates.flake)
        likely = np.maximum(lasting[self.evidence.stopped_runs], 1e-6)
        return np.log((1 - flakes) / likely + flakes)


class _Sampler:
    """Gibbs sampling: rates given explanations, explanations given rates."""

    def __init__(
        self, table: RunTable, explanations: Explanations, lasting: Numbers, chance: np.random.Generator
    ) -> None:
        self._explanations = explanations
        self._chance = chance
        self._lasting = lasting
        evidence, is_retry = explanations.evidence, table.attempts > 1
        endings, sure = table.endings[evidence.sure], evidence.sure
        first = table.attempts[sure] == 1
        self._first = (
            int(np.sum(first & (endings == Ending.FAILED))),
            int(np.sum(first & (endings == Ending.PASSED))),
        )
        self._retry = (
            int(np.sum(~first & (endings == Ending.FAILED))),
            int(np.sum(~first & (endings == Ending.PASSED))),
        )
        # Passing first attempts prove their tree good, so all of them are certain.
        stopped = endings == Ending.STOPPED
        self._sure_stopped = sure[stopped & first]
        is_first = ~explanations.stopped_is_retry
        self._stopped_first = evidence.stopped_runs[is_first]
        self._stopped_first_rows = evidence.stopped_rows[is_first]
        self._failed_first = float(np.mean(table.endings[~is_retry] == Ending.FAILED)) if len(sure) else 0.05
        self.rates = _start(self._failed_first, chance)
        self.rows: _Rows = np.zeros(0, dtype=np.int64)

    def drawn(self) -> Breakage:
        self.rates = _start(self._failed_first, self._chance)
        for _ in range(_STEPS):
            self.step()
        return Breakage(self.rates, self._explanations.guilty(self.rows, self.rates, self._chance))

    def step(self) -> None:
        self.rows = self._explanations.draw_rows(self._lasting, self.rates, self._chance)
        self.rates = self._draw_rates()

    def _draw_rates(self) -> Rates:
        counts, proven = self._explanations.counts, self._explanations.evidence.proven
        broken, good, first_failed, retry_failed, unlucky, retry_passed, lucky = (
            counts[self.rows].sum(axis=0).tolist()
        )
        flaked, not_flaked = self._first
        again, not_again = self._retry
        chosen = np.zeros(len(counts), dtype=np.bool_)
        chosen[self.rows] = True
        stopped = np.concatenate((self._stopped_first[chosen[self._stopped_first_rows]], self._sure_stopped))
        would_fail = self._would_fail(stopped)
        return Rates(
            broken=self._beta(_BROKEN_PRIOR, broken, good + len(proven)),
            flake=self._beta(
                _FLAKE_PRIOR, flaked + first_failed + would_fail, not_flaked + len(stopped) - would_fail
            ),
            flake_again=self._beta(_AGAIN_PRIOR, again + retry_failed, not_again + retry_passed),
            lucky=self._beta(_LUCKY_PRIOR, lucky, unlucky),
        )

    def _would_fail(self, stopped: _Rows) -> int:
        """How many of the stopped runs on good trees would have failed."""
        odds = self.rates.flake * self._lasting[stopped]
        share = odds / (odds + 1 - self.rates.flake)
        return int(np.sum(self._chance.random(len(stopped)) < share))

    def _beta(self, prior: tuple[float, float], hits: float, misses: float) -> float:
        drawn = float(self._chance.beta(prior[0] + hits, prior[1] + misses))
        return min(max(drawn, 1e-6), 1 - 1e-6)


def _start(failed_first: float, chance: np.random.Generator) -> Rates:
    """A starting point for each sample, far from the others.

    What the history determines is found within a few steps. What it does not, such as whether a flake
    came twice or a pull request is broken, would take thousands, and so stays as varied as it is here.
    """
    failed, share = min(max(failed_first, 0.002), 0.5), float(chance.uniform(0.15, 0.85))
    again = float(chance.beta(1.5, 5.0))
    return Rates(failed * (1 - share), failed * share, again, 0.01)


def _counts(evidence: Evidence) -> NDArray[np.int64]:
    """For each explanation, how often each of the events happened whose chances `draw_rows` uses."""
    broken = np.array([len(row) for row in evidence.broken], dtype=np.int64)
    return np.column_stack(
        (
            broken,
            evidence.sizes - broken,
            evidence.first_failed_good,
            evidence.retry_failed_good,
            evidence.retry_failed_broken,
            evidence.retry_passed_good,
            evidence.retry_passed_broken,
        )
    )
