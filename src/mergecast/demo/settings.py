"""The numbers that shape the invented repository."""

from dataclasses import dataclass
from typing import Final

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY

URGENT: Final = "urgent"
LOW: Final = "low"
PRIORITY_RANKS: Final[dict[str | None, int]] = {URGENT: 0, None: 1, LOW: 2}


@dataclass(frozen=True, slots=True)
class Office:
    """`hours_ahead` is local time minus UTC; `share` is the office's part of all pull requests by people."""

    hours_ahead: int
    share: float


@dataclass(frozen=True, slots=True)
class WeeklySpan:
    """A span of every week, in seconds from Monday 00:00 UTC; it may reach into the next week."""

    begins: float
    ends: float


@dataclass(frozen=True, slots=True)
class Pipeline:
    """How long CI takes: log-normal, and never below the floor."""

    floor_minutes: float
    median_minutes: float
    sigma: float


@dataclass(frozen=True, slots=True)
class QueueRules:
    """`share` is the queue's part of the pull requests by people, `urgent_share` the urgent part of those."""

    name: str
    base_ref: str
    share: float
    urgent_share: float
    max_parallel_checks: int
    batch_size: int
    pipeline: Pipeline
    batch_max_wait_seconds: float = 5 * MINUTE
    skips_intermediate_results: bool = False
    is_paused_by_incidents: bool = False
    off_schedule: tuple[WeeklySpan, ...] = ()
    freezes: tuple[WeeklySpan, ...] = ()


def _every_day(begins: float, ends: float) -> tuple[WeeklySpan, ...]:
    return tuple(WeeklySpan(day * DAY + begins, day * DAY + ends) for day in range(7))


DEFAULT_QUEUE: Final = QueueRules(
    name="default",
    base_ref="main",
    share=0.88,
    urgent_share=0.07,
    max_parallel_checks=3,
    batch_size=4,
    pipeline=Pipeline(floor_minutes=8, median_minutes=25, sigma=0.4),
    skips_intermediate_results=True,
    is_paused_by_incidents=True,
    off_schedule=_every_day(3.5 * HOUR, 6 * HOUR),
)
HOTFIX_QUEUE: Final = QueueRules(
    name="hotfix",
    base_ref="main",
    share=0.04,
    urgent_share=0.6,
    max_parallel_checks=2,
    batch_size=1,
    pipeline=Pipeline(floor_minutes=5, median_minutes=14, sigma=0.35),
)
RELEASE_QUEUE: Final = QueueRules(
    name="release",
    base_ref="release/2.4",
    share=0.08,
    urgent_share=0.05,
    max_parallel_checks=2,
    batch_size=2,
    pipeline=Pipeline(floor_minutes=12, median_minutes=32, sigma=0.4),
    freezes=(WeeklySpan(4 * DAY + 16 * HOUR, 7 * DAY + 7 * HOUR),),
)
WEBSITE_QUEUE: Final = QueueRules(
    name="website",
    base_ref="website",
    share=0.0,
    urgent_share=0.0,
    max_parallel_checks=3,
    batch_size=2,
    pipeline=Pipeline(floor_minutes=3, median_minutes=8, sigma=0.2),
    skips_intermediate_results=True,
)
QUEUES: Final = (DEFAULT_QUEUE, HOTFIX_QUEUE, RELEASE_QUEUE, WEBSITE_QUEUE)

FIRST_PULL_REQUEST: Final = 2201
# More than 97 days of history reach, so that open pull requests are newer; the history skips them later.
OPEN_PULL_REQUESTS: Final = range(12_201, 12_209)
MAX_CHECKS_RETRIES: Final = 1
MAX_BISECTION_SPLITS: Final = 2
CHECKS_TIMEOUT_SECONDS: Final = 2 * HOUR

PEOPLE_PER_WEEKDAY: Final = 54.0
OFFICES: Final = (Office(hours_ahead=1, share=0.6), Office(hours_ahead=-6, share=0.4))
HOUR_WEIGHTS: Final = (
    *(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.3, 0.8, 1.5, 1.9, 1.8),
    *(1.2, 1.3, 1.8, 1.9, 1.8, 1.4, 0.8, 0.4, 0.3, 0.2, 0.1, 0.0),
)
WEEKDAY_WEIGHTS: Final = (1.0, 1.12, 1.1, 1.02, 0.86, 0.25, 0.2)
HOLIDAY_WEIGHT: Final = 0.55
DAY_NOISE_SIGMA: Final = 0.35
DAY_NOISE_CORRELATION: Final = 0.3
BURST_SHARE: Final = 0.12
BURST_GAP_SECONDS: Final = MINUTE

BOTS_HOUR: Final = 5
BOTS_AT_LEAST: Final = 5
BOTS_AT_MOST: Final = 12
BOTS_GAP_SECONDS: Final = 40.0
# Often enough that no 24 hours are without a bisection and a merge ahead of results, should one of them fail.
TRANSLATIONS_HOURS: Final = (1, 7, 13, 19)
TRANSLATIONS_GAP_SECONDS: Final = 10.0
SLOW_FACTOR: Final = 3.0

BROKEN_SHARE: Final = 0.04
CONFLICT_SHARE: Final = 0.01
REFUSED_SHARE: Final = 0.002
FLAKE_SHARE: Final = 0.03
FLAKES_AGAIN_SHARE: Final = 0.2
BROKEN_PASSES_AGAIN_SHARE: Final = 0.02
HANG_SHARE: Final = 0.005
INTERRUPTION_SHARE: Final = 0.003
EARLY_FAILURE_SHARE: Final = 0.6

UPDATES_PER_HOUR: Final = 0.02
DEQUEUES_PER_HOUR: Final = 0.015
PUSHES_PAST_THE_QUEUE_PER_DAY: Final = 0.06
