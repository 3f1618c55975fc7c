"""One line per condition: box, label, description, and the value it saw if it does not hold."""

from dataclasses import replace

import pytest

from conditions.builders import BARE, FULL, NOW, leaf, run, search, snapshot
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import GroupResult
from mergecast.language.conditions.tree import All, AnyOf, Condition, Leaf, Not
from mergecast.language.report.checklist import checklist
from mergecast.language.report.markdown import summary
from mergecast.language.report.outline import report, section
from mergecast.language.report.terminal import plain_text
from mergecast.queues.model.instant import DAY, SECOND
from mergecast.queues.model.snapshot import CommitStatus, Snapshot
from report.rendering import tokens

LABELS = snapshot(pull={"labels": ("g", "f", "e", "d", "c", "b", "a")})
CHECKED = replace(FULL, check_runs=(run("ci", "success"), run("lint", None), run("docs", "failure")))


def _shown(*members: Condition, seen: Snapshot = FULL) -> str:
    result = Evaluator(SnapshotView(seen), NOW, search).evaluate(All(members))
    assert isinstance(result, GroupResult)
    found = report("title", section("Section", checklist(result, when_empty="No conditions")))
    return summary(found).removeprefix("### Section\n\n")


def _described(text: str, description: str) -> Leaf:
    return replace(leaf(text), description=description)


@pytest.mark.parametrize(
    ("text", "seen", "expected"),
    [
        ("base=main", FULL, "- [X] `base=main`"),
        ("base=dev", FULL, "- [ ] `base=dev` — seen: `main`"),
        ("label=ready", FULL, "- [ ] `label=ready` — seen: nothing"),
        ("milestone=v1", FULL, "- [ ] `milestone=v1` — seen: nothing"),
        ("label=z", LABELS, "- [ ] `label=z` — seen: `a`, `b`, `c`, `d`, `e` and 2 more"),
        ("#label>9", LABELS, "- [ ] `#label>9` — seen: `7`"),
        ("draft", FULL, "- [ ] `draft` — seen: `false`"),
        ("title~=`x", FULL, "- [ ] ``title~=`x`` — seen: `Fix the queue`"),
        ("body~=x", FULL, "- [ ] `body~=x` — seen: nothing"),
        ("#files>3", FULL, "- [ ] `#files>3` — seen: `1`"),
        ("#approved-reviews-by>=1", BARE, "- [ ] `#approved-reviews-by>=1` — no reviews were recorded"),
        ("author=@acme/x", FULL, "- [ ] `author=@acme/x` ⚠️ Team `@acme/x` does not exist"),
        ("sender=ann", BARE, "- `sender=ann` — no sender of a command is known"),
        ("check-success=ci", CHECKED, "- [X] `check-success=ci`"),
        ("check-success=docs", CHECKED, "- [ ] `check-success=docs` — seen: `ci`"),
        ("check-success=lint", CHECKED, "- [ ] `check-success=lint` — seen: `ci` (still awaited)"),
        ("check-success=e2e", CHECKED, "- [ ] `check-success=e2e` — seen: `ci` (it has not reported)"),
        ("#check-success>1", CHECKED, "- [ ] `#check-success>1` — seen: `1` (some checks are still awaited)"),
        (
            "schedule=Mon-Fri 09:00-17:00",
            FULL,
            (
                "- [ ] `schedule=Mon-Fri 09:00-17:00` — seen: `2026-11-15T12:00:00Z` "
                "(next change 2026-11-16T09:00:00Z)"
            ),
        ),
        ("schedule=Sat-Sun", FULL, "- [X] `schedule=Sat-Sun` (next change 2026-11-16T00:00:00Z)"),
        (
            "updated-at<30 days ago",
            FULL,
            (
                "- [ ] `updated-at<30 days ago` — seen: `2026-11-14T12:00:00Z` "
                "(next change 2026-12-14T12:00:00Z)"
            ),
        ),
    ],
)
def test_one_condition(text: str, seen: Snapshot, expected: str) -> None:
    """The label is the text as written; a value is shown only where it explains."""
    assert expected == _shown(leaf(text), seen=seen)


