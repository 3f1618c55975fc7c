"""What is in the queues now, and when it will probably merge."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime

# Whether an expected merge is known: `pending` says that it is being computed, and soon known.
ExpectedState = Literal[
    "known", "pending", "too_little_history", "too_many_events", "failed", "silent", "alert", "no_runs"
]
WaitReason = Literal["ci", "ahead", "batch", "capacity", "start", "schedule", "freeze", "pause", "no_data"]


class ExpectedMerge(Struct, frozen=True):
    """When a pull request will probably merge, and the chance that it merges at all."""

    p50: DateTime
    p90: DateTime
    chance: float


class Eta(Struct, frozen=True):
    """The shares of past pull requests that merged before their p50 and before their p90."""

    p50: float
    p90: float
    cases: int
    p50_range: "EtaRange | None" = None  # of the windows; null if there are fewer than two with ten cases
    p90_range: "EtaRange | None" = None
    windows: "tuple[EtaWindow, ...]" = ()
    chances: "tuple[ChanceBin, ...]" = ()


class EtaRange(Struct, frozen=True):
    """The lowest and the highest share of a window."""

    low: float
    high: float


class EtaWindow(Struct, frozen=True):
    """The same for some weeks, the oldest first, corrected by what the others show."""

    p50: float
    p90: float
    cases: int


class ChanceBin(Struct, frozen=True):
    """Past pull requests with about the same chance: its mean, and the share that merged."""

    predicted: float
    merged: float
    cases: int


class QueueTrust(Struct, frozen=True):
    eta: Eta


class FailedRun(Struct, frozen=True):
    """The last CI run of a stay that ended, if it failed."""

    batch_id: str
    attempt: int
    ended_at: DateTime
    pull_requests: tuple[int, ...]
    check: str | None  # the first required check that failed; null if no source reports it
    sentence: str  # what failed and what happens next, and the chance if it is known


class Entry(Struct, frozen=True):
    position: int
    is_estimated: bool  # the position is estimated from the order of entering: no source reports it
    pull_request: int
    session_id: str
    priority_rule_name: str | None
    entered_at: DateTime
    waited_seconds: float
    batch_id: str | None
    expected_merge: ExpectedMerge | None = None
    failed: FailedRun | None = None
    # Omitted if no source reports them.
    title: str | UnsetType = UNSET
    author: str | UnsetType = UNSET
    url: str | UnsetType = UNSET
