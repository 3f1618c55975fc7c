"""The tables that the oracle of one replicate reads, sampled from the estimates."""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.breakage import Breakage
from mergecast.forecasting.estimate.covariates import Flight
from mergecast.forecasting.estimate.departures import BY_PEOPLE
from mergecast.forecasting.estimate.drawn_lengths import DrawnClass, DrawnLengths, draw_lengths
from mergecast.forecasting.estimate.draws import generator, table
from mergecast.forecasting.estimate.estimate import Estimate
from mergecast.forecasting.estimate.growth import Growth
from mergecast.forecasting.estimate.growth_fit import ChooseGrowth, draw_growth, no_growth, steepest_growth
from mergecast.forecasting.estimate.oracle import (
    CLASSES,
    RunTables,
    SizeTable,
    Tables,
    comes_back,
    fate,
    leaving_class,
    outcome,
)
from mergecast.forecasting.estimate.population import OTHER_REASON, reason_code
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.seconds import DAY, MICROSECONDS, MINUTE, microseconds
from mergecast.forecasting.replay.codes import BROKEN, BY_HAND, NEVER, VOUCHED
from mergecast.forecasting.replay.values import Oracle

_LARGEST_FLIGHT: Final = 200
_MOST_FLAKES: Final = 0.95
_GOLDEN_RATIO: Final = 0.6180339887498949
_EXTREMES: Final[dict[int, ChooseGrowth]] = {3: steepest_growth, 8: no_growth}
_EXTREMES_RECUR: Final = 10
_LEFT_BY_ITSELF: Final = [*(reason_code(reason) for reason in BY_PEOPLE), OTHER_REASON]
DONORS: Final = 30
_LARGEST_SIZE: Final = 200
_WITHOUT_DONORS: Final = 10 * MINUTE * MICROSECONDS


def oracle_of(estimate: Estimate, replicate: int) -> Oracle:
    """The oracle of one replicate, the same for every policy that is replayed with it."""
    return Oracle(_tables(estimate, replicate), fate, outcome, comes_back)


def _tables(estimate: Estimate, replicate: int) -> Tables:
    record, to_replay, breakage = estimate.record, estimate.to_replay, estimate.breakages[replicate]
    flaws = [
        flaw | (BROKEN if stay.number in breakage.broken else 0)
        for flaw, stay in zip(record.flaws, record.stays, strict=True)
    ]
    left_as = [_left_as(code, flaw) for code, flaw in zip(record.codes.tolist(), flaws, strict=True)]
    after, reasons = _departures(estimate, generator(estimate.seed, 4, replicate))
    return Tables(
        numbers=table(estimate.seed, replicate),
        keys=list(to_replay.keys),
        offsets=list(to_replay.offsets),
        flaws=flaws,
        leaves_after=after,
        leaving_reasons=reasons,
        left_as=left_as,
        gaps=list(record.gaps),
        returns=_returns(estimate, left_as),
        hazard_since=microseconds(estimate.hazard.since),
        hazard=estimate.hazard.added_up.tolist(),
        hand_reasons=[reason_code(reason) for reason in estimate.hazard.reasons],
        broken=breakage.rates.broken,
        flake_again=breakage.rates.flake_again,
        lucky=breakage.rates.lucky,
        cancelled=estimate.cancelled,
        form=microseconds(estimate.overheads.form),
        retry=microseconds(estimate.overheads.retry),
        known=estimate.known,
        runs=[
            _run_tables(_drawn_lengths(estimate, rule, replicate), estimate.waves, breakage)
            for rule in range(len(estimate.lengths))
        ],
    )


def _drawn_lengths(estimate: Estimate, rule: int, replicate: int) -> DrawnLengths:
    chance = generator(estimate.seed, 5, replicate, rule)
    return draw_lengths(estimate.lengths[rule], chance, _growth_of(estimate.seed, rule, replicate))


def _growth_of(seed: int, rule: int, replicate: int) -> ChooseGrowth:
    """One of ten replicates assumes each extreme, so that intervals reach both; the others draw a form.

    Few replicates spread evenly over the forms that growth may have; drawn by chance, they might miss one.
    """
    extreme = _EXTREMES.get(replicate % _EXTREMES_RECUR)
    if extreme is not None:
        return extreme
    form = float(generator(seed, 7, rule).random()) + replicate * _GOLDEN_RATIO
    return partial(draw_growth, uniform=form % 1)


def _run_tables(drawn: DrawnLengths, waves: tuple[Numbers, Numbers], breakage: Breakage) -> RunTables:
    times, factors = waves
    at = _with_last(drawn.starts, 0.0)
    flakes = breakage.rates.flake * factors[np.maximum(np.searchsorted(times, at, side="right") - 1, 0)]
    return RunTables(
        starts=np.rint(drawn.starts * MICROSECONDS).astype(np.int64).tolist(),
        levels=_with_last(drawn.levels, 1.0).tolist(),
        flakes=np.minimum(flakes, _MOST_FLAKES).tolist(),
        by_size=SizeTables(drawn, at),
        by_flight=_factors(drawn.flight),
    )


