"""The state of a replay: pull requests, stays, batches, runs and bisections, and the queue that holds them.

`number` is the position of an object in the queue's list of its kind; the record refers to it by that.
Stays refer to batches and batches to runs, never the other way round: a replay makes a million of these
objects, and without cycles they are freed without the garbage collector. Only stays that still wait when the
replay stops are in a cycle, with their lane.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from mergecast.forecasting.replay.codes import NEVER, UNFINISHED
from mergecast.forecasting.replay.values import (
    EnteringFields,
    InitialBatch,
    Leaving,
    Policy,
    QueueRule,
    RunStartFields,
    Variants,
)

FAR: Final = 1 << 62  # later than every instant

# States of a batch.
(PARKED, RUNNING, GREEN, RED, KNOWN) = range(5)  # KNOWN: red without its own test

# What happens outside the train.
(GATE, PAUSE, PUSH, OUTAGE) = range(4)

Agenda: TypeAlias = list[tuple[int, int, int, int]]  # time, kind, sort key, number of the subject
(STOP, CHANGE, DEPARTURE, RESULT, RETURN, WAKE_UP) = range(6)  # of one instant, applied in this order


_NUMBER: Final = attrgetter("pull.number")


@dataclass(slots=True, eq=False)
class Kind:
    """Pull requests that may be tested together: they share a queue rule and, where it matters, scopes."""

    rule: int
    settings: QueueRule
    scopes: int
    mask: int  # two kinds depend on each other if their masks share a bit
    lanes: "list[deque[Stay]]"  # stays that wait, by priority, the highest first; the oldest is on the left
    is_set_aside: bool = False  # nothing of this kind may start at this instant


@dataclass(slots=True, eq=False)
class Pull:
    """A pull request. `row` is its row in the arrivals."""

    row: int
    number: int
    entered_at: int
    priority: int
    interrupts: bool
    is_in_initial_batch: bool
    kind: Kind
    lane: "deque[Stay]"  # where it waits
    led: int = 0  # how many runs it has led


@dataclass(slots=True, eq=False)
class Bisection:
    """The search for the culprit of a failed batch."""

    number: int
    batch: int
    ended_at: int = NEVER
    culprit_found: bool = False
    limit_reached: bool = False
    splits: int = 0
    parts: int = 0  # batches that are still to be decided


class SplitBatch(NamedTuple):
    """A failed batch was split; bisection and batch are numbers."""

    bisection: int
    depth: int
    at: int
    batch: int


@dataclass(slots=True, eq=False)
class Run:
    """One run of CI. `verdict` is how it ends unless it is stopped."""

    batch: int
    attempt: int
    formed_at: int
    started_at: int
    ahead: int
    in_flight: int
    verdict: int
    ended_at: int = NEVER
    outcome: int = UNFINISHED


@dataclass(slots=True, eq=False)
class Batch:
    """Stays that are tested together: `members[offset : offset + size]` of the queue."""

    number: int
    offset: int
    size: int
    kind: Kind
    bisection: Bisection | None  # that it is a part of
    state: int
    broken: int  # members
    ahead: int = 0  # pull requests that it is built on
    broken_ahead: int = 0
    run: Run | None = None  # the latest
    attempt: int = 1
    hold: int = NEVER  # once its failure is decidable: the number of the last batch that may vouch for it
    is_marked: bool = False  # it is about to be dissolved
    is_gone: bool = False


@dataclass(slots=True, eq=False)
class Stay:
    """One pull request in the queue, from entering to leaving."""

    number: int
    pull: Pull
    turn: int
    entered_at: int
    order: int  # of two stays with the same priority, the one with the lower order comes first
    flaws: int
    removal_reason: int  # why a person removes it, if one does
    begins_batch: bool = False  # it is not tested together with those that wait ahead of it
    left_at: int = NEVER
    reason: int = NEVER
    batch: Batch | None = None  # that it is in, or that decided about it
    place: int = 0


class Change(NamedTuple):
    """Something opens or closes (`step` is -1 or 1), or someone pushes to the base branch."""

    at: int
    action: int
    rule: int
    step: int


@dataclass(slots=True, eq=False)
class Queue:
    """Everything that the loop reads and writes."""

    policy: Policy
    variants: Variants
    is_serial: bool
    is_isolated: bool
    has_groups: bool  # stays may wait at the end of the line as batches of their own
    skips: bool  # a batch that passes vouches for those it is built on
    most_runs: int
    tables: Any  # of the oracle
    fate: Callable[[Any, EnteringFields], tuple[int, int, int]]
    outcome: Callable[[Any, RunStartFields], tuple[int, int, int]]
    comes_back: Callable[[Any, Leaving], int]
    now: int
    free: int  # slots
    pulls: list[Pull]
    kinds: list[Kind]
    changes: list[Change]
    initial_batches: tuple[InitialBatch, ...]
    agenda: Agenda
    takes_slot: list[int]  # by state, 0 or 1
    closed_by: list[int]  # how many closed spans each queue rule is in; the last item is for the whole train
    wake_ups: set[int] = field(default_factory=set)  # instants at which only time has passed
    stays: list[Stay] = field(default_factory=list)
    members: list[Stay] = field(default_factory=list)  # batch after batch
    batches: list[Batch] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    splits: list[SplitBatch] = field(default_factory=list)
    bisections: list[Bisection] = field(default_factory=list)
    train: list[Batch] = field(default_factory=list)  # those before `front` have merged
    urgent: list[Stay] = field(default_factory=list)  # newcomers who may interrupt
    left: list[Stay] = field(default_factory=list)  # those that ended unmerged at this instant
    kept: list[Batch] = field(default_factory=list)  # parts of bisections on their way back into the train
    by_state: list[int] = field(default_factory=lambda: [0] * 5)  # how many batches of the train
    front: int = 0
    parts: int = 0  # batches of the train that are parts of bisections
    held: int = 0
    barriers: int = 0
    embarked: int = 0  # pull requests in the train
    embarked_broken: int = 0
    landed: int = 0  # at this instant
    closed: int = 0
    paused_by: int = 0
    stalled_by: int = 0  # outages
    enough: int = 0  # how many must wait before checking again is useful
    waiting: int = 0
    last_order: int = -FAR  # of the stays that were sent to the end of the line

    def members_of(self, batch: Batch) -> list[Stay]:
        return self.members[batch.offset : batch.offset + batch.size]


def is_before(stay: Stay, other: Stay) -> bool:
    """Whether a stay comes before another of the same priority."""
    if stay.order != other.order:
        return stay.order < other.order
    return stay.pull.number < other.pull.number


def join_from_behind(queue: Queue, stay: Stay) -> None:
    """Add a stay that is probably the youngest to its lane."""
    lane = stay.pull.lane
    place = len(lane)
    while place > 0 and is_before(stay, lane[place - 1]):
        place -= 1
    lane.insert(place, stay)
    queue.waiting += 1


def join_from_ahead(queue: Queue, stay: Stay) -> None:
    """Add a stay that is probably the oldest to its lane again."""
    lane = stay.pull.lane
    place = 0
    while place < len(lane) and is_before(lane[place], stay):
        place += 1
    lane.insert(place, stay)
    stay.batch = None
    queue.waiting += 1


def join_last(queue: Queue, stays: list[Stay]) -> None:
    """Let stays wait at the end of the line, to be tested together with those that come after them."""
    queue.last_order = max(queue.now, queue.last_order) + 1
    lanes: set[int] = set()
    for stay in sorted(stays, key=_NUMBER):
        stay.order, stay.batch = queue.last_order, None
        stay.begins_batch = stay.pull.priority not in lanes
        lanes.add(stay.pull.priority)
        stay.pull.lane.append(stay)
        queue.waiting += 1


def take_out(queue: Queue, stay: Stay) -> None:
    """Remove a stay from its lane, wherever it is."""
    lane = stay.pull.lane
    if stay.begins_batch:
        place = lane.index(stay) + 1
        if place < len(lane):
            lane[place].begins_batch = True
    lane.remove(stay)
    queue.waiting -= 1
