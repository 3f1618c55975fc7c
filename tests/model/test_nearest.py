"""The nearest known name."""

import pytest

from mergecast.queues.model.nearest import nearest

NAMES = ["label", "title", "author", "base", "when", "queue_rules", "approved-reviews-by", "check-success"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lable", "label"),
        ("labels", "label"),
        ("Label", "label"),
        ("queue-rule", "queue_rules"),
        ("approved_reviews_by", "approved-reviews-by"),
        ("check-succes", "check-success"),
        ("zebra", None),
        ("bas", "base"),
        ("bsae", "base"),
        ("then", None),  # not `when`
        ("since", None),
        ("", None),
        ("label" * 20, None),
    ],
)
def test_a_misspelled_name_finds_the_one_that_was_meant(name: str, expected: str | None) -> None:
    """Case, dashes and small mistakes do not matter; a name that is far from all others finds none."""
    assert expected == nearest(name, NAMES)


def test_the_order_of_the_known_names_does_not_matter() -> None:
    """Of two equally near names, the suggestion is always the same."""
    assert nearest("ab", ["abx", "aby"]) == nearest("ab", ["aby", "abx"])
