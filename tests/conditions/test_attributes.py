"""The table of attributes is complete, matches the published one, and names what it reads."""

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conditions.builders import BARE, FULL, NOW, leaf, search
from mergecast.language.conditions.attribute import AllowedIn, Attribute, Sample, ValueKind
from mergecast.language.conditions.attributes import (
    ATTRIBUTES,
    COMMIT_ATTRIBUTES,
    DEPRECATED_NAMES,
    REMOVED_NAMES,
    TEMPLATE_ATTRIBUTES,
)
from mergecast.language.conditions.errors import NotRecorded
from mergecast.language.conditions.evaluate import Evaluator
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.result import Truth, holds_all, holds_any, opposite
from mergecast.language.conditions.tree import All, AnyOf, Condition, Not
from mergecast.queues.model.snapshot import Part, Snapshot

_SCHEMA = Path(__file__).parents[3] / "shared" / "reference" / "configuration-schema-2026-10.json"
# What the published schema says of each attribute: operators, then modifiers.
PUBLISHED = json.loads((Path(__file__).parent / "published_attributes.json").read_text(encoding="utf-8"))


def test_attributes_allow_the_published_operators() -> None:
    """And modifiers, except those that only templates have."""
    rows = {name: ATTRIBUTES[name] for name in PUBLISHED}
    in_conditions = {name: row for name, row in rows.items() if row.allowed_in is not AllowedIn.TEMPLATES}

    assert {name: set(operators) for name, (operators, _) in PUBLISHED.items()} == {
        name: set(row.operators) for name, row in rows.items()
    }
    assert {
        name: ("negate" in PUBLISHED[name][1], "length" in PUBLISHED[name][1]) for name in in_conditions
    } == {name: (row.is_negatable, row.count is not None) for name, row in in_conditions.items()}


@pytest.mark.skipif(not _SCHEMA.exists(), reason=f"not beside the project: {_SCHEMA}")
def test_the_published_attributes_are_those_of_the_schema() -> None:
    """Their operators and modifiers, and the codes of the reasons."""
    rows = json.loads(_SCHEMA.read_text(encoding="utf-8"))["$defs"]["PullRequestAttributes"]["properties"]
    reasons = rows["queue-dequeue-reason"]["anyOf"][0]["enum"]

    assert {name: [set(operators), set(modifiers)] for name, (operators, modifiers) in PUBLISHED.items()} == {
        name: [
            set(row.get("x-allowed-operators", ())),
            {modifier["type"] for modifier in row.get("x-modifiers", ())},
        ]
        for name, row in rows.items()
    }
    assert {*reasons} == {*ATTRIBUTES["queue-dequeue-reason"].members}


def test_only_one_attribute_is_not_published() -> None:
    """The documentation names it, the schema does not."""
    assert {"check-success-or-neutral"} == ATTRIBUTES.keys() - PUBLISHED.keys()


def test_deprecated_names_refer_to_attributes_and_are_not_attributes() -> None:
    """A suggestion must never name a deprecated name."""
    assert set(DEPRECATED_NAMES.values()) <= ATTRIBUTES.keys()
    assert set() == (DEPRECATED_NAMES.keys() | REMOVED_NAMES.keys()) & ATTRIBUTES.keys()


def test_every_row_has_a_description() -> None:
    """The documentation shows it."""
    texts = [row.help for row in ATTRIBUTES.values()] + [row.help for row in COMMIT_ATTRIBUTES.values()]

    assert [] == [text for text in texts if not (text[0].isupper() and text.endswith("."))]


@pytest.mark.parametrize(
    ("name", "sample"),
    [
        ("approved_reviews_by", Sample.LIST),
        ("body_raw", Sample.TEXT),
        ("number", Sample.NUMBER),
        ("draft", Sample.BOOLEAN),
        ("created_at", Sample.TIME),
        ("co_authors", Sample.LIST),
        ("commits_behind", Sample.LIST),
        ("github_review_decision", Sample.TEXT),
    ],
)
def test_templates_use_underscores_in_attribute_names(name: str, sample: Sample) -> None:
    """Each has a sample value of the right type."""
    assert sample is TEMPLATE_ATTRIBUTES[name].sample


