"""Which parts a document's conditions need."""

import pytest

from conditions.builders import leaf
from mergecast.language.conditions.tree import All, AnyOf, Not, needed_parts
from mergecast.queues.model.snapshot import Part


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label = x", set()),
        ("#files > 3", set()),
        ("files = x", {Part.FILES}),
        ("#added-files > 3", {Part.FILES}),
        ("author = @core", {Part.TEAMS}),
        ("review-requested = @core", {Part.PERMISSIONS}),
        ("approved-reviews-by = @core", {Part.REVIEWS, Part.PERMISSIONS, Part.TEAMS}),
        ("check-success = x", {Part.CHECK_RUNS, Part.STATUSES, Part.BRANCH_PROTECTION, Part.RULES}),
        ("commits[0].author = x", {Part.COMMITS}),
        ("#commits > 1", set()),
        ("#commits-behind > 1", {Part.BEHIND}),
        ("schedule = Mon-Fri", set()),
    ],
)
def test_a_condition_names_the_parts_it_needs(text: str, expected: set[Part]) -> None:
    """Nothing else has to be fetched."""
    assert expected == needed_parts(leaf(text))


def test_a_tree_needs_what_its_leaves_need() -> None:
    """In any group; an empty group needs nothing."""
    tree = All((AnyOf((leaf("files = x"),)), Not(leaf("commits = x")), AnyOf(())))

    assert {Part.FILES, Part.COMMITS} == needed_parts(tree)
