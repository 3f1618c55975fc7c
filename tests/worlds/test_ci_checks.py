"""The figures of CI checks name what is known to be flaky, slow and short of machines."""

from dataclasses import replace

import pytest

from worlds.ci_check_truth import GOALS, compare
from worlds.ci_checks import checked_world, train

pytestmark = pytest.mark.thorough


def test_the_answer_tells_the_truth_about_a_queue_that_retries() -> None:
    """A sample of `benchmarks/ci_check_truth.py`."""
    found = compare(checked_world(2, train(), days=10))

    missed = {name: error for name, error in found.errors().items() if abs(error) > GOALS[name]}
    assert {} == missed, found.text()


def test_a_failed_run_that_is_decided_later_counts() -> None:
    """In a busy train, a run fails and waits for those ahead; the runs behind are stopped only then."""
    busy = checked_world(1, train(parallel=8, retries=0), days=10, pulls_per_day=150, flakes=0.08)

    found = compare(busy)
    (said, true), (said_rate, true_rate) = found.blocked, found.flake_rate

    assert true * 0.85 <= said <= true
    assert said_rate == pytest.approx(true_rate, rel=0.1)  # what is built on a failed run passes
    assert () == found.accused


def test_without_another_try_it_says_that_it_cannot_tell() -> None:
    """One pull request is tested at a time, without retries; with their commits, returns are other tries."""
    alone = checked_world(1, train(parallel=1, retries=0), days=10)

    unknown, known = compare(alone), compare(replace(alone, has_commits=True))

    assert unknown.flake_rate[0] is None
    assert known.flake_rate[0] is not None
    for found in (unknown, known):
        low, high = found.flake_interval
        assert low <= found.flake_rate[1] <= high, found.text()
        assert () == found.accused
