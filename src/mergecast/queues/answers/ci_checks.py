"""Figures of CI checks."""

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.summary import Span


class Durations(Struct, frozen=True):
    """Percentiles of executions with a verdict, within 2 percent, and the sum of all, in seconds."""

    p50: float | None
    p95: float | None
    sum: float


class FlakeEvidence(Struct, frozen=True):
    """Failures by what else is known about the pull requests that they tested.

    They passed in another execution or attempt, in another run, or in a run that was built on them; they
    failed again; or they were not tried again. `links` are of failures that passed elsewhere.
    """

    same_commit: int
    other_run: int
    built_on: int
    failed_again: int
    not_tried: int
    links: list[str]


class RateInterval(Struct, frozen=True):
    """The 90 % interval of a rate."""

    low: float
    high: float


class Critical(Struct, frozen=True):
    """Passed runs that ended with the check; `p50` is how much earlier they would have ended without it."""

    runs: int
    share: float | None
    p50: float | None


class Figures(Struct, frozen=True):
    runs: int
    failed: int
    failure_rate: float | None
    removals: int
    blocked_seconds: float
    flaky: int
    flake_rate: float | None  # null if it cannot be told
    flake_interval: RateInterval | None
    evidence: FlakeEvidence
    seconds: Durations
    waited_seconds: Durations
    critical: Critical


class ByRunner(Figures, frozen=True):
    runner: str | None


class CiCheck(Figures, frozen=True):
    name: str
    by_runner: list[ByRunner]


class Failure(Struct, frozen=True):
    """One of the last failures of a check."""

    at: str
    conclusion: str
    pull_requests: list[int]
    batch_id: str
    attempt: int
    check_id: str
    url: str | None
    runner: str | None
    base_ref: str
    queue_name: str
    is_flaky: bool | None  # null if it was not tried again


class CheckInterval(Figures, frozen=True):
    start: DateTime
    end: DateTime


class CiChecks(Struct, frozen=True, omit_defaults=True):
    """The checks of a period; of one that is named, also how it developed and its last failures."""

    window: Span
    covered: float | None
    checks: list[CiCheck]
    sentence: str | None  # which check cost most, if one stands out
    series: list[CheckInterval] | UnsetType = UNSET
    failures: list[Failure] | UnsetType = UNSET
    kept_since: DateTime | UnsetType = UNSET
