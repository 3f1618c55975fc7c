"""The bounds of the histograms in metrics suit the demo's times in the queue."""

from collections import Counter
from itertools import pairwise
from statistics import quantiles
from typing import Any

import pytest

from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.queue_counts import BOUNDS, TIME, bucket_name, observation


def _times(events: list[dict[str, Any]]) -> list[float]:
    """The times in the queue of merged pull requests, in seconds."""
    entered = {one["session_id"]: one["at"] for one in events if one["type"] == "queue_entered"}
    return [
        (parse_instant(one["at"]) - parse_instant(entered[one["session_id"]])) / 1e6
        for one in events
        if one["type"] == "queue_left" and one["reason"] in MERGED_REASONS and one["session_id"] in entered
    ]


def _histogram_quantile(share: float, buckets: list[int]) -> float:
    """As Prometheus computes it: it assumes that the observations of a bucket are spread evenly."""
    wanted, below = share * sum(buckets), 0
    for number, (low, high) in zip(buckets, pairwise((0, *BOUNDS)), strict=False):
        if below + number >= wanted:
            return low + (high - low) * (wanted - below) / number
        below += number
    return float(BOUNDS[-1])


def test_each_bound_is_13_to_15_tenths_of_the_one_before() -> None:
    """From a minute to a week."""
    assert (60, 7 * 24 * 3600) == (BOUNDS[0], BOUNDS[-1])
    assert all(1.3 <= high / low <= 1.5 for low, high in pairwise(BOUNDS))


@pytest.mark.parametrize("percent", [50, 95])
def test_quantiles_of_the_demo_are_close(month: list[dict[str, Any]], percent: int) -> None:
    """At most 20 % off those computed over the same merged stays."""
    times = _times(month)
    counts: Counter[str] = Counter()
    for seconds in times:
        counts.update(observation(TIME, round(seconds * 1e6)))
    buckets = [counts[bucket_name(TIME, place)] for place in range(len(BOUNDS) + 1)]

    exact = quantiles(times, n=100, method="inclusive")[percent - 1]

    assert len(times) > 300
    assert _histogram_quantile(percent / 100, buckets) == pytest.approx(exact, rel=0.2)
