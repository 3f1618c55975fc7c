"""The numbered cases of the language's reference, as far as conditions alone decide them."""

import pytest

from conditions.builders import COMMIT, NOW, file, holds, judge, leaf, review, run, search, snapshot
from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.errors import InvalidCondition, InvalidGlob
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.globs import compile_glob
from mergecast.language.conditions.parser import parse_condition
from mergecast.language.conditions.result import Outcome, outcome
from mergecast.language.conditions.slips import slips
from mergecast.language.conditions.times.timestamps import RelativeTime
from mergecast.language.conditions.tree import All, AnyOf
from mergecast.queues.model.snapshot import BranchProtection, Snapshot

INVALID = [
    ("C14", "closed=false", "Operators are invalid for Boolean attribute: `closed`"),
    ("C15", "commits-behind > 0", "`#` modifier is required for attribute: `commits-behind`"),
    ("C15", "#conflict", "`#` modifier is invalid for attribute: `conflict`"),
    (
        "C16",
        "-schedule = Mon-Fri 09:00-17:00[Europe/Paris]",
        "`-` modifier is invalid for attribute: `schedule`; write `schedule != …`",
    ),
    ("C20", "updated-at = 2026-01-01", "Invalid operator"),
    ("C21", "files ~= docs/(?i)readme", "Invalid regular expression: "),
    ("C25", "check-success = @github-actions", "Invalid check name: expected @<app-slug>/<check-name>"),
    ("C28", "sender = bob", "Attribute only allowed in commands_restrictions section: `sender`"),
    ("C29", "number = {{ author }}", "{{ author }} is not a number"),
    ("C30", "commits[-1].sha = abc", "Invalid attribute: `sha`"),
    ("C51", "schedule = Mon-Fri 22:00-06:00[UTC]", "Invalid schedule: 22:00-06:00 ends before it starts"),
    ("C63", "files~=^(?src/index/ivf-raft)", "Invalid regular expression: "),
]


@pytest.mark.parametrize(("case", "text", "reason"), INVALID, ids=[f"{row[0]} {row[1]}" for row in INVALID])
def test_conditions_that_the_reference_rejects(case: str, text: str, reason: str) -> None:
    """The message starts as the reference says."""
    with pytest.raises(InvalidCondition) as caught:
        parse_condition(text, Section.RULES)

    assert caught.value.reason.startswith(reason), case


def test_c06_a_comment_eats_the_pattern() -> None:
    """The rest of the pattern matches every title."""
    assert "title ~=" == leaf("title ~=").text
    assert holds("title ~=", snapshot())


def test_c08_a_colon_is_an_equals_sign() -> None:
    """Spaces make no difference."""
    assert leaf("label = bug") == leaf("label:bug")


def test_c13_empty_groups() -> None:
    """All of nothing matches, any of nothing never does."""
    assert holds(All((All(()),)), snapshot())
    assert not holds(All((AnyOf(()),)), snapshot())


def test_c19_the_longest_name_wins() -> None:
    """A relative time of `merged-at`, not `merged` followed by something."""
    condition = leaf("merged-at < 2 days 3 hours ago")

    assert ("merged-at", RelativeTime((2 * 24 + 3) * 3_600_000_000)) == (
        condition.attribute.name,
        condition.value,
    )
    assert not holds(condition, snapshot())


WIP = snapshot(pull={"labels": ("bug", "wip")})
NESTED = snapshot(files=(file("src/a/b.py"),))
TWO_APPS = snapshot(check_runs=(run("lint", "success", app="other-ci"), run("lint", "failure")))
CANCELLED = snapshot(check_runs=(run("test", "cancelled"),))
HELD: list[tuple[str, str, Snapshot, bool]] = [
    ("C17 a", "label != wip", WIP, False),
    ("C17 b", "-label ~= ^w", WIP, False),
    ("C17 c", "label != doc", WIP, True),
    ("C18", "label != wip", snapshot(), True),
    ("C22 one", "files *= src/*.py", NESTED, False),
    ("C22 two", "files *= src/**/*.{py,pyi}", NESTED, True),
    ("C25 bare", "check-success = lint", TWO_APPS, True),
    ("C25 pinned", "check-success = @github-actions/lint", TWO_APPS, False),
    ("C26 a", "check-failure = test", CANCELLED, True),
    ("C26 b", "-check-cancelled = test", CANCELLED, False),
    ("C28", "sender = @core", snapshot(sender="ann", teams={"acme/core": ("ann",)}), True),
    ("C29", "commits[*].author = {{ author }}", snapshot(pull={"author": "Ann"}, commits=(COMMIT,)), True),
    ("C56", "created-at<=24h ago", snapshot(), True),
    ("C56", "approved-reviews-by>=1", snapshot(reviews=(review("ann", "APPROVED"),)), True),
]


@pytest.mark.parametrize(
    ("case", "text", "seen", "expected"), HELD, ids=[f"{row[0]} {row[1]}" for row in HELD]
)
def test_evaluation_in_the_reference(case: str, text: str, seen: Snapshot, expected: bool) -> None:  # noqa: FBT001
    """On the pull request that the case describes."""
    assert expected is holds(text, seen), case


def test_c23_an_unbalanced_brace() -> None:
    """Wherever a glob is allowed."""
    with pytest.raises(InvalidGlob) as caught:
        compile_glob("services/{api,web/**")

    assert "Invalid glob pattern 'services/{api,web/**': unbalanced brace" == caught.value.reason


def test_c24_a_rename_out_of_a_guarded_folder() -> None:
    """The guard applies, and a missing label is not pending."""
    seen = snapshot(pull={"changed_files": 1}, files=(file("b.txt", "renamed", "critical/a.txt"),))
    label = Evaluator(SnapshotView(seen), NOW, search).evaluate(leaf("label = reviewed"))

    assert holds("files ~= ^critical/", seen)
    assert holds("#files = 1", seen)
    assert ("b.txt", "critical/a.txt") == judge("files = x", seen).observed
    assert Outcome.FAILURE is outcome(label, when_something_else_is_missing=Outcome.FAILURE)


def test_c27_a_required_check_that_was_not_reported() -> None:
    """Pending, not failed."""
    protection = BranchProtection(required_checks=("build",))
    seen = snapshot(check_runs=(), statuses=(), branch_protection=protection)
    injected = AnyOf(tuple(leaf(f"check-{state} = build") for state in ("success", "neutral", "skipped")))
    result = Evaluator(SnapshotView(seen), NOW, search).evaluate(injected)

    assert holds("check-pending = build", seen)
    assert Outcome.PENDING is outcome(result, when_something_else_is_missing=Outcome.FAILURE)


def test_c56_an_ordering_without_a_count_is_a_probable_mistake() -> None:
    """It compares names with the text `1`."""
    assert slips(leaf("approved-reviews-by>=1"))[0].startswith("did you mean #approved-reviews-by")


@pytest.mark.parametrize("text", ["#approved-reviews-by >= 1", "-#approved-reviews-by >= 1"])
def test_c58_a_part_that_was_not_recorded(text: str) -> None:
    """Neither the condition nor its opposite matches."""
    assert not holds(text, snapshot())
    assert "no reviews were recorded" == judge(text, snapshot()).missing
