"""The estimate of a flake rate is the one of searching all rates, and says what can be known."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.queues.model.flake_rate import FlakeRate, Group, estimate, group_of
from store.flake_oracle import estimate_by_search

_ONCE = group_of([{1}])
_TWICE = group_of([{1}, {1}])
_RECOVERED = group_of([{1}], {1})
_FLAKE = group_of([set()])

_SUSPECTS = st.sets(st.integers(0, 3), min_size=1, max_size=3)
_GROUPS = st.tuples(st.lists(_SUSPECTS, min_size=1, max_size=4), st.sets(st.integers(0, 3)), st.booleans())


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(passed=st.integers(1, 400), groups=st.lists(_GROUPS, max_size=5))
def test_it_is_the_likeliest(passed: int, groups: list[tuple[list[set[int]], set[int], bool]]) -> None:
    counted = Counter(
        group_of(failures, lucky, is_untried=untried, are_tried=True) for failures, lucky, untried in groups
    )

    found, expected = estimate(passed, counted), estimate_by_search(passed, groups)

    assert found is not None
    assert (found.rate is None) == (expected[0] is None)
    near = [pytest.approx(one or 0.0, rel=2e-3, abs=2e-4) for one in expected]
    assert near == [found.rate or 0.0, found.low, found.high]


def _rounded(passed: int, groups: dict[Group, int]) -> FlakeRate:
    found = estimate(passed, groups)
    assert found is not None
    return FlakeRate(
        None if found.rate is None else round(found.rate, 3), *(round(end, 3) for end in found[1:])
    )


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ({}, FlakeRate(0.0, 0.0, 0.001)),
        ({_ONCE: 50}, FlakeRate(None, 0.0, 0.059)),  # all of them or none may have been chance
        ({_FLAKE: 50}, FlakeRate(0.048, 0.038, 0.059)),
        ({_RECOVERED: 50}, FlakeRate(0.048, 0.038, 0.059)),
        (
            {_TWICE: 20},
            FlakeRate(0.0, 0.0, 0.001),
        ),  # a check that fails rarely fails twice because of the change
        ({_TWICE: 20, _RECOVERED: 1}, FlakeRate(0.001, 0.0, 0.003)),  # which is luck now and then
        ({_ONCE: 50, _RECOVERED: 10}, FlakeRate(0.057, 0.046, 0.069)),  # those not tried are like the others
        ({_ONCE: 50, _TWICE: 10}, FlakeRate(0.0, 0.0, 0.008)),
    ],
)
def test_what_else_is_known_decides(groups: dict[Group, int], expected: FlakeRate) -> None:
    """Of 1,000 executions that passed, and some that failed."""
    assert expected == _rounded(1000, groups)


def test_what_people_did_not_try_again_widens_the_interval() -> None:
    untried = group_of([{1}], is_untried=True, are_tried=True)

    assert FlakeRate(0.028, 0.005, 0.059) == _rounded(1000, {untried: 40, _RECOVERED: 10})


def test_where_nothing_tells_chance_from_fault_the_interval_covers_both() -> None:
    """Forty pull requests failed once and never came back; ten failed in two runs, so they were broken."""
    untried = group_of([{1}], is_untried=True)

    found = _rounded(1000, {untried: 40, _TWICE: 10})

    assert (found.rate, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(0.054, abs=0.001)


def test_nothing_is_known_without_executions() -> None:
    assert estimate(0, {}) is None


@pytest.mark.parametrize("failures", [1, 30, 400])
def test_a_check_that_always_fails(failures: int) -> None:
    """Even if all of it has the same suspects, or more than can be weighed."""
    together = group_of([{place, place + 1} for place in range(failures)])
    same = group_of([{1}] * failures)

    for group in (together, same):
        found = estimate(0, {group: 1})
        assert found is not None
        assert found.rate is None or 0 <= found.rate <= 1
        assert 0 <= found.low <= found.high <= 1
