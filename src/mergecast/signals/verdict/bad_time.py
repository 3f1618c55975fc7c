"""Bad times, in which nearly every run fails: how probable one is, from the runs of others."""

from collections.abc import Iterable, Sequence
from math import exp
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY, HOUR
from mergecast.signals.verdict.rates import Rates
from mergecast.signals.verdict.runs import Run
from mergecast.signals.verdict.stays import Stays

FAILS: Final = 0.92  # how often a run fails in a bad time
LOOKS_BACK: Final = DAY
_ONSETS: Final = 1 / 720  # per hour
_LASTS: Final = 3.0  # hours on average
_FEWEST_NAMES: Final = 4
_MOST_NAMES: Final = 5  # of one failure; each takes a pass over all runs of a day
_LEAST, _MOST = 1e-3, 0.9  # how often a run fails otherwise


class Window(NamedTuple):
    """Runs of others in the order of their ends, and the instant at which the probability is asked for."""

    runs: Sequence[Run]
    at: int


class BadTime:
    """The filter of one check, or of all runs if names are not known."""

    def __init__(self, rates: Rates, stays: Stays, name: str | None) -> None:
        self._stays, self._name = stays, name
        names = max(_FEWEST_NAMES, len(rates.failed_names)) if name else 1
        self._onsets = _ONSETS / names
        self._broken = rates.broken * (rates.share_broken([name]) if name else 1)
        self._flake = rates.flake * (rates.share_flake([name]) if name else 1)

    def probability(self, window: Window) -> float:
        """At the end of the window, beginning from what is usual."""
        return self.later(window, self._onsets * _LASTS, None)

    def later(self, window: Window, probability: float, since: int | None) -> float:
        """At the end of the window, if it was as probable as given at an instant before."""
        last, seen = since, set[int]()
        for run in window.runs:
            if self._name and not run.has_passed and not run.names:
                continue  # it does not say whether this check failed
            if last is not None:
                probability = self._after(probability, run.ended_at - last)
            last = run.ended_at
            if self._has_failed(run):
                tree = self._stays.changes(run.tree)
                if seen.isdisjoint(tree):
                    probability = _updated(probability, FAILS, self._usual(run))
                    seen.update(tree)
            else:
                probability = _updated(probability, 1 - FAILS, 1 - self._usual(run))
        return probability if last is None else self._after(probability, window.at - last)

    def _after(self, probability: float, passed: int) -> float:
        hours = passed / HOUR
        return probability * exp(-hours / _LASTS) + (1 - probability) * (1 - exp(-hours * self._onsets))

    def _has_failed(self, run: Run) -> bool:
        return not run.has_passed and (self._name is None or self._name in run.names)

    def _usual(self, run: Run) -> float:
        """How often such a run fails if the time is not bad."""
        fails = 1 - (1 - self._broken) ** len(run.tree) * (1 - self._flake)
        return min(max(fails, _LEAST), _MOST)


def _updated(probability: float, if_bad: float, if_not: float) -> float:
    bad = probability * if_bad
    return bad / (bad + (1 - probability) * if_not)


def worst(rates: Rates, stays: Stays, names: Sequence[str], window: Window) -> tuple[float, str | None]:
    """The highest probability among the checks that failed, and that check."""
    keys: Iterable[str | None] = names[:_MOST_NAMES] or [None]
    found = [(BadTime(rates, stays, name).probability(window), name) for name in keys]
    return max(found, key=lambda pair: pair[0])
