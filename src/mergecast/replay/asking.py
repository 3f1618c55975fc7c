"""Where the oracle is asked: about a pull request that enters, a run that starts, somebody who left."""

from heapq import heappush
from typing import TypeAlias

from mergecast.replay.codes import NEVER, TIMEOUT, UNFINISHED
from mergecast.replay.happenings import DEPARTURE, RESULT, RETURN
from mergecast.replay.layout import (
    B_BISECTION,
    B_BROKEN,
    B_BROKEN_AHEAD,
    B_OFFSET,
    B_RULE,
    B_SIZE,
    B_VERDICT,
    P_INTERRUPTS,
    P_LANE,
    P_NUMBER,
    Q_TIMEOUT,
    R_AHEAD,
    R_ATTEMPT,
    R_BATCH,
    R_FORMED_AT,
    R_IN_FLIGHT,
    R_LED,
    R_OUTCOME,
    R_STARTED_AT,
    RUN_WIDTH,
    S_LEFT_AT,
    S_NEXT,
    S_PULL,
    S_REASON,
    S_TURN,
    Queue,
)
from mergecast.replay.line import join_from_behind
from mergecast.replay.values import Entering, Leaving, Oracle, RunStart

Agenda: TypeAlias = list[tuple[int, int, int, int]]  # when, what, a key for the order, of what


def enter(queue: Queue, oracle: Oracle, agenda: Agenda, entering: Entering) -> None:
    """Begin a stay."""
    pulls = queue.pulls
    stay = len(queue.stays)
    flaws, leaves_at, reason = oracle.fate(oracle.tables, entering)
    pull, turn, at = entering
    order = at
    if pulls[P_INTERRUPTS][pull]:
        queue.urgent += 1
        if queue.rules.lands_groups:  # on GitHub, the last one that jumped is the first in line
            order = -at
    queue.stays += (pull, turn, at, NEVER, NEVER, -1, 0, order, flaws, -1, -1, pulls[P_LANE][pull], reason)
    join_from_behind(queue, stay)
    if leaves_at != NEVER:
        leaves_at = max(leaves_at, queue.now)
        heappush(agenda, (leaves_at, DEPARTURE, pulls[P_NUMBER][pull], stay))


def ask_about_runs(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Plan the results of runs that have started since the last call."""
    runs, batches = queue.runs, queue.batches
    for run in range(queue.asked_runs, len(runs), RUN_WIDTH):
        if runs[run + R_OUTCOME] == UNFINISHED:  # it may have been stopped in the instant of starting
            batch = runs[run + R_BATCH]
            formed_at = runs[run + R_FORMED_AT]
            delay, length, verdict = oracle.outcome(oracle.tables, _question(queue, run, batch))
            timeout = queue.queue_rules[Q_TIMEOUT][batches[batch + B_RULE]]
            if 0 <= timeout < length:
                length, verdict = timeout, TIMEOUT
            runs[run + R_STARTED_AT] = formed_at + delay
            batches[batch + B_VERDICT] = verdict
            ends_at = formed_at + delay + length
            if ends_at < queue.now:  # it should have ended before the replay began
                ends_at = queue.now
            heappush(agenda, (ends_at, RESULT, batch, run))
    queue.asked_runs = len(runs)


def _question(queue: Queue, run: int, batch: int) -> RunStart:
    runs, batches = queue.runs, queue.batches
    formed_at = runs[run + R_FORMED_AT]
    row = (
        queue.stays[queue.members[batches[batch + B_OFFSET]] + S_PULL],
        runs[run + R_LED],
        batches[batch + B_SIZE],
        runs[run + R_AHEAD],
        batches[batch + B_BROKEN] + batches[batch + B_BROKEN_AHEAD],
        runs[run + R_ATTEMPT],
        batches[batch + B_BISECTION] >= 0,
        runs[run + R_IN_FLIGHT],
        formed_at,
        queue.now - formed_at,
        batches[batch + B_RULE],
    )
    # Half the time of `RunStart(…)`, which calls a function of Python.
    return tuple.__new__(RunStart, row)


def ask_about_people(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Plan the return of those who have left unmerged since the last call."""
    stays = queue.stays
    stay, queue.left = queue.left, -1
    while stay >= 0:
        pull, turn = stays[stay + S_PULL], stays[stay + S_TURN]
        leaving = Leaving(pull, turn, stays[stay + S_REASON], stays[stay + S_LEFT_AT])
        gap = oracle.comes_back(oracle.tables, leaving)
        if gap != NEVER:
            heappush(agenda, (queue.now + max(gap, 1), RETURN, queue.pulls[P_NUMBER][pull], stay))
        stay = stays[stay + S_NEXT]
