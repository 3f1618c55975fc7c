"""The input of a replay: a policy, arrivals, closed time, and the oracle that decides every outcome.

All instants and durations are whole microseconds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple, TypeAlias


class ReplayTooLong(Exception):
    """The queue never settles: it starts many more runs than any real one would."""


class Mode(Enum):
    SERIAL = "serial"
    PARALLEL = "parallel"
    ISOLATED = "isolated"


class Split(Enum):
    """How a failed batch is cut: as many chunks as there are slots, two halves, or single members."""

    CHUNKS = "chunks"
    HALVES = "halves"
    SINGLES = "singles"


@dataclass(frozen=True, slots=True)
class QueueRule:
    """The settings of one queue rule."""

    batch_size_min: int = 1  # for a fixed size, the same as the largest
    batch_size_max: int = 1
    batch_max_wait_time: int = 0
    max_checks_retries: int = 0
    checks_timeout: int | None = None
    batch_max_failure_resolution_attempts: int | None = None


@dataclass(frozen=True, slots=True)
class Landing:
    """How GitHub pushes green entries to the base branch."""

    min_entries: int = 1
    max_entries: int = 5
    wait: int = 0
    head_green: bool = False  # only the last entry of a group must be green


@dataclass(frozen=True, slots=True)
class Variants:
    """Rules that no vendor documents; a history shows which of them hold."""

    slot_until_merged: bool = False  # a passed batch keeps its slot until it merges
    holds_for_vouchers: bool = True  # a failure waits for batches that run on top of it and may vouch for it
    forms_behind_failure: bool = False  # batches form behind a failed batch and behind a bisection
    split: Split = Split.CHUNKS
    tests_last_member: bool = False  # a bisection tests the last member like the others
    parts_wait: bool = False  # the parts of a failed batch wait behind others; newcomers may join the last
    stopped_wait: bool = False  # so do the other members of a batch that a person took one out of
    keeps_parts: bool = False  # stopped parts of a bisection run again as they are, before all others
    wait_from_seed: bool = False  # the wait to fill a batch counts from the seed, not from the oldest member
    spares_head: bool = False  # an interruption leaves the first batch of the train alone
    one_priority: bool = False  # a batch holds pull requests of one priority
    urgent_starts_at_once: bool = False  # a seed that may interrupt does not wait for its batch to fill
    closed_stops_starts: bool = False  # a schedule or freeze stops starts, not merges
    retries_timeouts: bool = False
    splits_timeouts: bool = True  # otherwise all members of a batch that timed out leave
    waits_for_ahead: bool = True  # otherwise a red batch is resolved at once (GitHub, GitLab)


@dataclass(frozen=True, slots=True)
class Policy:
    """How a train behaves. A train is one base branch with all its queue rules."""

    rules: tuple[QueueRule, ...] = (QueueRule(),)
    max_parallel_checks: int = 1
    mode: Mode = Mode.SERIAL
    skip_intermediate_results: bool = False
    reset_on_external_merge: bool = True
    capacities: tuple[tuple[int, int], ...] = ()  # (bit of the scope, checks that may run for it)
    landing: Landing | None = None
    variants: Variants = Variants()


class Arrivals(NamedTuple):
    """Pull requests in columns, sorted by (entered_at, number).

    A row is one pull request, not one stay: the oracle decides whether it comes back after it left.
    """

    number: Sequence[int]
    entered_at: Sequence[int]
    priority: Sequence[int]  # 1 to 10000; 2000 unless a rule says otherwise
    rule: Sequence[int]  # index into Policy.rules
    interrupts: Sequence[bool]  # it may stop checks of lower priority (on GitHub: it jumps to the front)
    scopes: Sequence[int]  # bits, 0 for none, EVERY_SCOPE for a barrier; only parallel mode looks at them


class Closing(Enum):
    SCHEDULE = "schedule"
    FREEZE = "freeze"
    PAUSE = "pause"
    OUTAGE = "outage"  # nothing starts; what runs goes on


class ClosedSpan(NamedTuple):
    """Half open: from `start` up to, not including, `end`. Without a rule it closes the whole train."""

    start: int
    end: int
    closing: Closing
    rule: int | None = None


class InitialBatch(NamedTuple):
    """A batch that is already in the train when the replay begins."""

    members: tuple[int, ...]  # rows of the arrivals
    attempt: int
    started_at: int
    has_passed: bool


class Entering(NamedTuple):
    """What the oracle may know about a pull request that enters."""

    pull: int  # row of the arrivals
    turn: int  # 0 for its first stay
    at: int


class Fate(NamedTuple):
    """What will happen to a stay unless the queue is faster."""

    flaws: int  # bits: BROKEN, CONFLICTING, REFUSED
    leaves_at: int  # when a person removes it, NEVER if no one does
    reason: int  # why, as an index into REASONS


class RunStart(NamedTuple):
    """What the oracle may know about a run that is about to start."""

    leader: int  # row of the first member
    led: int  # how many runs that pull request has led before this one
    size: int
    ahead: int  # pull requests in the tree that are not members
    broken: int  # broken pull requests in the tree, members included
    attempt: int  # 1 for the first
    is_part: bool  # of a bisection
    in_flight: int  # runs in progress, including this one
    at: int  # when the batch takes its slot
    elapsed: int  # how long it has been running already; 0 unless it is that of an initial batch
    rule: int


class Outcome(NamedTuple):
    """`delay` passes between taking the slot and the start of the checks, which last `length`."""

    delay: int
    length: int
    verdict: int  # PASS, FAIL or CANCELLED


class Leaving(NamedTuple):
    """What the oracle may know about a pull request that left unmerged."""

    pull: int
    turn: int
    reason: int
    at: int


# The fields of `Entering` and `RunStart` as plain tuples, which are made and taken apart much faster.
EnteringFields: TypeAlias = tuple[int, int, int]
RunStartFields: TypeAlias = tuple[int, int, int, int, int, int, bool, int, int, int, int]


class Oracle(NamedTuple):
    """Three pure functions and the tables they read. What they are asked most often comes as plain tuples."""

    tables: Any
    fate: Callable[[Any, EnteringFields], tuple[int, int, int]]  # a Fate
    outcome: Callable[[Any, RunStartFields], tuple[int, int, int]]  # an Outcome
    comes_back: Callable[[Any, Leaving], int]  # after how long it is queued again, NEVER if it is not


class Circumstances(NamedTuple):
    """What no policy changes: closed time, pushes, and how the replay begins and ends."""

    closed: tuple[ClosedSpan, ...] = ()
    pushes: tuple[int, ...] = ()  # instants of pushes to the base branch from outside the queue
    initial_batches: tuple[InitialBatch, ...] = ()  # the front one first
    begins_at: int = 0  # what entered before this waits at this instant, with its old queue time
    ends_at: int | None = None  # None: until nothing is left to do


_ENTRIES_OF_THEIR_OWN = Variants(forms_behind_failure=True, waits_for_ahead=False)


def github_policy(
    max_entries_to_build: int = 5, landing: Landing | None = None, checks_timeout: int | None = None
) -> Policy:
    """Every entry has its own build; GitHub's group size only affects which entries are pushed together."""
    return Policy(
        rules=(QueueRule(checks_timeout=checks_timeout),),
        max_parallel_checks=max_entries_to_build,
        landing=landing or Landing(),
        variants=_ENTRIES_OF_THEIR_OWN,
    )


def gitlab_policy(parallel_pipelines: int = 20, checks_timeout: int | None = None) -> Policy:
    """The first cars of the train are tested at the same time; those that have passed count too."""
    return Policy(
        rules=(QueueRule(checks_timeout=checks_timeout),),
        max_parallel_checks=parallel_pipelines,
        variants=replace(_ENTRIES_OF_THEIR_OWN, slot_until_merged=True),
    )
