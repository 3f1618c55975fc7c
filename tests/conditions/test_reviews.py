"""Which reviews count."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conditions.builders import NOW, holds, judge, review, snapshot

WRITERS = {"ann": "write", "bob": "maintain", "cat": "admin", "eve": "read", "tim": "triage"}


def test_the_last_decision_of_each_reviewer_counts_despite_later_comments() -> None:
    """In the order of submission, not of the list."""
    seen = snapshot(
        permissions=WRITERS,
        reviews=(
            review("ann", "APPROVED", NOW - 1),
            review("ann", "CHANGES_REQUESTED", NOW - 2),
            review("ann", "COMMENTED", NOW),
            review("bob", "CHANGES_REQUESTED", NOW - 5),
            review("cat", "APPROVED", NOW - 9),
            review("cat", "DISMISSED", NOW - 8),
        ),
    )

    assert ("ann",) == judge("approved-reviews-by = x", seen).observed
    assert ("bob",) == judge("changes-requested-reviews-by = x", seen).observed
    assert ("cat",) == judge("dismissed-reviews-by = x", seen).observed
    assert ("ann",) == judge("commented-reviews-by = x", seen).observed


@pytest.mark.parametrize(
    ("author", "is_by_bot", "counts"),
    [
        ("ann", False, True),
        ("eve", False, False),
        ("tim", False, False),
        ("stranger", False, False),
        ("robot[bot]", True, True),
        (None, False, False),
    ],
)
def test_reviewers_need_write_access(
    author: str | None,
    is_by_bot: bool,  # noqa: FBT001
    counts: bool,  # noqa: FBT001
) -> None:
    """Bots do not; a deleted account is ignored."""
    reviews = (review(author, "APPROVED", is_by_bot=is_by_bot),)

    assert counts is holds("#approved-reviews-by = 1", snapshot(permissions=WRITERS, reviews=reviews))


def test_a_review_that_was_not_submitted_does_not_count() -> None:
    """It does not hide an earlier decision."""
    reviews = (review("ann", "APPROVED", NOW - 1), review("ann", "PENDING"))

    assert holds("approved-reviews-by = ann", snapshot(permissions=WRITERS, reviews=reviews))


def test_without_permissions_every_reviewer_counts_with_a_caveat() -> None:
    """The result has the caveat."""
    result = judge("approved-reviews-by = eve", snapshot(reviews=(review("eve", "APPROVED"),)))

    assert ("eve",) == result.observed
    assert "no permissions were recorded: every reviewer counts" == result.caveat


_REVIEWS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "eve"]),
        st.sampled_from(["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED"]),
    ),
    max_size=8,
)


@given(_REVIEWS, st.randoms())
def test_the_order_of_the_list_does_not_matter(reviews: list[tuple[str, str]], random: Random) -> None:
    """Only the times of submission do."""
    ordered = [review(author, state, NOW + place) for place, (author, state) in enumerate(reviews)]
    shuffled = ordered.copy()
    random.shuffle(shuffled)

    for name in ("approved", "changes-requested", "dismissed", "commented"):
        texts = [
            judge(f"{name}-reviews-by = x", snapshot(reviews=tuple(order))).observed
            for order in (ordered, shuffled)
        ]

        assert set(texts[0] or ()) == set(texts[1] or ())  # type: ignore[arg-type]


@pytest.mark.parametrize("login", ["copilot-pull-request-reviewer[bot]", "Copilot"])
@pytest.mark.parametrize("state", ["APPROVED", "CHANGES_REQUESTED", "COMMENTED"])
def test_reviews_by_copilot_do_not_count(login: str, state: str) -> None:
    """Other bots do."""
    attribute = {"APPROVED": "approved", "CHANGES_REQUESTED": "changes-requested", "COMMENTED": "commented"}
    reviews = (review(login, state, is_by_bot=True), review("renovate[bot]", state, is_by_bot=True))
    seen = snapshot(reviews=reviews, permissions={})

    assert holds(f"#{attribute[state]}-reviews-by = 1", seen)
    assert holds(f"{attribute[state]}-reviews-by = renovate[bot]", seen)
