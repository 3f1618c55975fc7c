"""The commits of the invented pull requests."""

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from mergecast.demo.history import has_changed
from mergecast.demo.stays import Fate, Group, Stay

pytestmark = pytest.mark.thorough

_GOOD, _BROKEN = Fate(), Fate(is_broken=True)


def _stay(number: int, fate: Fate) -> Stay:
    return Stay(f"stay-{number}", number, 1, Group("main", "default", None), fate, 0.0, 0.0)


def test_a_commit_changes_only_with_a_push(events: list[dict[str, Any]]) -> None:
    """During a stay that ends because of a push, or between two stays."""
    sides: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if "head_sha" in event:
            sides[event["pull_request"]].append(event)

    during = Counter(
        (after["reason"], before["head_sha"] != after["head_sha"])
        for own in sides.values()
        for before, after in pairwise(own)
        if before["type"] == "queue_entered"
    )
    between = Counter(
        (before["reason"], before["head_sha"] != after["head_sha"])
        for own in sides.values()
        for before, after in pairwise(own)
        if before["type"] == "queue_left"
    )

    assert {"PULL_REQUEST_UPDATED"} == {reason for reason, is_changed in during if is_changed}
    assert not during["PULL_REQUEST_UPDATED", False]
    assert not between["PULL_REQUEST_UPDATED", True]
    assert not between["CONFLICT_WITH_BASE_BRANCH", False]
    assert between["CHECKS_FAILED", True] > 50
    assert sum(between[reason, False] for reason in ("CHECKS_FAILED", "CHECKS_TIMEOUT")) > 20


def test_pull_requests_have_different_commits(events: list[dict[str, Any]]) -> None:
    owners = {(event["head_sha"], event["pull_request"]) for event in events if "head_sha" in event}

    assert len(owners) == len({commit for commit, _ in owners})


def test_what_was_broken_comes_back_fixed_only_with_a_push() -> None:
    """Nor does a commit break by itself."""
    for before, now in ((_BROKEN, _GOOD), (_GOOD, _BROKEN)):
        assert all(has_changed(1, _stay(number, before), "CHECKS_FAILED", now) for number in range(200))


def test_most_good_pull_requests_and_few_broken_ones_come_back_unchanged() -> None:
    """Their authors read the log before they queue them again."""
    unchanged = [
        sum(not has_changed(1, _stay(number, fate), "CHECKS_FAILED", fate) for number in range(1_000))
        for fate in (_GOOD, _BROKEN)
    ]

    assert [850, 250] == pytest.approx(unchanged, abs=50)
