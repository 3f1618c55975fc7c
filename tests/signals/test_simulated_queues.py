"""A sample of `benchmarks/alerts.py`: a quiet queue has no alert, and one that becomes much slower has."""

import pytest

from mergecast.queues.model.instant import DAY, HOUR, WEEK
from signals.simulated import pinned, simulated, watched, with_step

pytestmark = pytest.mark.thorough


def test_ci_that_takes_twice_as_long_from_one_instant_on() -> None:
    """There is no alert before that, and one about time in queue within two weeks."""
    queue = simulated("final", 1, weeks=5, days=28)
    at = queue.watched_from + 2 * WEEK
    happened = with_step(queue, at, length_median=2.0)
    period = pinned(happened, queue.pinned_from, queue.pinned_until)
    assert period is not None

    first = next(watched(period, happened, queue.watched_from, at + 2 * WEEK, every=12 * HOUR))

    assert "time_to_merge_p95" == first.figure
    assert at < first.since <= at + 14 * DAY
