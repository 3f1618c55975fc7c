"""What is known about pull requests, and what happened to one."""

from msgspec import Struct

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
