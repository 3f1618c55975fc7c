"""Valid conditions that probably do not mean what their author intended."""

import pytest

from conditions.builders import leaf
from mergecast.language.conditions.slips import slips
from mergecast.language.conditions.tree import All, AnyOf, Not

COUNT = "did you mean #approved-reviews-by? Without `#` the value is compared with the text `1`"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("approved-reviews-by>=1", (COUNT,)),
        ("#approved-reviews-by>=1", ()),
        ("files < 10", ("did you mean #files? Without `#` the value is compared with the text `10`",)),
        (
            "check-success > 2",
            ("did you mean #check-success? Without `#` the value is compared with the text `2`",),
        ),
        ("commits[0].author > 2", ()),
        ("title >= a", ()),
        ("number >= 1", ()),
        ("label => 1", ("did you mean `>=`? `=>` compares with the text `> 1`",)),
        ("label =< 1", ("did you mean `<=`? `=<` compares with the text `< 1`",)),
        ('label = "> 1"', ()),
        ("title =~ ^x", ("did you mean `~=`? `=~` compares with the text `~ ^x`",)),
        (
            "queue-dequeue-reason = check-failed",
            (
                (
                    "`CHECK_FAILED` is not a value of `queue-dequeue-reason` and never matches; "
                    "did you mean `checks-failed`?"
                ),
            ),
        ),
        ("queue-dequeue-reason != none", ()),
        ("queue-dequeue-reason ~= anything", ()),
        (
            "github-review-decision = approved",
            (
                (
                    "`approved` is not a value of `github-review-decision` and never matches; "
                    "did you mean `APPROVED`?"
                ),
            ),
        ),
        ("files *= {}", ("the glob `{}` matches nothing: its braces contain no alternative",)),
    ],
)
def test_a_probable_mistake_is_explained(text: str, expected: tuple[str, ...]) -> None:
    """The sentence names what the author probably meant."""
    assert expected == slips(leaf(text))


def test_the_mistakes_of_a_tree_are_listed_in_order() -> None:
    """Those of nested groups too."""
    tree = All((AnyOf((leaf("files *= {}"),)), Not(leaf("approved-reviews-by>=1"))))

    assert ("the glob `{}` matches nothing: its braces contain no alternative", COUNT) == slips(tree)
