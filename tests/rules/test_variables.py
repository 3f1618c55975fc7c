"""What templates see of a pull request."""

from dataclasses import replace
from typing import Any

import pytest

from mergecast.language.conditions.attributes import TEMPLATE_ATTRIBUTES
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.rules.context import Context
from mergecast.language.rules.variables import fill_legacy
from mergecast.queues.model.snapshot import HeadChange, Snapshot
from rules.builders import BARE, COMMIT, NOW, configuration, file, planned, review, run, search, snapshot

MERGE_COMMIT = replace(COMMIT, sha="m", parents=("a", "b"), author="Merger", author_email="m@acme.example")
BOT_COMMIT = replace(COMMIT, author_login="dependabot[bot]", author="Bot", author_email="b@acme.example")
SEEN = snapshot(
    pull={"labels": ("a", "b"), "milestone": None},
    commits=(COMMIT, MERGE_COMMIT, BOT_COMMIT, replace(COMMIT, authored_at=None)),
    files=(file("x.py"),),
    check_runs=(run("ci", "success"), run("slow", None)),
    reviews=(review("bob", "APPROVED"),),
    head_history=(HeadChange("old", NOW), HeadChange("c0ffee", NOW)),
    behind=2,
    dequeue_reason="CHECKS_FAILED",
)


def filled(text: str, seen: Snapshot = SEEN, **more: Any) -> str:
    evaluator = Evaluator(SnapshotView(seen), NOW, search)
    return fill_legacy(text, Context(configuration(""), evaluator, None), **more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ author }} {{ number + 1 }} {{ milestone }}|", "ann 8 |"),
        ("{{ label | join('/') }}", "a/b"),
        ("{{ created_at.strftime('%Y-%m-%d') }}", "2026-11-13"),
        ("{{ current_datetime.isoformat() }}", "2026-11-15T12:00:00+00:00"),
        ("{{ closed_at is none }} {{ draft }}", "True False"),
        ("{{ commits | length }}: {{ commits[0] }}", f"4: {COMMIT.message}"),
        ("{{ commits[0].commit_message.split()[0] }}", "Fix"),
        ("{{ commits[0].sha }} {{ commits[1].parents | join('+') }}", "c0ffee a+b"),
        ("{{ commits[0].date_author.year }} {{ commits[3].date_author is none }}", "2026 True"),
        (
            "{% for one in co_authors %}{{ one.name }} at {{ one.email }}{% endfor %}",
            "Ann at ann@acme.example",
        ),
        ("{{ co_authors | join }}", "Ann <ann@acme.example>"),
        ("{{ updates | join(' ') }} {{ updates[0].timestamp.year }}", "old c0ffee 2026"),
        ("{{ check | join(' ') }} {{ check_success | join }}", "ci slow ci"),
        ("{{ commits_behind }} {{ files | join }}", "2 x.py"),
        ("{{ repository_full_name }} {{ body_raw }}", "acme/engine "),
        ("{{ queue_dequeue_reason }}", "CHECKS_FAILED"),
    ],
)
def test_attributes(text: str, expected: str) -> None:
    assert expected == filled(text)


def test_every_attribute_can_be_named() -> None:
    """It has a value or was not recorded; never an internal error."""
    for name in sorted(TEMPLATE_ATTRIBUTES):
        effect, (text,) = planned("post_check", {"title": f"{{{{ {name} }}}}"}, SEEN)

        assert text.startswith(("Would post a check", "Not known: ")), name
        assert effect.name in {"ACTS", "UNKNOWN"}, name


def test_variables_of_the_field_come_with_the_attributes() -> None:
    assert "mine ann" == filled("{{ check_status }} {{ author }}", check_status="mine")


@pytest.mark.parametrize(
    ("message", "seen", "expected"),
    [
        ("{{ queue_dequeue_reason }}", SEEN, "CHECKS_FAILED"),
        ("<{{ queue_dequeue_reason }}>", snapshot(dequeue_reason="NONE"), "<>"),
        ("{{ approvers }}", SEEN, "@bob"),
        ("{{ author }}!", snapshot(pull={"author": None}), "!"),
        ("{{ body }}!", snapshot(pull={"body": "a<!-- secret -->b"}), "ab!"),
        ("{{ labels }}", BARE, ""),
    ],
)
def test_variables_of_messages(message: str, seen: Snapshot, expected: str) -> None:
    assert [f"Would post the comment: {expected}"] == planned("comment", {"message": message}, seen)[1]


def test_commits_of_a_backport() -> None:
    of_base = replace(MERGE_COMMIT, message="Merge branch 'main' into fix")
    seen = snapshot(pull={"merged": True, "closed": True}, commits=(COMMIT, of_base))
    options = {"branches": ["v1"], "body": "{{ cherry_picked_commits }}|{{ cherry_pick_error }}"}

    assert "With the body: c0ffee\nm|" == planned("backport", options, seen)[1][1]
