"""The metrics of queues: names, types and descriptions, in the order in which they are shown."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Family(NamedTuple):
    """One metric; all its lines follow each other."""

    name: str  # of a counter, without `_total`
    kind: Kind
    help: str


ENTERED = Family("mergecast_queue_entered", Kind.COUNTER, "Pull requests that entered the queue")
LEFT = Family("mergecast_queue_left", Kind.COUNTER, "Pull requests that left the queue, by reason")
TIME = Family("mergecast_queue_time_seconds", Kind.HISTOGRAM, "Time in the queue of merged pull requests")
CI_RUNS = Family("mergecast_queue_ci_run_seconds", Kind.HISTOGRAM, "Length of CI runs, by outcome")
RETRIES = Family("mergecast_queue_retries", Kind.COUNTER, "CI runs that repeated an earlier one")
BISECTIONS = Family("mergecast_queue_bisections", Kind.COUNTER, "Bisections of failed batches")
SIZE = Family("mergecast_queue_size", Kind.GAUGE, "Pull requests in the queue")
RUNNING = Family("mergecast_queue_running_ci_runs", Kind.GAUGE, "CI runs in progress")
OLDEST = Family("mergecast_queue_oldest_seconds", Kind.GAUGE, "Longest wait of a pull request in the queue")
PROBLEM = Family("mergecast_queue_problem", Kind.GAUGE, "Whether the queue has this problem")
SOURCE_AGE = Family(
    "mergecast_source_age_seconds", Kind.GAUGE, "Time since the source last delivered something"
)
SOURCE_UNTRANSLATED = Family(
    "mergecast_source_untranslated", Kind.GAUGE, "Deliveries of the source that could not be translated"
)
SOURCE_PROBLEM = Family(
    "mergecast_source_problem", Kind.GAUGE, "Whether following fails, or the webhook reports no queue"
)
LEFT_OUT = Family(
    "mergecast_queues_left_out", Kind.GAUGE, "Queues beyond the first 100, which have no metrics"
)

FAMILIES = (
    *(ENTERED, LEFT, TIME, CI_RUNS, RETRIES, BISECTIONS, SIZE, RUNNING, OLDEST, PROBLEM),
    *(SOURCE_AGE, SOURCE_UNTRANSLATED, SOURCE_PROBLEM, LEFT_OUT),
)
