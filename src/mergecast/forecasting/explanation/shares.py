"""Divides a difference among causes: exact Shapley values of the replayed mixtures.

The last player is everything else: what does not differ clearly, such as which days were busy by chance. It
changes first, so that a cause adds what it changed in the pull requests and on the days of the later period.
Otherwise a lower limit on a day that was busy by chance would count as the chance.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial, log, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from mergecast.forecasting.explanation.answer import Cause
from mergecast.forecasting.explanation.mixtures import AFTER, BEFORE, Choice, FiguresFound
from mergecast.forecasting.explanation.wording import are_known
from mergecast.forecasting.forecast.figures import student

Player = tuple[Cause, ...]  # causes that are taken from the same period together
Coalition = frozenset[int]  # the players that are those of the period after


def choice_of(players: Sequence[Player], coalition: Coalition) -> Choice:
    found = dict(BEFORE)
    for place in coalition:
        found |= {cause: AFTER[cause] for cause in players[place]}
    return found


def coalitions(count: int) -> Iterator[Coalition]:
    """All subsets of so many players."""
    for size in range(count + 1):
        yield from map(frozenset, combinations(range(count), size))


def mixtures(named: int) -> Iterator[Coalition]:
    """What is replayed: the period before, then everything else changes, and with it each set of causes."""
    yield frozenset()
    yield from (coalition | {named} for coalition in coalitions(named))


def shapley(values: Callable[[Coalition], float], count: int) -> list[float]:
    """What each player adds, over all orders in which they may change; the sum is the whole difference.

    >>> shapley(lambda changed: 2.0 * (0 in changed) + 3.0 * (1 in changed), 2)
    [2.0, 3.0]
    >>> shapley(lambda changed: 4.0 * (changed == {0, 1}), 2)
    [2.0, 2.0]
    """
    found = [0.0] * count
    for coalition in coalitions(count):
        for player in set(range(count)) - coalition:
            size = len(coalition)
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            found[player] += weight * (values(coalition | {player}) - values(coalition))
    return found


class Spread(NamedTuple):
    """Something that every replicate gives, as logarithms: its mean, and how far 90 % of draws reach."""

    mean: float
    reach: float

    @classmethod
    def of(cls, drawn: Sequence[float]) -> "Spread":
        count = len(drawn)
        return cls(fmean(drawn), student(count - 1) * stdev(drawn) * sqrt(1 + 1 / count))


Played = Mapping[Coalition, FiguresFound]  # one replicate


class Division(NamedTuple):
    """One figure, in logarithms. `not_explained` is what was recorded and not replayed."""

    parts: tuple[Spread, ...]  # of each cause, and of everything else
    replayed: Spread
    recorded: float
    not_explained: Spread
    chance: float
    off: float  # how far a replay with fresh luck is from the record, at worst


def divide(
    figure: str, replicates: Sequence[Played], recorded: tuple[FiguresFound, FiguresFound], named: int
) -> Division | None:
    """The parts of so many causes; None if the figure has no logarithm in a period or in a replay."""
    every_found = (*recorded, *(found for one in replicates for found in one.values()))
    if not are_known(getattr(found, figure) for found in every_found):
        return None
    before, after = (log(getattr(one, figure)) for one in recorded)
    drawn = [{of: log(getattr(found, figure)) for of, found in one.items()} for one in replicates]
    none, every = frozenset[int](), frozenset(range(named + 1))
    parts = zip(*(_parts(values, named) for values in drawn), strict=True)
    replayed = Spread.of([values[every] - values[none] for values in drawn])
    spreads = [stdev([values[of] for values in drawn]) for of in (none, every)]
    errors = [fmean(values[of] for values in drawn) - known for of, known in ((none, before), (every, after))]
    return Division(
        parts=tuple(Spread.of(part) for part in parts),
        replayed=replayed,
        recorded=after - before,
        not_explained=Spread(after - before - replayed.mean, replayed.reach),
        chance=student(len(drawn) - 1) * sqrt(spreads[0] ** 2 + spreads[1] ** 2),
        off=max(errors, key=abs),
    )


def _parts(values: Mapping[Coalition, float], named: int) -> list[float]:
    rest = frozenset((named,))
    causes = shapley(lambda changed: values[changed | rest], named)
    return [*causes, values[rest] - values[frozenset()]]
