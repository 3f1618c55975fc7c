"""Rate limits, with the time as an argument."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.access.errors import TooManyRequests
from mergecast.access.limits import Buckets, ConcurrencyLimit

SECOND = 1_000_000


def test_a_burst_and_then_a_rate() -> None:
    """Three at once, then two per second."""
    buckets = Buckets(rate=2, burst=3)

    at_once = [buckets.take("a", 0) for _ in range(5)]
    later = [buckets.take("a", SECOND // 2), buckets.take("a", SECOND // 2), buckets.take("a", SECOND)]

    assert [0, 0, 0, 1, 1] == at_once
    assert [0, 1, 0] == later


def test_limits_are_independent() -> None:
    """Each key has its own bucket."""
    buckets = Buckets(rate=1, burst=1)

    assert [0, 1, 0] == [buckets.take(key, 0) for key in ("a", "a", "b")]


def test_the_wait_is_long_enough() -> None:
    """A caller who waits as long as `wait` says succeeds."""
    buckets = Buckets(rate=0.1, burst=1)
    buckets.take("a", 0)

    wait = buckets.take("a", 0)

    assert 10 == wait
    assert 0 == buckets.take("a", wait * SECOND)


def test_wait_takes_nothing() -> None:
    """`wait` predicts the result of `take`."""
    buckets = Buckets(rate=1, burst=1)

    assert [0, 0, 0, 1] == [
        buckets.wait("a", 0),
        buckets.wait("a", 0),
        buckets.take("a", 0),
        buckets.wait("a", 0),
    ]


def test_a_rate_of_zero_is_no_limit() -> None:
    """The operator can switch a limit off this way."""
    buckets = Buckets(rate=0, burst=1)

    assert {0} == {buckets.take("a", 0) for _ in range(1000)} | {buckets.wait("a", 0)}


@given(st.lists(st.integers(0, 5 * SECOND), max_size=200), st.integers(1, 5), st.integers(1, 5))
def test_never_more_than_burst_and_rate(gaps: list[int], rate: int, burst: int) -> None:
    """The limit holds in any span from the first request on, however requests are spread."""
    buckets = Buckets(rate, burst)
    now = passed = 0
    for gap in gaps:
        now += gap
        passed += buckets.take("a", now) == 0

        assert passed <= burst + now * rate / SECOND


@given(st.lists(st.tuples(st.integers(-10 * SECOND, 10 * SECOND), st.booleans()), max_size=100))
def test_clock_changes_do_not_block_callers(steps: list[tuple[int, bool]]) -> None:
    """No caller waits forever, whichever way the clock moves."""
    buckets = Buckets(rate=1, burst=2)
    now = 1_000 * SECOND
    for step, takes in steps:
        now += step
        wait = buckets.take("a", now) if takes else buckets.wait("a", now)

        assert 0 <= wait <= 1


def test_memory_is_bounded() -> None:
    """The callers that have been idle the longest are forgotten, the busiest are not."""
    buckets = Buckets(rate=0.001, burst=1)
    for number in range(30_000):
        buckets.take(number, 0)
        buckets.take("hammering", 0)

    assert len(buckets) <= 10_000


def test_the_limit_of_concurrent_requests() -> None:
    """The next request is refused until a running one ends, whether it succeeds or fails."""
    limit = ConcurrencyLimit(most=2)

    with limit.running("a"):
        with pytest.raises(ZeroDivisionError), limit.running("a"):
            _ = 1 / 0
        with limit.running("a"), limit.running("b"), pytest.raises(TooManyRequests) as refusal:
            limit.running("a").__enter__()
        with limit.running("a"):
            pass

    assert "2 requests of this kind already run for this credential; wait until one ends" == str(
        refusal.value
    )
    assert 1 == refusal.value.retry_seconds
    assert 0 == len(limit)
