"""Checks: their states, and whether a result can still change."""

from typing import Any

import pytest

from conditions.builders import NOW, holds, judge, leaf, run, search, snapshot
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import Outcome, outcome
from mergecast.language.conditions.tree import All, AnyOf, Condition, Not
from mergecast.queues.model.snapshot import BranchProtection, BranchRule, CheckRun, CommitStatus, Snapshot


def _state(conclusion: str | None) -> Snapshot:
    return snapshot(check_runs=(run("ci", conclusion),), statuses=())


@pytest.mark.parametrize(
    ("conclusion", "attributes"),
    [
        ("success", {"check-success", "check-success-or-neutral"}),
        ("failure", {"check-failure"}),
        ("action_required", {"check-failure"}),
        ("timed_out", {"check-failure", "check-timed-out"}),
        ("cancelled", {"check-failure", "check-cancelled"}),
        ("neutral", {"check-neutral", "check-success-or-neutral"}),
        ("skipped", {"check-skipped"}),
        ("stale", {"check-stale"}),
        (None, {"check-pending"}),
    ],
)
def test_a_conclusion_decides_which_attributes_list_the_check(
    conclusion: str | None, attributes: set[str]
) -> None:
    """Cancelled and timed out are failures too."""
    names = ["success", "failure", "neutral", "skipped", "cancelled", "timed-out", "pending", "stale"]
    every = [f"check-{name}" for name in (*names, "success-or-neutral")]

    found = {name for name in every if holds(f"{name} = ci", _state(conclusion))}

    assert attributes == found


def test_the_latest_attempt_of_an_app_counts() -> None:
    """A run that has not completed is the latest."""
    again = snapshot(check_runs=(run("ci", "success"), run("ci", "failure", completed_at=NOW - 1)))
    running = snapshot(check_runs=(run("ci", None), run("ci", "failure")))

    assert holds("check-success = ci", again)
    assert not holds("check-failure = ci", again)
    assert holds("check-pending = ci", running)
    assert holds("#check-failure = 0", running)


def test_a_name_with_an_app_means_the_check_of_that_app() -> None:
    """A name alone means the check of any app; statuses have no app."""
    seen = snapshot(
        check_runs=(run("lint", "success", app="other-ci"), run("lint", "failure")),
        statuses=(CommitStatus("build/a", "success", NOW),),
    )

    assert holds("check-success = lint", seen)
    assert holds("check-failure = lint", seen)
    assert not holds("check-success = @github-actions/lint", seen)
    assert holds("check-success != @github-actions/lint", seen)
    assert holds("check-success = @other-ci/lint", seen)
    assert holds("check-success >= @other-ci/a", seen)
    assert holds("check-success = build/a", seen)
    assert not holds("check-success = @other-ci/build/a", seen)
    assert holds("check-success ~= ^build", seen)
    assert holds("check-success *= build/*", seen)


def test_a_status_hides_check_runs_with_the_same_name() -> None:
    """Under the name alone; with an app, the check run is still found."""
    seen = snapshot(
        check_runs=(run("ci", "failure"),),
        statuses=(CommitStatus("ci", "success", NOW), CommitStatus("ci", "pending", NOW - 1)),
    )

    assert holds("check-success = ci", seen)
    assert not holds("check-failure = ci", seen)
    assert not holds("check-pending = ci", seen)
    assert holds("check-failure = @github-actions/ci", seen)


@pytest.mark.parametrize(
    "asked",
    [
        {"branch_protection": BranchProtection(required_checks=("build",))},
        {"rules": (BranchRule("required_status_checks", required_checks=("build",)),)},
    ],
)
def test_a_required_check_that_was_not_reported_is_pending(asked: dict[str, Any]) -> None:
    """It is neither missing nor failed, and belongs to no app."""
    seen = snapshot(check_runs=(), statuses=(), **asked)

    assert holds("check-pending = build", seen)
    assert not holds("check-pending = @github-actions/build", seen)
    assert not holds("check-pending = build", snapshot(check_runs=(run("build", "success"),), **asked))


def test_reports_of_the_service_about_itself_are_not_seen() -> None:
    """A rule must not depend on itself; other checks of the service count like those of any app."""
    reports = ("Summary", "Rule: a (queue)", "Queue: q", "Mergify Merge Queue")
    others = ("Configuration changed", "Mergify Merge Protections")
    own = tuple(CheckRun(name, "mergify", "success", NOW) for name in (*reports, *others))
    protection = BranchProtection(required_checks=("Mergify Merge Protections",))
    seen = snapshot(check_runs=own, statuses=(), branch_protection=protection)

    assert others == judge("check-success = x", seen).observed
    assert holds("check-success = Mergify Merge Protections", seen)
    assert not holds("check-pending = Mergify Merge Protections", seen)


