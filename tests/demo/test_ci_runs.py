"""CI takes realistic time and is mostly right."""

from collections import Counter
from statistics import median

import pytest

from mergecast.demo.ci_runs import CiResult, ci_result, fate
from mergecast.demo.settings import DEFAULT_QUEUE, HOUR
from mergecast.demo.stays import Batch, Fate, Group, Stay

_NIGHT = 2 * HOUR


def test_a_run_has_one_result() -> None:
    """Asking twice gives the same answer."""
    assert _result(1) == _result(1)


def test_most_runs_pass_and_take_about_the_median() -> None:
    """Without breakage some 3 percent flake and the median is near 25 minutes."""
    verdicts = [_result(number) for number in range(1000)]

    outcomes = Counter(found.outcome for found in verdicts)

    assert {"SUCCESS", "CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_INTERRUPTED"} == set(outcomes)
    assert outcomes["SUCCESS"] >= 920
    assert 20 * 60 <= median(found.seconds for found in verdicts) <= 30 * 60
    assert all(found.seconds >= 0.9 * 8 * 60 for found in verdicts if found.outcome == "SUCCESS")


@pytest.mark.parametrize(("attempt", "at_most"), [(1, 0), (2, 40)], ids=["first", "retry"])
def test_a_breakage_fails_first_and_nearly_always_again(attempt: int, at_most: int) -> None:
    """A genuine breakage never passes at once, and rarely the second time."""
    verdicts = [_result(number, attempt=attempt, is_broken=True) for number in range(1000)]

    assert at_most >= sum(found.outcome == "SUCCESS" for found in verdicts)


def test_four_fifths_of_flakes_pass_when_retried() -> None:
    """The second attempt of what is not broken passes with a chance of 0.8."""
    verdicts = [_result(number, attempt=2) for number in range(1000)]

    assert 750 <= sum(found.outcome == "SUCCESS" for found in verdicts) <= 850


def test_few_pull_requests_have_something_wrong() -> None:
    """Some 4 percent are broken and 1 percent conflict."""
    fates = [fate(1, f"stay-{number}", _NIGHT) for number in range(2000)]

    assert 50 <= sum(found.is_broken for found in fates) <= 110
    assert 8 <= sum(found.has_conflict for found in fates) <= 35


def _result(number: int, *, attempt: int = 1, is_broken: bool = False) -> CiResult:
    group = Group("main", "default", None)
    stay = Stay("stay", 1, 1, group, Fate(is_broken=is_broken), entered_at=0.0, waiting_since=0.0)
    batch = Batch(f"batch-{number}", [stay], None, is_stacked_on_breakage=False, attempt=attempt)
    return ci_result(1, DEFAULT_QUEUE.pipeline, batch, _NIGHT)
