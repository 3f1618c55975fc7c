"""How often pull requests are broken and runs flake in one queue, and in which checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mergecast.queues.model.instant import DAY
from mergecast.signals.verdict.counts import Totals, weights_of_days
from mergecast.signals.verdict.episodes import Cause, Episode, Term

_ALPHA, _BETA = 0.8, 20.0  # of both rates
_RETRY_ALPHA, _RETRY_BETA = 1.0, 3.0
_MOST_BROKEN, _MOST_FLAKES = 0.6, 0.5
_MOST_STEPS: Final = 30
_CLOSE: Final = 1e-3  # how little a step changes the rates when they are found
_PRIOR_OF_SHARES: Final = 10.0  # as many failures count as the distribution over all failures
_NAMES_OF_A_FAILURE: Final = 3

_Column = NDArray[np.float64]


@dataclass(slots=True)
class Rates:
    broken: float = _ALPHA / (_ALPHA + _BETA)
    flake: float = _ALPHA / (_ALPHA + _BETA)
    retry_flake: float = _RETRY_ALPHA / (_RETRY_ALPHA + _RETRY_BETA)
    broken_names: dict[str, float] = field(default_factory=dict)
    flake_names: dict[str, float] = field(default_factory=dict)
    failed_names: dict[str, float] = field(default_factory=dict)
    chance_failures: dict[str, float] = field(default_factory=dict)  # flakes of each check, old ones fully
    runs: int = 0

    @property
    def odds_broken(self) -> float:
        return self.broken / (1 - self.broken)

    def share_broken(self, names: Sequence[str]) -> float:
        """How probable it is that a breakage shows in these checks; 1 without names."""
        return self._share(self.broken_names, names)

    def share_flake(self, names: Sequence[str]) -> float:
        return self._share(self.flake_names, names)

    def _share(self, counts: Mapping[str, float], names: Sequence[str]) -> float:
        share, total, prior = 1.0, sum(counts.values()), _PRIOR_OF_SHARES
        for name in names[:_NAMES_OF_A_FAILURE]:
            share *= (counts.get(name, 0.0) + prior * self._overall(name)) / (total + prior)
        return share

    def _overall(self, name: str) -> float:
        failed = self.failed_names
        kinds = max(len(failed), 1) + 1
        return (failed.get(name, 0.0) + 1 / kinds) / (sum(failed.values()) + 1)


def learn(totals: Totals, episodes: Sequence[Episode], at: int) -> Rates:
    """The rates that explain what is certain and the episodes best. It starts from the prior each time."""
    rates = Rates(failed_names=totals.failed_names, runs=totals.runs)
    expected = _Expected(totals, episodes, at)
    for _ in range(_MOST_STEPS):
        before = rates.broken, rates.flake
        expected.improve(rates)
        if abs(rates.broken / before[0] - 1) + abs(rates.flake / before[1] - 1) < _CLOSE:
            break
    expected.share_out(rates)
    return rates


class _Expected:
    """Expectation and maximization over the terms of all episodes."""

    def __init__(self, totals: Totals, episodes: Sequence[Episode], at: int) -> None:
        self.totals, self.episodes = totals, episodes
        self.ages = weights_of_days(np.array([episode.at // DAY for episode in episodes]), at // DAY)
        lengths = [len(episode.terms) for episode in episodes]
        self.of = np.repeat(np.arange(len(episodes)), lengths)
        self.starts = np.cumsum([0, *lengths[:-1]]) if episodes else np.zeros(0, int)
        columns = [episode.columns for episode in episodes]
        self.columns = np.concatenate(columns, axis=1) if columns else np.zeros((len(Term._fields), 0))
        self.logs = np.log(self.columns[-1] + 1e-300)
        self.is_own = self.columns[-2] == Cause.OWN
        self.own = self.flakes = self.retry_flakes = np.zeros(len(episodes))

    def improve(self, rates: Rates) -> None:
        if self.episodes:
            self._expect(rates)
        totals, ages = self.totals, self.ages
        broken, flakes = float((self.own * ages).sum()), float((self.flakes * ages).sum())
        good = float(((1 - self.own) * ages).sum()) + totals.good
        flaked = flakes + totals.flakes
        rates.broken = min(_MOST_BROKEN, (_ALPHA + broken) / (_ALPHA + _BETA + broken + good))
        rates.flake = min(_MOST_FLAKES, (_ALPHA + flaked) / (_ALPHA + _BETA + flaked + totals.passed))
        retried = _RETRY_ALPHA + float((self.retry_flakes * ages).sum()) + totals.retries_flaked
        rates.retry_flake = max(rates.flake, retried / (retried + _RETRY_BETA + totals.retries_passed))

    def _expect(self, rates: Rates) -> None:
        broken, flakes, retry_flakes, new_flakes, new_retry_flakes = self.columns[:5]
        logs = self.logs + broken * log(rates.odds_broken) + flakes * log(rates.flake)
        logs += retry_flakes * log(rates.retry_flake)
        shares = np.exp(logs - np.maximum.reduceat(logs, self.starts)[self.of])
        shares /= self._sums(shares)[self.of]
        self.own = self._sums(shares * self.is_own)
        self.flakes = self._sums(shares * new_flakes)
        self.retry_flakes = self._sums(shares * new_retry_flakes)

    def _sums(self, column: _Column) -> _Column:
        return np.bincount(self.of, column, len(self.episodes)).astype(float, copy=False)

    def share_out(self, rates: Rates) -> None:
        """Count in which checks breakage and flakes showed."""
        rates.flake_names = dict(self.totals.flake_names)
        rates.chance_failures = dict(self.totals.certain_flakes)
        flaked = np.minimum(1.0, self.flakes)
        found = np.stack([self.own * self.ages, flaked * self.ages, flaked], axis=1)
        for episode, counts in zip(self.episodes, found.tolist(), strict=True):
            for name in episode.names:
                of_each = (rates.broken_names, rates.flake_names, rates.chance_failures)
                for names, count in zip(of_each, counts, strict=True):
                    names[name] = names.get(name, 0.0) + count / len(episode.names)
