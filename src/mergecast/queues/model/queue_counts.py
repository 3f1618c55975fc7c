"""What a queue counts: entries, exits, CI runs and bisections, by the names of the counters."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import HOUR, SECOND

# Upper bounds of the histograms in seconds, from a minute to a week: each is 1.3 to 1.5 times the one before.
BOUNDS = (
    *(60, 90, 120, 180, 240, 330, 450, 600, 900, 1_200, 1_800, 2_400),
    *(3_600, 5_400, 7_200, 10_800, 14_400, 21_600, 28_800, 43_200, 57_600),
    *(86_400, 129_600, 172_800, 259_200, 345_600, 453_600, 604_800),
)
# What is stored later is history. Without this limit, an import would look like a thousand merges at once.
LATEST = HOUR
# Reasons that have a counter before they occur: the first increment of a series would be lost otherwise.
FIRST_REASONS = (*MERGED_REASONS, "CHECKS_FAILED", "PR_DEQUEUED")
PASSED, FAILED, STOPPED = RUN_OUTCOMES = ("passed", "failed", "stopped")
ENTERED, RETRIES, BISECTIONS = "entered", "retries", "bisections"
LEFT = "left "  # followed by the reason
TIME = "time"
_OUTCOMES = {"SUCCESS": PASSED, "CHECKS_FAILED": FAILED, "CHECKS_TIMEOUT": FAILED}

QueueCounts = Mapping[str, int]


def is_current(instant: int, now: int) -> bool:
    """Whether something that happened then is counted if it is stored now."""
    return abs(now - instant) <= LATEST


def run_outcome(outcome: str | None) -> str:
    return _OUTCOMES.get(outcome or "", STOPPED)


def run_name(outcome: str) -> str:
    """The histogram of the runs with this outcome."""
    return f"run {outcome}"


def bucket_name(histogram: str, place: int) -> str:
    """How many observations are in one bucket; those above the last bound are in the last one."""
    return f"{histogram} {place}"


def sum_name(histogram: str) -> str:
    """The sum of all observations, in microseconds."""
    return f"{histogram} sum"


def observation(histogram: str, duration: int) -> Counter[str]:
    """What one observation of this many microseconds adds.

    >>> sorted(observation("time", 61_000_000).items())
    [('time 1', 1), ('time sum', 61000000)]
    """
    place = bisect_left(BOUNDS, duration / SECOND)
    return Counter({bucket_name(histogram, place): 1, sum_name(histogram): duration})


def left(reason: str, queue_time: int | None) -> Counter[str]:
    """What an exit adds; the time in the queue is known if the entry is."""
    return Counter({LEFT + reason: 1}) + left_time(reason, queue_time)


def left_time(reason: str | None, queue_time: int | None) -> Counter[str]:
    """What the time in the queue adds, of a stay that ended for this reason."""
    if reason not in MERGED_REASONS or queue_time is None:
        return Counter()
    return observation(TIME, queue_time)