def test_a_gap_that_could_matter() -> None:
    """A part that was not recorded, and could have made it hold, is mentioned with the value."""
    seen = replace(FULL, statuses=None)

    assert _shown(leaf("check-success=e2e"), seen=seen) == (
        "- [ ] `check-success=e2e` — seen: `ci` (it has not reported) (no commit statuses were recorded)"
    )


def test_long_values_are_cut() -> None:
    """A whole description is not repeated after a condition."""
    seen = snapshot(pull={"body": "word " * 1000})

    assert _shown(leaf("body~=x"), seen=seen) == f"- [ ] `body~=x` — seen: `{'word ' * 40}…`"


def test_groups() -> None:
    """Members are indented by two spaces per level; the description follows the colon."""
    tree = AnyOf(
        (
            All((leaf("base=main"), leaf("label=ready"))),
            Not(leaf("draft")),
            _described("#approved-reviews-by>=9", "🛡 branch protection"),
        ),
        "📌 queue requirement",
    )

    assert _shown(tree) == (
        "- [X] any of: [📌 queue requirement]\n"
        "  - [ ] all of:\n"
        "    - [X] `base=main`\n"
        "    - [ ] `label=ready` — seen: nothing\n"
        "  - [X] not:\n"
        "    - [ ] `draft` — seen: `false`\n"
        "  - [ ] `#approved-reviews-by>=9` [🛡 branch protection] — seen: `1`"
    )


def test_groups_about_the_sender_have_no_box() -> None:
    """The result is unknown until someone runs the command, unless other conditions decide."""
    open_group = AnyOf((leaf("sender=ann"), leaf("label=x")))
    decided = All((leaf("sender=ann"), leaf("label=x")))

    assert _shown(open_group, decided, seen=BARE) == (
        "- any of:\n"
        "  - `sender=ann` — no sender of a command is known\n"
        "  - [ ] `label=x` — seen: nothing\n"
        "- [ ] all of:\n"
        "  - `sender=ann` — no sender of a command is known\n"
        "  - [ ] `label=x` — seen: nothing"
    )


def test_no_conditions() -> None:
    """An empty list says what that means."""
    assert _shown() == "No conditions"


def test_descriptions_are_escaped() -> None:
    """They can hold names and titles."""
    described = _described("draft", "see [x](y) @bob")

    assert _shown(described) == r"- [ ] `draft` [see \[x\](y) @&#8203;bob] — seen: `false`"


def test_the_platform_nests_it_the_same_way() -> None:
    """Rendered, each group is a list inside the item of its group."""
    tree = AnyOf((All((leaf("base=main"), Not(leaf("draft")))), leaf("label=x")))
    depths = [token.level for token in tokens(_shown(tree)) if token.type == "list_item_open"]

    assert depths == [1, 3, 5, 5, 7, 3]


def test_signs_of_the_terminal() -> None:
    """Holds, does not hold, cannot be known, depends on the sender."""
    members = (leaf("base=main"), leaf("label=x"), leaf("#approved-reviews-by>=1"), leaf("sender=ann"))
    result = Evaluator(SnapshotView(BARE), NOW, search).evaluate(All((*members, Not(leaf("draft")))))
    assert isinstance(result, GroupResult)

    assert plain_text(report("title", section("Rules", checklist(result, when_empty="")))) == (
        "title\n"
        "\n"
        "Rules\n"
        "  ✓ base=main\n"
        "  ✗ label=x — seen: nothing\n"
        "  ? #approved-reviews-by>=1 — no reviews were recorded\n"
        "  · sender=ann — no sender of a command is known\n"
        "  ✓ not:\n"
        "    ✗ draft — seen: false\n"
    )


def test_fractions_of_a_second_are_not_shown() -> None:
    """Changes are shown at full seconds."""
    seen = snapshot(pull={"updated_at": NOW - DAY + SECOND // 2})

    assert _shown(leaf("updated-at<=2 days ago"), seen=seen).endswith("(next change 2026-11-16T12:00:00Z)")


def test_commit_statuses_are_checks_too() -> None:
    """A status in another state does not satisfy the condition."""
    seen = replace(FULL, statuses=(CommitStatus("ci/old", "pending", NOW),))

    assert _shown(leaf("check-success=ci/old"), seen=seen) == (
        "- [ ] `check-success=ci/old` — seen: `ci` (still awaited)"
    )