def _with_last(values: Numbers, otherwise: float) -> Numbers:
    return np.append(values, values[-1] if len(values) else otherwise)


def _factors(flight: Flight) -> list[float]:
    if not flight.slope:
        return []
    factors: list[float] = np.exp(flight.of(np.arange(_LARGEST_FLIGHT))).tolist()
    return factors


def _left_as(code: int, flaws: int) -> int:
    return NEVER if code <= VOUCHED else leaving_class(code, guilty=bool(flaws & BROKEN))


def _returns(estimate: Estimate, left_as: list[int]) -> list[list[int]]:
    """Recorded gaps by class, without pull requests that left within the last day and may still return."""
    last = estimate.known_until - DAY
    known: list[list[int]] = [[] for _ in range(CLASSES)]
    record = estimate.record
    for stay, kind, gap in zip(record.stays, left_as, record.gaps, strict=True):
        if kind != NEVER and (gap != NEVER or (stay.left or 0.0) < last):
            known[kind].append(gap)
    return known


def _departures(estimate: Estimate, chance: np.random.Generator) -> tuple[list[int], list[int]]:
    """When a person would remove each stay: as recorded, or at some time after it left otherwise."""
    hazard, stays, codes = estimate.hazard, estimate.to_replay.stays, estimate.to_replay.codes
    entered = np.array([stay.entered for stay in stays])
    left = np.array([estimate.known_until if stay.left is None else stay.left for stay in stays])
    recorded = np.isin(codes, _LEFT_BY_ITSELF)
    risks = hazard.risk_until(left) + chance.standard_exponential(len(left))
    instants = np.where(recorded, left, hazard.instants_of(risks))
    reasons = [reason_code(reason) for reason in hazard.reasons] or [BY_HAND]
    drawn = np.array(reasons)[chance.integers(0, len(reasons), len(left))]
    stayed = np.minimum(instants, 1e12) - entered
    after = np.where(np.isinf(instants), NEVER, np.rint(stayed * MICROSECONDS))
    return after.astype(np.int64).tolist(), np.where(recorded, codes, drawn).tolist()


class SizeTables(dict[int, SizeTable]):
    """The lengths for each batch size, made when a run of that size is first asked about.

    A rule uses few of the sizes. `instants` are the recorded ones that the times of a replay are like.
    """

    def __init__(self, drawn: DrawnLengths, instants: Numbers) -> None:
        super().__init__()
        self._classes = [one for one in drawn.classes if len(one.donors)]
        self._growth, self._instants = drawn.growth, instants

    def __missing__(self, size: int) -> SizeTable:
        found = self[size] = self._of_size(size)
        return found

    def _of_size(self, size: int) -> SizeTable:
        if not self._classes:
            return SizeTable([_WITHOUT_DONORS], [], 1, [_WITHOUT_DONORS])
        first, last = self._classes[0], self._classes[-1]
        size = min(size, max(_LARGEST_SIZE - 1, last.sizes.largest))
        if size < first.sizes.smallest:
            return _grown(first, self._growth, max(size, 1))
        if size > last.sizes.largest:
            return _grown(last, self._growth, size)
        one = next(one for one in self._classes if size <= one.sizes.largest)
        return _moved(_near_in_time(one, self._instants), one, self._growth, size)


def _near_in_time(one: DrawnClass, instants: Numbers) -> SizeTable:
    donors = (one.donors * MICROSECONDS).tolist()
    failing = (one.failing * one.typical * MICROSECONDS).tolist()
    if len(donors) <= DONORS:
        return SizeTable(donors, [], len(donors), failing)
    places = np.searchsorted(one.starts, instants) - DONORS // 2
    firsts = np.clip(places, 0, len(donors) - DONORS)
    return SizeTable(donors, firsts.tolist(), DONORS, failing)


def _moved(table: SizeTable, one: DrawnClass, growth: Growth, size: int) -> SizeTable:
    """The lengths of a class, moved from the mean of its sizes to this size."""
    if one.sizes.mean == size:
        return table
    known = np.sort(one.donors)
    means = [float(growth.donors(known, one.sizes.mean, wanted).mean()) for wanted in (one.sizes.mean, size)]
    factor = means[1] / means[0]
    return replace(
        table,
        donors=[length * factor for length in table.donors],
        failing=[length * factor for length in table.failing],
    )


def _grown(one: DrawnClass, growth: Growth, size: int) -> SizeTable:
    donors = growth.donors(np.sort(one.donors), one.sizes.mean, size) * MICROSECONDS
    # Donors are sorted, so that their median need not be searched for.
    median = (donors[(len(donors) - 1) // 2] + donors[len(donors) // 2]) / 2
    return SizeTable(donors.tolist(), [], len(donors), (one.failing * median).tolist())