def test_a_caveat_says_which_kind_of_checks_was_not_recorded() -> None:
    """The other kind is used."""
    runs, statuses = snapshot(check_runs=()), snapshot(statuses=())

    assert "no commit statuses were recorded" == judge("check-success = x", runs).caveat
    assert "no check runs were recorded" == judge("check-success = x", statuses).caveat
    assert judge("check-success = x", snapshot(check_runs=(), statuses=())).caveat is None


def test_the_result_names_the_matching_checks() -> None:
    """In any state."""
    seen = snapshot(check_runs=(run("a1", "success"), run("a2", None), run("b", "failure")))

    assert ("a1", "a2") == judge("check-success ~= ^a", seen).checks
    assert ("a2",) == judge("check-success != a2", seen).checks
    assert ("a1", "a2", "b") == judge("#check-success = 1", seen).checks
    assert () == judge("check-success = {{ author }}", seen).checks


PENDING = snapshot(check_runs=(run("ci", None),))
FAILED = snapshot(check_runs=(run("ci", "failure"),))
PASSED = snapshot(check_runs=(run("ci", "success"),))
NOTHING = snapshot(check_runs=())


@pytest.mark.parametrize(
    ("text", "seen", "expected"),
    [
        ("check-success = ci", NOTHING, False),
        ("check-success = ci", PENDING, False),
        ("check-success = ci", FAILED, True),
        ("check-success = ci", PASSED, True),
        ("check-failure != ci", NOTHING, False),
        ("#check-failure = 0", PENDING, False),
        ("#check-failure = 0", NOTHING, True),
        ("check-pending != ci", NOTHING, True),
        ("check-pending != ci", PENDING, False),
        ("check-pending = ci", NOTHING, False),
        ("check-pending = ci", PASSED, True),
        ("check-success ~= ^c", PENDING, False),
        ("check-success ~= ^c", FAILED, True),
        ("label = x", NOTHING, True),
    ],
)
def test_a_condition_is_complete_when_its_checks_have_reported(
    text: str,
    seen: Snapshot,
    expected: bool,  # noqa: FBT001
) -> None:
    """A completed check decides it; a pending or missing one does not."""
    assert expected is judge(text, seen).is_complete


def _outcome(condition: Condition, seen: Snapshot, otherwise: Outcome) -> Outcome:
    result = Evaluator(SnapshotView(seen), NOW, search).evaluate(condition)
    return outcome(result, when_something_else_is_missing=otherwise)


CI, LABEL, CLOSED_SHOP = leaf("check-success = ci"), leaf("label = go"), leaf("schedule = Mon-Fri")
ANY_END = AnyOf((CI, leaf("check-neutral = ci"), leaf("check-skipped = ci")))


@pytest.mark.parametrize(
    ("condition", "seen", "in_queue", "in_protection"),
    [
        (CI, PASSED, Outcome.SUCCESS, Outcome.SUCCESS),
        (CI, NOTHING, Outcome.PENDING, Outcome.PENDING),
        (CI, PENDING, Outcome.PENDING, Outcome.PENDING),
        (CI, FAILED, Outcome.FAILURE, Outcome.FAILURE),
        (CI, snapshot(), Outcome.PENDING, Outcome.PENDING),
        (ANY_END, NOTHING, Outcome.PENDING, Outcome.PENDING),
        (ANY_END, FAILED, Outcome.FAILURE, Outcome.FAILURE),
        (LABEL, NOTHING, Outcome.PENDING, Outcome.FAILURE),
        (All((LABEL, CI)), FAILED, Outcome.PENDING, Outcome.FAILURE),
        (AnyOf((LABEL, CI)), PENDING, Outcome.PENDING, Outcome.PENDING),
        (AnyOf((LABEL, CI)), FAILED, Outcome.FAILURE, Outcome.FAILURE),
        (CLOSED_SHOP, NOTHING, Outcome.PENDING, Outcome.PENDING),
        (All((CLOSED_SHOP, CI)), FAILED, Outcome.FAILURE, Outcome.FAILURE),
        (All((CLOSED_SHOP, CI)), PASSED, Outcome.PENDING, Outcome.PENDING),
        (Not(leaf("check-pending = ci")), PENDING, Outcome.PENDING, Outcome.PENDING),
        (Not(CI), PASSED, Outcome.FAILURE, Outcome.FAILURE),
        (All((leaf("check-pending != ci"), CI)), FAILED, Outcome.FAILURE, Outcome.FAILURE),
        (leaf("#approved-reviews-by >= 1"), NOTHING, Outcome.PENDING, Outcome.FAILURE),
        (AnyOf(()), NOTHING, Outcome.PENDING, Outcome.FAILURE),
        (All(()), NOTHING, Outcome.SUCCESS, Outcome.SUCCESS),
    ],
)
def test_the_outcome_depends_on_what_can_still_change(
    condition: Condition, seen: Snapshot, in_queue: Outcome, in_protection: Outcome
) -> None:
    """Checks and time may still change; a queue also waits for anything else."""
    found = [_outcome(condition, seen, otherwise) for otherwise in (Outcome.PENDING, Outcome.FAILURE)]

    assert [in_queue, in_protection] == found
