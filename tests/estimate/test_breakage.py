"""Runs show which pull requests were broken and which runs flaked, as far as that can be known."""

import numpy as np
import pytest

from estimate.made_up_runs import made_up_table, singles_with_retries
from mergecast.forecasting.estimate.breakage import Breakage, draw_breakage
from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.evidence import gather
from mergecast.forecasting.estimate.run_table import Ending, RunTable


def _draws(table: RunTable, stays: int, count: int = 40) -> list[Breakage]:
    evidence = gather(table, stays)
    return draw_breakage(table, evidence, np.ones(len(table.starts)), count, generator(1))


def test_a_passing_run_proves_its_whole_tree_good() -> None:
    table = made_up_table([[0, 1, 2], [3, 0, 1, 2]], [Ending.PASSED, Ending.FAILED])

    evidence = gather(table, 4)

    assert evidence.proven == {0, 1, 2}
    assert evidence.broken == ((), (3,))


def test_pull_requests_that_no_run_distinguishes_form_one_group() -> None:
    table = made_up_table([[0, 1], [1, 2], [5]], [Ending.FAILED] * 3)

    evidence = gather(table, 6)

    assert len(evidence.group_starts) == 2
    assert len(evidence.broken) == 8 + 2
    assert evidence.unknown.tolist() == [3, 4]


def test_rates_are_found_again() -> None:
    table = singles_with_retries(6000, broken=0.03, flake=0.05, again=0.2)

    draws = _draws(table, 6000)

    # Tested one by one, a broken pull request and a flake that came twice look the same.
    once = [draw.rates.flake * (1 - draw.rates.flake_again) for draw in draws]
    twice = [draw.rates.broken + draw.rates.flake * draw.rates.flake_again for draw in draws]
    assert np.mean(once) == pytest.approx(0.05 * 0.8, abs=0.004)
    assert np.mean(twice) == pytest.approx(0.03 + 0.05 * 0.2, abs=0.004)
    assert np.std([draw.rates.flake_again for draw in draws]) > 0.05


def test_what_the_history_leaves_open_varies_between_samples() -> None:
    """One failing run in 25 without any retry may be a flake or a broken pull request."""
    endings = [Ending.FAILED if stay % 25 == 0 else Ending.PASSED for stay in range(2000)]
    table = made_up_table([[stay] for stay in range(2000)], endings)

    draws = _draws(table, 2000, count=60)
    broken = [draw.rates.broken for draw in draws]

    assert min(broken) < 0.015
    assert max(broken) > 0.025
    for draw in draws:
        assert draw.rates.broken + draw.rates.flake == pytest.approx(0.04, abs=0.015)


def test_a_culprit_that_several_runs_confirm_is_broken_in_every_draw() -> None:
    good = [[stay] for stay in range(10, 400)]
    trees = [[0, 1], [0], [0], [1], *good]
    endings = [Ending.FAILED] * 3 + [Ending.PASSED] * (1 + len(good))
    table = made_up_table(trees, endings, attempts=[1, 1, 2, *[1] * (1 + len(good))])

    assert all(draw.broken & {0, 1} == {0} for draw in _draws(table, 400))


def test_a_stopped_run_that_lasted_is_evidence_of_a_good_tree() -> None:
    trees = [[stay] for stay in range(1000)]
    endings = [Ending.STOPPED] * 500 + [Ending.FAILED] * 50 + [Ending.PASSED] * 450
    table = made_up_table(trees, endings)
    evidence = gather(table, 1000)

    def broken_stopped(lasting: float) -> float:
        draws = draw_breakage(table, evidence, np.full(1000, lasting), 20, generator(3))
        return float(np.mean([len([stay for stay in draw.broken if stay < 500]) for draw in draws]))

    assert broken_stopped(0.1) < 0.5 * broken_stopped(1.0)


def test_many_broken_at_once_are_found_one_by_one() -> None:
    """Thirty pull requests behind each other, every second broken, each tested alone in the end."""
    trees = [list(range(first, first + 6)) for first in range(25)]
    trees += [[stay] for stay in range(30) for _ in range(2)]
    endings = [Ending.FAILED] * 25
    endings += [Ending.FAILED if stay % 2 else Ending.PASSED for stay in range(30) for _ in range(2)]
    good = [[stay] for stay in range(30, 1000)]
    table = made_up_table([*trees, *good], [*endings, *[Ending.PASSED] * len(good)])

    culprits = set(range(1, 30, 2))
    assert all(len(draw.broken & culprits) >= 14 for draw in _draws(table, 1000, count=10))
