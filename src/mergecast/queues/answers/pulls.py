"""What is known about pull requests, and what happened to one."""

from typing import Annotated, get_args

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime, one_of
from mergecast.queues.answers.queue import ExpectedMerge, ExpectedState, WaitReason
from mergecast.queues.answers.verdicts import VerdictAct, VerdictCause


class AboutPull(Struct, frozen=True):
    title: str
    author: str | None
    url: str | None


class FoundPull(Struct, frozen=True):
    pull_request: int
    title: str
    author: str | None
    url: str | None


class FoundPulls(Struct, frozen=True):
    """A page; `next` is where the next one continues, and null if there is none."""

    pulls: list[FoundPull]
    next: int | None


class Waiting(Struct, frozen=True):
    """What a stay consisted of, in seconds."""

    ci: float
    capacity: float
    schedule: float
    freeze: float


class Step(Struct, frozen=True):
    """One split of a batch: the pull requests before it."""

    depth: int
    started_at: DateTime
    pull_requests: tuple[int, ...]


class Bisection(Struct, frozen=True):
    """The search for the pull request that made a batch fail; null until it has ended."""

    batch_id: str
    steps: tuple[Step, ...]
    ended_at: DateTime | None
    culprit_found: bool | None
    max_failures_reached: bool | None


class ListedStay(Struct, frozen=True):
    """One pull request in one queue; `seconds` and `waiting` need both ends of the stay."""

    session_id: str
    pull_request: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    entered_at: DateTime | None
    left_at: DateTime | None
    reason: str | None
    seconds: float | None
    waiting: Waiting | None
    retries: int
    head_sha: str | None  # the last commit; null if it is not known, or changed during the stay


class Stays(Struct, frozen=True):
    total: int  # how many ended in the window, listed or not
    stays: list[ListedStay]
    kept_since: DateTime | UnsetType = UNSET


class ShortAlert(Struct, frozen=True):
    figure: str
    since: DateTime


class ShortWait(Struct, frozen=True):
    """What it waits for; `until` is when that ends by itself, if it is known.

    `ci_started_at` is null unless a CI run is in progress, and `failed_at` unless the last that ended failed.
    """

    reason: Annotated[str, one_of(*sorted(get_args(WaitReason)))]
    sentence: str
    until: DateTime | None
    ci_started_at: DateTime | None
    failed_at: DateTime | None
    alert: ShortAlert | None = None  # the open alert about its queue that began first


class Removal(Struct, frozen=True):
    """The last time that it left a queue without being merged, and what the verdict says.

    `cause`, `act` and `sentence` are null while the removal is being judged, and if there is no verdict.
    """

    at: DateTime
    reason: str
    is_being_judged: bool
    cause: VerdictCause | None
    act: VerdictAct | None
    sentence: str | None


class PullState(Struct, frozen=True):
    """`since` is when it entered the queue that it is in, or left the last one.

    Sentences are shortened, so that the answer has at most 2 KB. `expected_merges` says whether
    `expected_merge` is known: `pending` while it is being computed.
    """

    pull_request: int
    state: Annotated[str, one_of("in_queue", "merged", "removed", "unknown")]
    since: DateTime | None = None
    position: int | None = None
    waiting_for: ShortWait | None = None
    expected_merge: ExpectedMerge | None = None
    expected_merges: Annotated[str, one_of(*sorted(get_args(ExpectedState)))] | None = None
    removal: Removal | None = None
