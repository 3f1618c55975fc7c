"""Where the loop keeps its numbers: tables of columns.

`queue.stays[S_LEFT_AT][stay]` is the same expression for lists and for arrays of two dimensions, so that one
source runs in plain Python and compiled. The first columns of the tables are those of the record.
"""

from typing import Any, Final, NamedTuple

FAR: Final = 1 << 62  # later than every instant

# Pull requests. P_STANDS: it is in the train when the replay begins; P_LED: how many runs it has led.
(P_NUMBER, P_ENTERED_AT, P_LANE, P_KIND, P_INTERRUPTS, P_PRIORITY, P_STANDS, P_LED) = range(8)
# Stays.
(S_PULL, S_TURN, S_ENTERED_AT, S_LEFT_AT, S_REASON, S_BATCH, S_PLACE) = range(7)
(S_ORDER, S_FLAWS, S_NEXT, S_PREVIOUS, S_WHY) = range(7, 12)  # S_WHY: the reason if a person takes it out
STAY_COLUMNS: Final = 12
# Batches.
(B_OFFSET, B_SIZE, B_BISECTION, B_RULE) = range(4)
(B_STATE, B_ATTEMPT, B_RUN, B_VERDICT, B_HOLD, B_KIND, B_AHEAD, B_BROKEN_AHEAD, B_BROKEN, B_GONE) = range(
    4, 14
)
BATCH_COLUMNS: Final = 14
# Runs.
(R_BATCH, R_ATTEMPT, R_FORMED_AT, R_STARTED_AT, R_ENDED_AT, R_OUTCOME, R_AHEAD, R_IN_FLIGHT, R_LED) = range(9)
RUN_COLUMNS: Final = 9
# Splits and bisections.
(X_BISECTION, X_DEPTH, X_AT, X_BATCH) = range(4)
SPLIT_COLUMNS: Final = 4
(I_BATCH, I_ENDED_AT, I_CULPRIT_FOUND, I_LIMIT_REACHED, I_SPLITS, I_PARTS) = range(6)
BISECTION_COLUMNS: Final = 6
# Lanes: the waiting of one kind and one priority, oldest first.
(L_FIRST, L_LAST, L_COUNT) = range(3)
# Kinds: pull requests that may be tested together. One more row counts all of them.
(K_RULE, K_SCOPES, K_MASK, K_WAITING, K_ASIDE) = range(5)
# Queue rules. One more row counts what closes the whole train.
(Q_MIN, Q_MAX, Q_WAIT, Q_RETRIES, Q_TIMEOUT, Q_LIMIT, Q_CLOSED) = range(7)
# Changes of what surrounds the train.
(C_AT, C_ACTION, C_RULE, C_STEP) = range(4)
(GATE, PAUSE, PUSH) = range(3)
# Batches that stand in the train when the replay begins.
(T_SIZE, T_ATTEMPT, T_STARTED_AT, T_HAS_PASSED) = range(4)
# Capacities of scopes.
(Y_SCOPE, Y_RUNS) = range(2)

# States of a batch.
(PARKED, RUNNING, GREEN, RED, KNOWN) = range(5)  # KNOWN: red without a test of its own

# Numbers that change, in `queue.now`.
(NOW, FRONT, BACK) = range(3)
(N_STAYS, N_BATCHES, N_MEMBERS, N_RUNS, N_SPLITS, N_BISECTIONS) = range(3, 9)
(N_RUNNING, N_PASSED, N_FAILED, N_PARKED, N_PARTS, N_HELD, N_BARRIERS) = range(9, 16)
(N_EMBARKED, N_EMBARKED_BROKEN, N_KEPT, N_LANDED, N_WAITING) = range(16, 21)
(PAUSED_BY, ASKED_RUNS, LEFT, FILL_AT, LAND_AT, IS_FULL) = range(21, 27)
NOW_LENGTH: Final = 27


class Rules(NamedTuple):
    """A policy as numbers, truth values included."""

    slots: int
    is_serial: int
    is_isolated: int
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
    ends_at: int


class Queue(NamedTuple):
    """Everything that the loop reads and writes."""

    rules: Rules
    now: Any
    pulls: Any
    stays: Any
    members: Any  # stays, batch after batch
    batches: Any
    runs: Any
    splits: Any
    bisections: Any
    train: Any  # batches, from now[FRONT] up to now[BACK]
    kept: Any  # parts of bisections on their way back into the train
    lanes: Any
    kinds: Any
    queue_rules: Any
    changes: Any
    standing: Any
    standing_members: Any
    capacities: Any
