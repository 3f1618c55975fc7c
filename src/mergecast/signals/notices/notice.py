"""A notice: what a message says, for every kind of channel. A webhook receives it as JSON."""

from typing import Any

from msgspec import Struct, field

from mergecast.queues.model.failed_check import FailedCheck

TEST = "test"
SUBSCRIPTION = "subscription"
ALERTS_PAGE = "/alerts"  # behind the URL of a repository's pages


class Advice(Struct, frozen=True):
    """The verdict about a removal, as far as a message says it."""

    cause: str
    certainty: str
    act: str
    sentence: str


class RemovalAdvice(Advice, frozen=True):
    revision: int


class RemovedPull(Struct, frozen=True):
    """A pull request that left a queue without being merged."""

    number: int
    title: str | None
    author: str | None
    url: str | None
    base_ref: str
    queue_name: str
    reason: str | None  # as in the statistics
    explanation: str  # the reason in plain words
    failed_check: FailedCheck | None
    seconds_in_queue: float | None
    earlier_removals: int
    left_at: str
    verdict: RemovalAdvice | None = None


class EndedPull(Struct, frozen=True):
    """What a subscription was about; there is no verdict of one that merged."""

    pull_request: int
    is_merged: bool
    verdict: Advice | None = None


class DigestFigure(Struct, frozen=True):
    name: str
    value: float | None
    change: float | None  # relative, but a difference for rates
    text: str  # both in words


class SlowStay(Struct, frozen=True):
    pull_request: int
    queue_name: str
    seconds: float | None
    url: str


class ExitReason(Struct, frozen=True):
    reason: str
    explanation: str
    count: int


class Digest(Struct, frozen=True):
    """A week of a repository."""

    start_at: str
    end_at: str
    figures: list[DigestFigure]
    slowest: list[SlowStay]
    reasons: list[ExitReason]
    removal_causes: dict[str, int] = field(default_factory=dict)  # whose fault removals were
    verdicts: list[str] = field(default_factory=list)  # how often verdicts were right, by queue
    changes: list[str] = field(default_factory=list)  # new levels that were first reported in this week


class RepositoryDigest(Struct, frozen=True):
    """A week of one of several repositories."""

    repository: str
    sentence: str
    url: str  # a page of the dashboard
    digest: Digest


class Notice(Struct, frozen=True):
    """The id of a notice stays the same if it is sent again."""

    id: str
    kind: str  # removed, alert, digest, subscription or test
    phase: str  # begin and end of an incident; once or correction of a removal; otherwise once
    repository: str  # or only the owner, if it is about several repositories
    base_ref: str | None
    queue_name: str | None
    happened_at: str
    sentence: str
    url: str  # a page of the dashboard
    corrects: str | None = None  # of a correction: the id of the notice before it
    removed: list[RemovedPull] = field(default_factory=list)
    digest: Digest | None = None  # of one repository
    digests: list[RepositoryDigest] = field(default_factory=list)  # of several repositories of an owner
    incident: str | None = None  # of alerts; the same at the beginning and at the end
    # The alert, as in `…/alerts`; of a subscription, an `EndedPull`.
    details: dict[str, Any] = field(default_factory=dict)
