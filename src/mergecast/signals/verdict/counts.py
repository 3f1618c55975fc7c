"""What is certain about a queue, counted by day; old days count less."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mergecast.queues.model.instant import DAY

HALF_LIFE: Final = 56  # days
KEPT_FOR: Final = 112  # days
_NAMES_PER_DAY: Final = 30


def is_kept(day: int, today: int) -> bool:
    return today - day < KEPT_FOR


def weights_of_days(days: NDArray[np.int64], today: int) -> NDArray[np.float64]:
    return np.asarray(0.5 ** ((today - days) / HALF_LIFE), float)


@dataclass(slots=True)
class Day:
    """Flakes are weighted by how probable it is that they happened in no bad time."""

    runs: int = 0
    removals: int = 0
    good: int = 0  # stays that merged
    passed: int = 0  # first attempts that passed
    flakes: float = 0.0  # first attempts that failed although everything in them merged
    retries_passed: int = 0
    retries_flaked: float = 0.0
    failed_names: dict[str, float] = field(default_factory=dict)
    flake_names: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Totals:
    """Weighted sums; `runs` and `certain_flakes` count every day fully."""

    runs: int = 0
    good: float = 0.0
    passed: float = 0.0
    flakes: float = 0.0
    retries_passed: float = 0.0
    retries_flaked: float = 0.0
    failed_names: dict[str, float] = field(default_factory=dict)
    flake_names: dict[str, float] = field(default_factory=dict)
    certain_flakes: dict[str, float] = field(default_factory=dict)

    def add(self, day: Day, weight: float) -> None:
        self.runs += day.runs
        self.good += weight * day.good
        self.passed += weight * day.passed
        self.flakes += weight * day.flakes
        self.retries_passed += weight * day.retries_passed
        self.retries_flaked += weight * day.retries_flaked
        _add(self.failed_names, day.failed_names, weight)
        _add(self.flake_names, day.flake_names, weight)
        _add(self.certain_flakes, day.flake_names, 1.0)


def _add(totals: dict[str, float], names: Mapping[str, float], weight: float) -> None:
    for name, count in names.items():
        totals[name] = totals.get(name, 0.0) + weight * count


class Recorded(NamedTuple):
    """How much evidence there is."""

    runs: int
    removals: int
    has_names: bool


@dataclass(slots=True)
class Counts:
    days: dict[int, Day] = field(default_factory=dict)

    def day(self, at: int) -> Day:
        return self.days.setdefault(at // DAY, Day())

    def totals(self, at: int, since: int) -> Totals:
        """What was counted since the day of an instant."""
        totals, first = Totals(), since // DAY
        kept = {day: counted for day, counted in self.days.items() if is_kept(day, at // DAY)}
        weights = weights_of_days(np.array(list(kept)), at // DAY).tolist()
        for (day, counted), weight in zip(kept.items(), weights, strict=True):
            totals.add(counted, weight if day >= first else 0.0)
        return totals

    def recorded(self, at: int) -> Recorded:
        kept = [counted for day, counted in self.days.items() if is_kept(day, at // DAY)]
        return Recorded(
            sum(day.runs for day in kept),
            sum(day.removals for day in kept),
            any(day.failed_names for day in kept),
        )

    def prune(self, today: int) -> None:
        """Forget old days; of the names of a day that is over, keep the most frequent."""
        self.days = {day: counted for day, counted in self.days.items() if is_kept(day, today)}
        for day, counted in self.days.items():
            if day < today and len(counted.failed_names) > _NAMES_PER_DAY:
                counted.failed_names = _most_frequent(counted.failed_names)
                counted.flake_names = _most_frequent(counted.flake_names)


def _most_frequent(names: dict[str, float]) -> dict[str, float]:
    return dict(sorted(names.items(), key=lambda item: (-item[1], item[0]))[:_NAMES_PER_DAY])


def share_out(names: dict[str, float], failed: tuple[str, ...], weight: float) -> None:
    """Count one failure of several checks."""
    for name in failed:
        names[name] = names.get(name, 0.0) + weight / len(failed)
