"""The nearest known name."""

import pytest

from mergecast.model.nearest import nearest

NAMES = ["label", "title", "author", "base", "queue_rules", "approved-reviews-by", "check-success"]


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
        ("", None),
        ("label" * 20, None),
    ],
)
def test_a_misspelt_name_finds_the_one_meant(name: str, expected: str | None) -> None:
    """Case, dashes and small slips do not hide a name; far or endless text finds none."""
    assert expected == nearest(name, NAMES)


def test_the_order_of_the_known_names_does_not_matter() -> None:
    """Two names equally near: always the same one is told."""
    assert nearest("ab", ["abx", "aby"]) == nearest("ab", ["aby", "abx"])
