"""Lengths of runs, where the slow ones are the ones that get stopped."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from estimate.made_up_runs import made_up_table
from mergecast.forecasting.estimate.covariates import Flight
from mergecast.forecasting.estimate.drawn_lengths import draw_lengths
from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.growth import CappedSum, Linear, Slowest
from mergecast.forecasting.estimate.growth_fit import draw_growth, no_growth, steepest_growth
from mergecast.forecasting.estimate.lengths import fit_lengths
from mergecast.forecasting.estimate.run_table import Ending, RunTable
from mergecast.forecasting.estimate.size_classes import SizeClass, size_classes
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.estimate.tables import SizeTables

pytestmark = pytest.mark.thorough

_COUNT = 3000
_MIDDLE = partial(draw_growth, uniform=0.5)


def _fitted(table: RunTable) -> tuple[np.ndarray, np.ndarray]:
    lengths = fit_lengths(table, np.zeros(len(table.starts)), np.arange(len(table.starts)))
    drawn = [draw_lengths(lengths, generator(1, number), _MIDDLE) for number in range(5)]
    donors = [one_class.donors for one in drawn for one_class in one.classes]
    failing = [one_class.failing for one in drawn for one_class in one.classes]
    return np.concatenate(donors), np.concatenate(failing)


def test_runs_that_were_stopped_are_drawn_to_their_end() -> None:
    chance = np.random.default_rng(1)
    true = np.exp(chance.normal(np.log(900), 0.4, _COUNT))
    stops = chance.exponential(2000, _COUNT)
    endings = np.where(stops < true, Ending.STOPPED, Ending.PASSED)
    table = made_up_table(
        [[stay] for stay in range(_COUNT)], endings.tolist(), lengths=np.minimum(true, stops).tolist()
    )

    donors, _ = _fitted(table)

    completed = true[stops >= true].mean()
    assert completed < 0.94 * true.mean()
    assert donors.mean() == pytest.approx(true.mean(), rel=0.02)
    assert np.percentile(donors, 95) == pytest.approx(np.percentile(true, 95), rel=0.05)


def test_donors_follow_the_drift_of_the_weeks() -> None:
    chance = np.random.default_rng(2)
    level = np.where(np.arange(_COUNT) < _COUNT // 2, 600.0, 1200.0)
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        [Ending.PASSED] * _COUNT,
        lengths=(level * np.exp(chance.normal(0, 0.2, _COUNT))).tolist(),
    )
    lengths = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))
    drawn = draw_lengths(lengths, generator(1), _MIDDLE)

    (donors,) = [one.donors for one in drawn.classes]
    levels = np.interp(drawn.classes[0].starts, drawn.starts, drawn.levels)
    early = (donors * levels)[drawn.classes[0].starts < 600 * _COUNT * 0.45]
    late = (donors * levels)[drawn.classes[0].starts > 600 * _COUNT * 0.55]
    assert np.median(early) == pytest.approx(600, rel=0.04)
    assert np.median(late) == pytest.approx(1200, rel=0.04)


def test_failing_runs_have_lengths_of_their_own() -> None:
    endings = [Ending.FAILED if run % 5 == 0 else Ending.PASSED for run in range(_COUNT)]
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        endings,
        lengths=[300.0 if ending == Ending.FAILED else 900.0 for ending in endings],
    )

    donors, failing = _fitted(table)

    assert set(donors.round(3)) == {900.0}
    assert failing == pytest.approx(1 / 3)


def _lengths_by_size(of_size: Callable[[Numbers, NDArray[np.int64]], Numbers], largest: int) -> RunTable:
    """Runs of all sizes; `of_size` gives the length from that of a single member and the size."""
    chance = np.random.default_rng(3)
    sizes = chance.integers(1, largest + 1, _COUNT)
    return made_up_table(
        [[stay] for stay in range(_COUNT)],
        [Ending.PASSED] * _COUNT,
        lengths=of_size(chance.normal(np.log(900), 0.4, _COUNT), sizes).tolist(),
        sizes=sizes.tolist(),
    )


def _slowest(single: Numbers, sizes: NDArray[np.int64]) -> Numbers:
    chance = np.random.default_rng(5)
    others = [chance.normal(np.log(900), 0.4, size - 1).max(initial=-np.inf) for size in sizes]
    return np.exp(np.maximum(single, others))


def _linear(single: Numbers, sizes: NDArray[np.int64]) -> Numbers:
    lengths: Numbers = np.exp(single) * (1 + 0.1 * (sizes - 1))
    return lengths


def _capped_sum(single: Numbers, sizes: NDArray[np.int64]) -> Numbers:
    chance = np.random.default_rng(7)
    others = [np.exp(chance.normal(np.log(900), 0.4, size - 1)).sum() for size in sizes]
    lengths: Numbers = np.minimum(np.exp(single) + others, 3600)
    return lengths


@pytest.mark.parametrize("of_size", [_slowest, _linear])
def test_donors_are_of_about_the_size_of_the_batch(
    of_size: Callable[[Numbers, NDArray[np.int64]], Numbers],
) -> None:
    table = _lengths_by_size(of_size, 5)
    drawn = draw_lengths(fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT)), generator(1), _MIDDLE)

    by_size = SizeTables(drawn, drawn.starts)

    for size in (1, 2, 5):
        true = table.lengths[table.sizes == size]
        for share in (25, 50, 90):
            found = np.percentile(by_size[size].donors, share) / 1e6
            assert found == pytest.approx(np.percentile(true, share), rel=0.06)


# How long a full build takes is hard to tell from batches that seldom need one.
@pytest.mark.parametrize(
    ("of_size", "largest", "tolerance"), [(_slowest, 5, 0.07), (_linear, 5, 0.07), (_capped_sum, 3, 0.2)]
)
def test_sizes_that_were_not_recorded_continue_as_the_recorded_ones_grew(
    of_size: Callable[[Numbers, NDArray[np.int64]], Numbers], largest: int, tolerance: float
) -> None:
    table = _lengths_by_size(of_size, largest)
    true = np.median(of_size(np.random.default_rng(6).normal(np.log(900), 0.4, 9000), np.full(9000, 12)))
    lengths = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))

    found = []
    for replicate in range(12):
        choose = partial(draw_growth, uniform=(replicate + 0.5) / 12)
        drawn = draw_lengths(lengths, generator(1, replicate), choose)
        found.append(np.median(SizeTables(drawn, drawn.starts)[12].donors) / 1e6)

    assert np.median(found) == pytest.approx(true, rel=tolerance)


def _added_up(single: Numbers, sizes: NDArray[np.int64]) -> Numbers:
    chance = np.random.default_rng(7)
    others = [np.exp(chance.normal(np.log(900), 0.4, size - 1)).sum() for size in sizes]
    lengths: Numbers = np.exp(single) + others
    return lengths


@pytest.mark.parametrize(
    ("of_size", "largest"), [(_slowest, 4), (_linear, 4), (_capped_sum, 4), (_added_up, 4)]
)
def test_a_size_that_was_not_recorded_lies_between_no_growth_and_the_steepest_that_the_record_allows(
    of_size: Callable[[Numbers, NDArray[np.int64]], Numbers], largest: int
) -> None:
    table = _lengths_by_size(of_size, largest)
    lengths = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))
    single = np.random.default_rng(6).normal(np.log(900), 0.4, 9000)
    true, recorded = (np.median(of_size(single, np.full(9000, size))) for size in (16, largest))

    low, high = (
        np.median(SizeTables(drawn, drawn.starts)[16].donors) / 1e6
        for choose in (no_growth, steepest_growth)
        for drawn in [draw_lengths(lengths, generator(1), choose)]
    )

    assert low == pytest.approx(recorded, rel=0.05)
    assert low <= 1.05 * true
    assert true <= 1.05 * high


def test_steep_growth_is_excluded_by_sizes_that_take_equally_long() -> None:
    table = _lengths_by_size(lambda single, _: np.exp(single), 4)
    lengths = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))
    drawn = draw_lengths(lengths, generator(1), steepest_growth)

    assert np.median(SizeTables(drawn, drawn.starts)[16].donors) / 1e6 < 1.5 * 900


def test_a_size_that_is_rare_between_others_is_moved_from_the_mean_of_its_class() -> None:
    """Batches of 8 and their halves, hardly any of 2 and 3: those are not as long as the larger ones."""
    chance = np.random.default_rng(3)
    sizes = chance.choice([1, 2, 3, 7, 8], _COUNT, p=[0.3, 0.001, 0.001, 0.349, 0.349])
    lengths = 600 * (1 + 0.2 * (sizes - 1)) * np.exp(chance.normal(0, 0.1, _COUNT))
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        [Ending.PASSED] * _COUNT,
        lengths=lengths.tolist(),
        sizes=sizes.tolist(),
    )
    fitted = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))

    drawn = draw_lengths(fitted, generator(1), _MIDDLE)

    found = [np.median(SizeTables(drawn, drawn.starts)[size].donors) / 1e6 for size in (2, 3, 7, 8)]
    assert found == pytest.approx([600 * (1 + 0.2 * (size - 1)) for size in (2, 3, 7, 8)], rel=0.1)


def test_no_size_takes_hours_because_lengths_saturated_before_it() -> None:
    """A full build takes an hour at most; a single pull request mostly needs a part of it."""

    def saturating(single: Numbers, sizes: NDArray[np.int64]) -> Numbers:
        return np.minimum(_slowest(single + 0.5, sizes), 3600)

    table = _lengths_by_size(saturating, 8)
    drawn = draw_lengths(fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT)), generator(1), _MIDDLE)

    assert np.median(SizeTables(drawn, drawn.starts)[60].donors) / 1e6 < 2 * 3600


@pytest.mark.parametrize(("largest", "last"), [(5, 199), (250, 250)])
def test_the_lengths_of_the_largest_size_hold_for_all_beyond(largest: int, last: int) -> None:
    """That is 199, or the largest recorded one."""
    table = _lengths_by_size(_linear, largest)
    lengths = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))
    drawn = draw_lengths(lengths, generator(1), steepest_growth)

    by_size = SizeTables(drawn, drawn.starts)

    assert by_size[last] == by_size[last + 1] == by_size[5000]
    assert np.mean(by_size[last - 1].donors) < np.mean(by_size[last].donors)


def test_without_batches_in_the_record_replicates_assume_every_form_of_growth() -> None:
    lengths = np.sort(np.exp(np.random.default_rng(1).normal(np.log(900), 0.4, 500)))
    forms = [draw_growth([(SizeClass(1, 1, 1.0), lengths)], (place + 0.5) / 400) for place in range(400)]
    medians = sorted(float(np.median(form.donors(lengths, 1.0, 4))) for form in forms)

    shares = [
        np.mean([form == Linear(0.0) for form in forms]),
        np.mean([isinstance(form, Linear) and form.share > 0 for form in forms]),
        np.mean([isinstance(form, Slowest) for form in forms]),
        np.mean([isinstance(form, CappedSum) for form in forms]),
    ]
    assert shares == pytest.approx([0.35, 0.2, 0.2, 0.25], abs=0.04)
    # From "size does not matter" to four builds one after the other; mostly rather the former.
    assert medians[0] == pytest.approx(900, rel=0.05)
    assert medians[-1] == pytest.approx(4 * 900 * np.exp(0.4**2 / 2), rel=0.1)
    assert medians[200] < 1.25 * 900


def test_without_any_run_size_does_not_matter() -> None:
    assert draw_growth([(SizeClass(1, 1, 1.0), np.zeros(0))], 0.9) == Linear(0.0)


def test_more_concurrent_runs_than_recorded_do_not_take_exponentially_longer() -> None:
    flight = Flight(slope=0.1, mean=3.0, most=5)

    factors = np.exp(flight.of(np.array([5, 15, 25])))

    assert factors[1] - factors[0] == pytest.approx(factors[2] - factors[1])


def test_timeouts_that_no_tail_explains_are_runs_that_hang() -> None:
    chance = np.random.default_rng(4)
    true = np.exp(chance.normal(np.log(900), 0.3, _COUNT))
    hangs = np.arange(_COUNT) % 50 == 0
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        np.where(hangs | (true > 7200), Ending.TIMED_OUT, Ending.PASSED).tolist(),
        lengths=np.where(hangs, 7200, np.minimum(true, 7200)).tolist(),
    )

    donors, _ = _fitted(table)

    assert np.mean(donors > 3 * 3600) == pytest.approx(0.02, abs=0.008)


def test_no_run_at_all_gives_no_donors() -> None:
    table = made_up_table([], [])

    donors, failing = _fitted(table)

    assert (len(donors), set(failing)) == (0, {1.0})


def test_a_last_size_with_few_runs_joins_the_one_before() -> None:
    sizes = np.repeat([1, 2, 5, 9], [50, 20, 8, 2])

    assert size_classes(sizes) == (SizeClass(1, 1, 1.0), SizeClass(2, 9, 98 / 30))


def test_failing_runs_of_large_batches_may_take_longer_than_those_of_single_ones() -> None:
    endings = [Ending.FAILED if run % 4 == 0 else Ending.PASSED for run in range(_COUNT)]
    sizes = [1 if run % 8 < 4 else 6 for run in range(_COUNT)]
    lengths = [
        900.0 if ending == Ending.PASSED else 90.0 * size for ending, size in zip(endings, sizes, strict=True)
    ]
    table = made_up_table([[stay] for stay in range(_COUNT)], endings, lengths=lengths, sizes=sizes)

    drawn = draw_lengths(fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT)), generator(1), _MIDDLE)

    assert [set((one.failing * one.typical).round(3)) for one in drawn.classes] == [{90.0}, {540.0}]
