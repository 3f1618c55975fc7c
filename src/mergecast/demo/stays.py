"""The state of a pull request in a queue, of a batch under test and of a bisection."""

from dataclasses import dataclass, field


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
    batch: "Batch | None" = None
    bisection: "Bisection | None" = None
    has_left: bool = False
    seconds_waiting_for_schedule: float = 0.0
    seconds_waiting_for_freeze: float = 0.0


@dataclass(eq=False, slots=True)
class Batch:
    """Pull requests that CI tests together; `outcome` is None while it runs."""

    batch_id: str
    stays: list[Stay]
    bisection: "Bisection | None"
    is_stacked_on_breakage: bool
    attempt: int = 1
    outcome: str | None = None
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
