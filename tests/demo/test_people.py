"""People take pull requests out and queue them again, in working hours."""

import pytest

from mergecast.demo.history import comes_back_at, withdrawal
from mergecast.demo.settings import DAY, HOUR, WEEK
from mergecast.demo.stays import Fate, Group, Stay

_NOON = 12 * HOUR


def test_second_thoughts_come_in_working_hours() -> None:
    """Queues are idle in the early morning and at the weekend."""
    found = [withdrawal(1, f"stay-{number}", _NOON) for number in range(500)]

    moments = [one.moment for one in found if one is not None]

    assert 100 <= len(moments) < 500
    assert all(_is_working_time(moment) for moment in moments)


def test_people_update_more_often_than_they_dequeue() -> None:
    """Both happen, and new pushes happen more often."""
    found = [withdrawal(1, f"stay-{number}", _NOON) for number in range(500)]

    reasons = [one.reason for one in found if one is not None]

    assert reasons.count("PULL_REQUEST_UPDATED") > reasons.count("PR_MANUALLY_DEQUEUED") > 0


def test_what_is_merged_does_not_come_back() -> None:
    """A merged pull request is never queued again."""
    assert comes_back_at(1, _stay(1), "PR_MERGED", _NOON) is None


@pytest.mark.parametrize(("is_broken", "share"), [(True, 0.4), (False, 0.9)], ids=["broken", "flake"])
def test_a_failed_pull_request_comes_back_with_its_share(is_broken: bool, share: float) -> None:  # noqa: FBT001
    """What only met a flake comes back more often than what is broken."""
    stays = [_stay(number, is_broken=is_broken) for number in range(500)]

    back = [comes_back_at(1, stay, "CHECKS_FAILED", _NOON) for stay in stays]

    assert share == pytest.approx(sum(moment is not None for moment in back) / 500, abs=0.05)


@pytest.mark.parametrize("left_at", [_NOON, 4 * DAY + 23 * HOUR, 5 * DAY + _NOON, 8 * DAY + 3 * HOUR])
def test_pull_requests_come_back_later_and_in_working_hours(left_at: float) -> None:
    """After an evening or a weekend they come back in the morning."""
    back = [comes_back_at(1, _stay(number), "PULL_REQUEST_UPDATED", left_at) for number in range(200)]

    moments = [moment for moment in back if moment is not None]

    assert all(moment > left_at and _is_working_time(moment) for moment in moments)


def _is_working_time(moment: float) -> bool:
    return moment % WEEK < 5 * DAY and moment % DAY >= 7 * HOUR


def _stay(number: int, *, is_broken: bool = False) -> Stay:
    group = Group("main", "default", None)
    fate = Fate(is_broken=is_broken)
    return Stay(f"stay-{number}", number, 1, group, fate, entered_at=0.0, waiting_since=0.0)
