"""The state of pull requests in a queue, of batches under test and of bisections; and the waiting line."""

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from mergecast.demo.incidents import closed_seconds
from mergecast.demo.settings import PRIORITY_RANKS, URGENT, QueueRules


@dataclass(frozen=True, slots=True)
class Group:
    """Where a pull request queues."""

    base_ref: str
    queue_name: str
    priority_rule_name: str | None


@dataclass(frozen=True, slots=True)
class Fate:
    """What the queue will find out about a pull request."""

    is_broken: bool = False
    has_conflict: bool = False
    is_refused: bool = False
    is_slow: bool = False


@dataclass(eq=False, slots=True)
class Stay:
    """One pull request in one queue, from entering to leaving."""

    session_id: str
    pull_request: int
    turn: int
    group: Group
    fate: Fate
    entered_at: float
    waiting_since: float
    pushes: int = 0  # how often the pull request has changed before
    batch: "Batch | None" = None
    bisection: "Bisection | None" = None
    has_left: bool = False
    seconds_waiting_for_schedule: float = 0.0
    seconds_waiting_for_freeze: float = 0.0


@dataclass(eq=False, slots=True)
class Batch:
    """Pull requests that CI tests together; `outcome` is None while it runs.

    `run_at` and `run_seconds` say when its last run began, and how long it takes if nothing stops it.
    """

    batch_id: str
    stays: list[Stay]
    bisection: "Bisection | None"
    is_stacked_on_breakage: bool
    attempt: int = 1
    outcome: str | None = None
    run_at: float = 0.0
    run_seconds: float = 0.0
    pull_requests: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Remember the members of the run: a pull request that leaves later was still part of it."""
        self.pull_requests = tuple(stay.pull_request for stay in self.stays)

    @property
    def priority_rule_name(self) -> str | None:
        """The rule that all its pull requests share."""
        return self.stays[0].group.priority_rule_name

    @property
    def is_slow(self) -> bool:
        """Whether its CI takes far longer than usual."""
        return any(stay.fate.is_slow for stay in self.stays)

    @property
    def is_broken(self) -> bool:
        """Whether a run of this batch, on top of all batches ahead of it, must fail."""
        return self.is_stacked_on_breakage or any(stay.fate.is_broken for stay in self.stays)

    @property
    def breakage(self) -> str | None:
        """What makes its runs fail: its first broken pull request, or something ahead of it."""
        own = [str(stay.pull_request) for stay in self.stays if stay.fate.is_broken]
        ahead = [self.batch_id] if self.is_stacked_on_breakage else []
        return next(iter((*own, *ahead)), None)


@dataclass(eq=False, slots=True)
class Bisection:
    """The search for what broke one batch."""

    batch_id: str
    group: Group
    unresolved: set[str]
    splits: int = 0
    culprit_found: bool = False
    max_failures_reached: bool = False

    def is_over_without(self, session_id: str) -> bool:
        """Record that a pull request has left; True if it was the last of the batch."""
        self.unresolved.remove(session_id)
        return not self.unresolved


@dataclass(frozen=True, slots=True)
class BatchPart:
    """Pull requests to test together, possibly as a step of a bisection."""

    stays: list[Stay]
    bisection: Bisection | None


class WaitingLine:
    """The stays without a batch: parts of bisected batches first, then by priority and age."""

    def __init__(self, rules: QueueRules) -> None:
        self._rules = rules
        self._parts: list[BatchPart] = []
        self._stays: list[Stay] = []

    def join(self, stay: Stay, now: float) -> None:
        """Add a stay that waits for the first time, or again."""
        stay.batch = None
        stay.waiting_since = now
        insort(self._stays, stay, key=_place)

    def join_first(self, parts: Iterable[BatchPart], now: float) -> None:
        """Put the parts of a bisected batch ahead of all others, in the order given."""
        first = list(parts)
        for stay in [stay for part in first for stay in part.stays]:
            stay.batch = None
            stay.waiting_since = now
        self._parts[:0] = first

    def requeue(self, batches: Iterable[Batch], now: float) -> None:
        """Let all stays of batches that were stopped wait again."""
        torn = list(batches)
        for stay in [stay for batch in torn if batch.bisection is None for stay in batch.stays]:
            self.join(stay, now)
        self.join_first((BatchPart(batch.stays, batch.bisection) for batch in torn if batch.bisection), now)

    def drop(self, stay: Stay) -> None:
        """Remove a stay that has left the queue."""
        for stays in (self._stays, *(part.stays for part in self._parts)):
            if stay in stays:
                stays.remove(stay)

    def ready_at(self) -> float | None:
        """When the next part may start; None if the line is empty."""
        if self._parts:
            return 0.0
        if not self._stays:
            return None
        first = self._stays[0]
        is_full = len(self._together()) == self._rules.batch_size
        is_ready = is_full or first.group.priority_rule_name == URGENT
        return first.entered_at + (0 if is_ready else self._rules.batch_max_wait_seconds)

    def take(self) -> BatchPart:
        """Remove and return the part to test next."""
        if self._parts:
            return self._parts.pop(0)
        together = self._together()
        del self._stays[: len(together)]
        return BatchPart(together, None)

    def _together(self) -> list[Stay]:
        candidates = self._stays[: self._rules.batch_size]
        return [stay for stay in candidates if stay.group == candidates[0].group]


def count_wait(rules: QueueRules, stay: Stay, now: float) -> None:
    """Add to a stay the time until now that it waited because the queue was closed."""
    since = stay.waiting_since
    stay.seconds_waiting_for_schedule += closed_seconds(rules.off_schedule, since, now)
    stay.seconds_waiting_for_freeze += closed_seconds(rules.freezes, since, now)


def _place(stay: Stay) -> tuple[int, float]:
    return PRIORITY_RANKS[stay.group.priority_rule_name], stay.entered_at
