"""The figures of CI checks name what is known to be flaky, slow and short of machines."""

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
    assert said_rate < true_rate / 2  # no run is repeated on the same commit, so there is hardly any evidence