def _readable(row: Attribute, seen: Snapshot) -> bool:
    try:
        row.read(SnapshotView(seen))
    except NotRecorded:
        return False
    return True


NEVER_RECORDED = {
    "review-threads-resolved",
    "review-threads-unresolved",
    "github-code-owner-review-satisfied",
    "github-review-approved",
    "github-require-last-push-approval",
    "queue-merge-started-at",
}


def test_a_row_names_the_parts_that_it_reads() -> None:
    """With only these parts it can be read; without them, only if the pull request itself has the value."""
    rows = {name: row for name, row in ATTRIBUTES.items() if name not in NEVER_RECORDED}
    without = {Part.DEPENDENCIES, Part.PERMISSIONS}

    assert [] == [name for name, row in rows.items() if not _readable(row, _only(row.needs))]
    assert {name for name, row in rows.items() if row.needs <= without} == {
        name for name, row in rows.items() if _readable(row, BARE)
    }


def _only(parts: Collection[Part]) -> Snapshot:
    """What is recorded if only these parts are."""
    absent: dict[str, Any] = {part.key: None for part in Part if part not in parts}
    return replace(FULL, **absent)


def test_a_count_from_the_platform_needs_no_list() -> None:
    """`#files` is known without the files."""
    for name in ("files", "commits", "added-lines", "deleted-lines", "modified-lines"):
        count = ATTRIBUTES[name].count

        assert count is not None
        assert count.read is not None
        assert isinstance(count.read(SnapshotView(BARE)), int)
        assert frozenset() == count.needs


@pytest.mark.parametrize("name", [name for name, row in ATTRIBUTES.items() if row.kind is ValueKind.BOOLEAN])
def test_a_boolean_attribute_and_its_negation_exclude_each_other(name: str) -> None:
    """Unless both are unknown."""
    if ATTRIBUTES[name].allowed_in is not AllowedIn.ANYWHERE:
        return
    plain, negated = (
        Evaluator(SnapshotView(FULL), NOW, search).evaluate(leaf(text)).truth for text in (name, f"-{name}")
    )

    assert plain is opposite(negated)


_TRUTHS = st.sampled_from(Truth)


@given(st.lists(_TRUTHS))
def test_all_and_any_follow_de_morgan(members: list[Truth]) -> None:
    """With unknown members too."""
    assert opposite(holds_all(members)) is holds_any([opposite(member) for member in members])


@given(st.lists(_TRUTHS))
def test_the_order_of_members_does_not_matter(members: list[Truth]) -> None:
    """Nor does a repeated member."""
    for join in (holds_all, holds_any):
        assert join(members) is join([*reversed(members), *members])


@given(_TRUTHS)
def test_a_double_negation_changes_nothing(truth: Truth) -> None:
    """Unknown stays unknown."""
    assert truth is opposite(opposite(truth))


_LEAVES = st.sampled_from(
    ["draft", "-draft", "label = x", "label != x", "#files > 0", "files = x", "author = @core"]
)
_TREES: st.SearchStrategy[Condition] = st.recursive(
    _LEAVES.map(leaf),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda members: All(tuple(members))),
        st.lists(inner, max_size=3).map(lambda members: AnyOf(tuple(members))),
        inner.map(Not),
    ),
    max_leaves=12,
)


@given(_TREES)
def test_more_recorded_parts_never_reverse_a_result(tree: Condition) -> None:
    """A condition that holds or fails on a bare snapshot still does on a full one."""
    known = replace(BARE, files=(), teams={"acme/core": ()})
    before = Evaluator(SnapshotView(BARE), NOW, search).evaluate(tree).truth
    after = Evaluator(SnapshotView(known), NOW, search).evaluate(tree).truth

    assert before is Truth.UNKNOWN or before is after
    assert after is not Truth.UNKNOWN
