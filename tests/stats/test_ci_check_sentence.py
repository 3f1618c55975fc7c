"""The sentence about the CI check that cost most."""

import pytest

from mergecast.queues.stats.ci_checks import CheckCost, sentence

_HOUR = 3600.0
_BOTH = (
    "`e2e` cost most: it ran for 20h00m and held up other pull requests for 5h00m, "
    "2.5 times as much as the next, `build`"
)
_RAN = "`e2e` cost most: it ran for 20h00m, 2 times as much as the next, `build`"
_LARGE = (
    "`a'b'` cost most: it ran for 6m and held up other pull requests for 514d 9h, "
    "1,235 times as much as the next, `build`"
)
_BUILD = CheckCost("build", 100, 10 * _HOUR, 0.0)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (CheckCost("e2e", 100, 20 * _HOUR, 5 * _HOUR), _BOTH),
        (CheckCost("e2e", 100, 20 * _HOUR, 0.0), _RAN),
        (CheckCost("a`b`", 20, 6 * 60.0, 12_345 * _HOUR), _LARGE),
        (CheckCost("not twice", 100, 19.9 * _HOUR, 0.0), None),
        (CheckCost("only a few runs", 19, 50 * _HOUR, 0.0), None),
    ],
)
def test_one_that_stands_out(first: CheckCost, expected: str | None) -> None:
    """It costs at least twice as much as the next, and ran often enough."""
    assert expected == sentence([first, _BUILD, _BUILD])


def test_nothing_to_compare_with() -> None:
    """A single check, none, and checks that cost nothing."""
    free = CheckCost("lint", 100, 0.0, 0.0)

    assert [None, None, None] == [sentence(costs) for costs in ([], [_BUILD], [free, free])]
    assert "`build` cost most: it ran for 10h00m" == sentence([_BUILD, free])
