"""The tables of the loop: flat lists of rows with a fixed width.

A stay, batch, run or bisection is identified by where its row begins: `queue.stays[stay + S_LEFT_AT]`. A row
is written in a fifth of the time that an object takes. The first columns of a row are those of the record.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from mergecast.forecasting.replay.values import EnteringFields, Leaving, RunStartFields

FAR: Final = 1 << 62  # later than every instant

# Pull requests. P_STANDS: it is in the train when the replay begins.
(P_NUMBER, P_ENTERED_AT, P_KIND, P_PRIORITY, P_STANDS) = range(5)
# Stays.
(S_PULL, S_TURN, S_ENTERED_AT, S_LEFT_AT, S_REASON, S_BATCH, S_PLACE) = range(7)
(S_ORDER, S_FLAWS, S_LANE, S_WHY) = range(7, 11)  # S_WHY: why a person removes it
STAY_WIDTH: Final = 11
# Batches.
(B_OFFSET, B_SIZE, B_BISECTION, B_RULE) = range(4)
(B_STATE, B_ATTEMPT, B_RUN, B_HOLD, B_KIND, B_AHEAD, B_BROKEN_AHEAD, B_BROKEN, B_GONE) = range(4, 13)
BATCH_WIDTH: Final = 13
# Runs.
(R_BATCH, R_ATTEMPT, R_FORMED_AT, R_STARTED_AT, R_ENDED_AT, R_OUTCOME, R_AHEAD, R_IN_FLIGHT) = range(8)
R_VERDICT: Final = 8  # how it will end unless it is stopped
RUN_WIDTH: Final = 9
# Splits and bisections.
(X_BISECTION, X_DEPTH, X_AT, X_BATCH) = range(4)
SPLIT_WIDTH: Final = 4
(I_BATCH, I_ENDED_AT, I_CULPRIT_FOUND, I_LIMIT_REACHED, I_SPLITS, I_PARTS) = range(6)
BISECTION_WIDTH: Final = 6
# Kinds: pull requests that may be tested together.
(K_RULE, K_SCOPES, K_MASK, K_ASIDE) = range(4)
# Queue rules. One more row counts what closes the whole train.
(Q_MIN, Q_MAX, Q_WAIT, Q_RETRIES, Q_TIMEOUT, Q_LIMIT, Q_CLOSED) = range(7)
# Changes around the train.
(C_AT, C_ACTION, C_RULE, C_STEP) = range(4)
(GATE, PAUSE, PUSH) = range(3)
# Batches that stand in the train when the replay begins.
(T_SIZE, T_ATTEMPT, T_STARTED_AT, T_HAS_PASSED) = range(4)
# Capacities of scopes.
(Y_SCOPE, Y_RUNS) = range(2)

# States of a batch.
(PARKED, RUNNING, GREEN, RED, KNOWN) = range(5)  # KNOWN: red without its own test


@dataclass(slots=True)
class Rules:
    """A policy as numbers; booleans are 0 or 1."""

    slots: int
    is_serial: int
    is_isolated: int
    merges_in_line: int  # serial, and batch after batch
    skips: int
    resets: int
    lands_groups: int
    min_entries: int
    max_entries: int
    entries_wait: int
    is_head_green: int
    slot_until_merged: int
    holds: int
    forms_behind_failure: int
    parts: int  # into how many a failed batch is split; 0: into single members
    tests_last_member: int
    keeps_parts: int
    wait_from_seed: int
    spares_head: int
    one_priority: int
    urgent_starts_at_once: int
    closed_stops_starts: int
    retries_timeouts: int
    splits_timeouts: int
    waits_for_ahead: int
    lanes_per_kind: int
    most_runs: int  # as a position in the table of runs


Numbers: TypeAlias = list[int]
Columns: TypeAlias = list[list[int]]
Agenda: TypeAlias = list[tuple[int, int, int, int]]  # time, kind, sort key, subject
(STOP, CHANGE, DEPARTURE, RESULT, RETURN, WAKE_UP) = range(6)  # of one instant, applied in this order


@dataclass(slots=True)
class Queue:
    """Everything that the loop reads and writes."""

    rules: Rules
    tables: Any  # of the oracle
    fate: Callable[[Any, EnteringFields], tuple[int, int, int]]
    outcome: Callable[[Any, RunStartFields], tuple[int, int, int]]
    comes_back: Callable[[Any, Leaving], int]
    now: int
    free: int  # slots
    pulls: Columns
    lane_of: Numbers  # by pull request, like the next two
    interrupts: Numbers
    led: Numbers  # how many runs it has led
    takes_slot: Numbers  # by state
    lanes: list[deque[int]]  # who waits, by kind and priority, oldest first
    kinds: Columns
    queue_rules: Columns
    changes: Columns
    standing: Columns
    standing_members: Numbers
    capacities: Columns
    agenda: Agenda
    wake_ups: set[int] = field(default_factory=set)  # instants at which only time has passed
    stays: Numbers = field(default_factory=list)
    members: Numbers = field(default_factory=list)  # stays, batch after batch
    batches: Numbers = field(default_factory=list)
    runs: Numbers = field(default_factory=list)
    splits: Numbers = field(default_factory=list)
    bisections: Numbers = field(default_factory=list)
    train: Numbers = field(default_factory=list)  # batches; those before `front` have merged
    urgent: Numbers = field(default_factory=list)  # newcomers who may interrupt
    left: Numbers = field(default_factory=list)  # stays that ended unmerged at this instant
    kept: Numbers = field(default_factory=list)  # parts of bisections on their way back into the train
    by_state: Numbers = field(default_factory=lambda: [0] * 5)  # batches of the train
    front: int = 0
    parts: int = 0  # batches of the train that are parts of bisections
    held: int = 0
    barriers: int = 0
    embarked: int = 0  # pull requests in the train
    embarked_broken: int = 0
    landed: int = 0  # at this instant
    closed: int = 0
    paused_by: int = 0
    enough: int = 0  # how many must wait before checking again is useful
    waiting: int = 0


def is_before(queue: Queue, stay: int, other: int) -> bool:
    """Whether a stay comes before another of the same priority."""
    stays = queue.stays
    if stays[stay + S_ORDER] != stays[other + S_ORDER]:
        return stays[stay + S_ORDER] < stays[other + S_ORDER]
    number = queue.pulls[P_NUMBER]
    return number[stays[stay + S_PULL]] < number[stays[other + S_PULL]]


def join_from_behind(queue: Queue, stay: int) -> None:
    """Add a stay that is probably the youngest."""
    lane = queue.lanes[queue.stays[stay + S_LANE]]
    place = len(lane)
    while place > 0 and is_before(queue, stay, lane[place - 1]):
        place -= 1
    lane.insert(place, stay)
    queue.waiting += 1


def join_from_ahead(queue: Queue, stay: int) -> None:
    """Add back a stay that is probably the oldest."""
    lane = queue.lanes[queue.stays[stay + S_LANE]]
    place = 0
    while place < len(lane) and is_before(queue, lane[place], stay):
        place += 1
    lane.insert(place, stay)
    queue.stays[stay + S_BATCH] = -1
    queue.waiting += 1


def take_out(queue: Queue, stay: int) -> None:
    """Remove a stay from its lane, wherever it is."""
    queue.lanes[queue.stays[stay + S_LANE]].remove(stay)
    queue.waiting -= 1
