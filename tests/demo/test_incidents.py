"""Incidents come now and then, and change what they should."""

import pytest

from mergecast.demo.incidents import (
    broken_share,
    disruptions,
    flake_share,
    incident,
    paused_until,
    slowness,
)

_WEEK = 7 * 86400.0


@pytest.mark.parametrize("seed", range(5))
def test_twelve_weeks_have_one_incident_of_each_kind(seed: int) -> None:
    """Every four weeks something happens, each time something else."""
    kinds = {incident(seed, number).kind for number in range(3)}

    assert {"flakes", "slow CI", "broken main"} == kinds


@pytest.mark.parametrize("seed", range(5))
def test_an_incident_lies_in_its_four_weeks(seed: int) -> None:
    """An incident is over before the next four weeks begin."""
    for number in range(6):
        found = incident(seed, number)
        assert number * 4 * _WEEK <= found.begins < found.ends <= found.paused_until
        assert found.paused_until <= (number + 1) * 4 * _WEEK


def test_each_kind_of_incident_changes_its_own_number() -> None:
    """Flakes quadruple, CI slows down and pull requests break, from the beginning until before the end."""
    found = {incident(1, number).kind: incident(1, number) for number in range(3)}
    flakes, slow, broken = found["flakes"], found["slow CI"], found["broken main"]

    assert 4 * flake_share(1, flakes.ends) == flake_share(1, flakes.begins)
    assert (1.8, 1.0) == (slowness(1, slow.begins), slowness(1, slow.ends))
    assert (0.6, 0.04) == (broken_share(1, broken.begins), broken_share(1, broken.ends))


def test_a_broken_main_is_followed_by_a_pause_of_the_default_queue() -> None:
    """The pause begins when the incident ends, and stops what runs."""
    incidents = [incident(1, number) for number in range(3)]
    broken = next(found for found in incidents if found.kind == "broken main")

    stopped = disruptions(1, int(broken.ends // 86400))

    assert broken.paused_until == paused_until(1, broken.ends)
    assert paused_until(1, broken.paused_until) is None
    assert (broken.ends, "default", "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE") in {
        (one.moment, one.queue_name, one.outcome) for one in stopped
    }


def test_the_freeze_begins_every_friday_afternoon() -> None:
    """The release queue stops at four on Fridays and at no other time."""
    freezes = [
        (day % 7, found.moment % 86400 / 3600, found.queue_name)
        for day in range(28)
        for found in disruptions(1, day)
        if found.outcome == "SCHEDULED_FREEZE_STATUS_CHANGED"
    ]

    assert [(4, 16.0, "release")] * 4 == freezes
