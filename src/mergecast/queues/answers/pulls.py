"""What is known about pull requests, and what happened to one."""

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime


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
