"""How often a check fails by chance, estimated by likelihood from what became of its failures.

Two shares are unknown: of executions that fail although what they test is sound (`flake`), and of executions
that are the first to meet broken content (`broken`). Broken content fails every time, apart from some luck.
So a failure of content that passed elsewhere was chance, content that fails again was probably broken, and a
failure about which nothing else is known may have been either.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import expm1, log, prod
from typing import Final, NamedTuple

# Twice this difference of log-likelihoods is the 90 % quantile of chi-squared with one degree of freedom.
_PLAUSIBLE: Final = 2.7055 / 2
_LUCK: Final = 0.01  # how often broken content passes
_LEAST: Final = 1e-9
_NEVER: Final = 1e-300  # instead of 0, which has no logarithm
_MOST: Final = 1 - 1e-9
_CLOSE: Final = 1e-4  # relative to the value
_STEPS: Final = 60
_DIGITS: Final = 6
_MOST_SUSPECTS: Final = 6  # in one group; others count as sound


class Way(NamedTuple):
    """One way in which a group of failures can have come about."""

    weight: float  # how many such ways there are, and how much luck each takes
    broken: int  # suspects that are broken
    sound: int
    flakes: int  # failures that no broken suspect explains


class Group(NamedTuple):
    """Failures that share suspects."""

    ways: tuple[Way, ...]
    failures: int
    is_untried: bool  # it left and never came back as it was
    are_tried: bool  # people tried others again as they were


class FlakeRate(NamedTuple):
    """With its 90 % interval; the rate is None if all failures, or none, may have been chance."""

    rate: float | None
    low: float
    high: float


_Kind = tuple[frozenset[int], bool]  # suspects of these failures, and whether they passed once


def group_of(
    failures: Sequence[Collection[int]],
    lucky: Collection[int] = (),
    *,
    is_untried: bool = False,
    are_tried: bool = False,
) -> Group:
    """Of failures with these suspects: what each may have failed because of; those in `lucky` passed once.

    Suspects of the same failures cannot be told apart, and count as one.
    """
    failed: defaultdict[int, set[int]] = defaultdict(set)
    for place, suspects in enumerate(failures):
        for suspect in suspects:
            failed[suspect].add(place)
    kinds = frozenset((frozenset(places), suspect in lucky) for suspect, places in failed.items())
    return Group(_ways(len(failures), kinds), len(failures), is_untried, are_tried)


@lru_cache(maxsize=4096)
def _ways(failures: int, suspects: frozenset[_Kind]) -> tuple[Way, ...]:
    """Every choice of which suspects are broken."""
    kinds = _chosen(suspects)
    weights: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    for chosen in product((True, False), repeat=len(kinds)):
        broken = [kind for kind, is_broken in zip(kinds, chosen, strict=True) if is_broken]
        explained = {place for places, _ in broken for place in places}
        weight = prod(_LUCK * (len(places) + 1) if is_lucky else 1.0 for places, is_lucky in broken)
        weights[len(broken), len(chosen) - len(broken), failures - len(explained)] += weight
    return tuple(Way(weight, *way) for way, weight in sorted(weights.items()))


def _chosen(kinds: Collection[_Kind]) -> list[_Kind]:
    """The kinds that explain most failures that those before do not; those that passed once come last."""
    found: list[_Kind] = []
    left, open_places = set(kinds), {place for places, _ in kinds for place in places}
    while left and len(found) < _MOST_SUSPECTS:
        best = min(
            left, key=lambda kind: (kind[1], -len(kind[0] & open_places), -len(kind[0]), sorted(kind[0]))
        )
        found.append(best)
        left.remove(best)
        open_places -= best[0]
    return found


def estimate(passed: int, groups: Mapping[Group, int]) -> FlakeRate | None:
    """From the number of executions that passed, and the groups of those that failed; None without any.

    Nothing tells whether a single failure was chance of what never came back as it was. So at the least all
    of these were broken, and at the most all were chance. Those who decide to try a pull request again as it
    is know more about it than is recorded: if any did, the rate is in the middle between all that were not
    tried being broken, and being like the others.
    """
    if not passed and not groups:
        return None
    rate, low, high = _estimate(passed, tuple(sorted(groups.items())))
    return FlakeRate(
        None if rate is None else round(rate, _DIGITS), round(low, _DIGITS), round(high, _DIGITS)
    )


@lru_cache(maxsize=4096)
def _estimate(passed: int, groups: tuple[tuple[Group, int], ...]) -> FlakeRate:
    likelihood = _Likelihood(passed, groups)
    found = likelihood.fitted()
    if not any(group.is_untried for group, _ in groups):
        return found
    least = _Likelihood(passed, [(_explained(group), many) for group, many in groups]).fitted()
    most = _Likelihood(passed, [(_by_chance(group), many) for group, many in groups]).fitted()
    are_tried = any(group.are_tried for group, _ in groups)
    rates = [one.rate for one in (least, found) if one.rate is not None and (are_tried or one is found)]
    is_known = found.rate is not None or (are_tried and least.low > 0)
    rate = sum(rates) / len(rates) if is_known else None
    return FlakeRate(rate, min(least.low, found.low), max(most.high, found.high))


def _explained(group: Group) -> Group:
    """The group without the way in which all of it was chance, if it was not tried again."""
    return group._replace(ways=tuple(way for way in group.ways if way.broken)) if group.is_untried else group


def _by_chance(group: Group) -> Group:
    """The group as chance alone, if it is a single failure that was not tried again."""
    is_single = group.is_untried and group.failures == 1
    return group._replace(ways=tuple(way for way in group.ways if not way.broken)) if is_single else group


class _Likelihood:
    def __init__(self, passed: int, groups: Iterable[tuple[Group, int]]) -> None:
        self._passed = passed
        known = list(groups)
        self._failed = sum(group.failures * many for group, many in known)
        self._ways = [(group.ways, many) for group, many in known]
        self._broken = self._failed / (self._passed + self._failed + 1)

    def fitted(self) -> FlakeRate:
        if not self._failed:
            return FlakeRate(0.0, 0.0, -expm1(-_PLAUSIBLE / self._passed))
        most = self._failed / (self._passed + self._failed)
        rate = _root(lambda flake: flake * self._slope(flake), _LEAST, min(most, _MOST))
        plausible = self._value(rate, self._likeliest_broken(rate)) - _PLAUSIBLE

        def distance(flake: float) -> float:
            return self._value(flake, self._likeliest_broken(flake)) - plausible

        low = 0.0 if rate <= _LEAST or distance(_LEAST) >= 0 else _root(distance, _LEAST, rate)
        high = min(_MOST, 2 * most)
        while high < _MOST and distance(high) > 0:
            high = min(_MOST, 2 * high)
        is_open = low == 0 and self._value(min(most, _MOST), _LEAST) >= plausible
        known = None if is_open else 0.0 if rate <= _LEAST else rate
        return FlakeRate(known, low, _root(distance, rate, high))

    def _likeliest_broken(self, flake: float) -> float:
        """The likeliest share of broken content, by Newton's method between bounds."""
        low, high, broken = _LEAST, _MOST, self._broken
        if self._slope_of_broken(flake, low)[0] <= 0:
            return low
        for _ in range(_STEPS):
            slope, bend = self._slope_of_broken(flake, broken)
            low, high = (broken, high) if slope > 0 else (low, broken)
            step = broken + slope / bend
            following = step if low < step < high else (low + high) / 2
            is_close = abs(following - broken) <= _CLOSE * broken
            broken = following
            if is_close:
                break
        self._broken = broken  # where the next search begins
        return broken

    def _slope_of_broken(self, flake: float, broken: float) -> tuple[float, float]:
        """The slope, and how much it falls."""
        left = 1 - broken
        slope, bend = -self._passed / left, self._passed / left**2
        for ways, many in self._ways:
            whole, change = _NEVER, 0.0
            for weight, culprits, sound, flakes in ways:
                part = weight * flake**flakes * broken**culprits * left**sound
                whole += part
                change += part * (culprits / broken - sound / left)
            ratio = change / whole
            slope += many * ratio
            bend += many * ratio**2
        return slope, bend

    def _value(self, flake: float, broken: float) -> float:
        left = 1 - broken
        found = self._passed * log((1 - flake) * left)
        for ways, many in self._ways:
            found += many * log(
                sum((weight * flake**u * broken**m * left**s for weight, m, s, u in ways), _NEVER)
            )
        return found

    def _slope(self, flake: float) -> float:
        """How much the likelihood rises with the flake rate, with the likeliest share of broken content."""
        broken = self._likeliest_broken(flake)
        left = 1 - broken
        found = -self._passed / (1 - flake)
        for ways, many in self._ways:
            whole, change = _NEVER, 0.0
            for weight, culprits, sound, flakes in ways:
                part = weight * flake**flakes * broken**culprits * left**sound
                whole += part
                change += part * flakes / flake
            found += many * change / whole
        return found


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign between two places; if it does not, the place beyond which it may."""
    at_low, at_high = function(low), function(high)
    if (at_low > 0) == (at_high > 0):
        return high if at_low > 0 else low
    close = _CLOSE * high
    for step in range(_STEPS):
        # Where a line through both ends crosses zero; every third time the middle, which halves the span.
        place = (low * at_high - high * at_low) / (at_high - at_low) if step % 3 else (low + high) / 2
        at_place = function(place)
        if (at_place > 0) == (at_high > 0):
            high, at_high, at_low = place, at_place, at_low / 2
        else:
            low, at_low, at_high = place, at_place, at_high / 2
        if high - low <= close:
            break
    return (low + high) / 2
