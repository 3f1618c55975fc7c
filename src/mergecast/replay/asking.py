"""Where the oracle is asked: about a pull request that enters, a run that starts, somebody who left."""

from heapq import heappush
from typing import TypeAlias

from mergecast.replay.codes import NEVER, TIMEOUT, UNFINISHED
from mergecast.replay.happenings import DEPARTURE, RESULT, RETURN
from mergecast.replay.layout import (
    ASKED_RUNS,
    B_BISECTION,
    B_BROKEN,
    B_BROKEN_AHEAD,
    B_OFFSET,
    B_RULE,
    B_SIZE,
    B_VERDICT,
    IS_FULL,
    LEFT,
    N_RUNS,
    N_STAYS,
    NOW,
    P_INTERRUPTS,
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
    S_ENTERED_AT,
    S_FLAWS,
    S_LEFT_AT,
    S_NEXT,
    S_ORDER,
    S_PULL,
    S_REASON,
    S_TURN,
    S_WHY,
    Queue,
)
from mergecast.replay.line import join_from_behind
from mergecast.replay.values import Entering, Leaving, Oracle, RunStart

Agenda: TypeAlias = list[tuple[int, int, int, int]]  # when, what, a key for the order, of what


def enter(queue: Queue, oracle: Oracle, agenda: Agenda, entering: Entering) -> None:
    """Begin a stay."""
    now, stays = queue.now, queue.stays
    stay = now[N_STAYS]
    if stay + 1 >= len(stays[S_PULL]):
        now[IS_FULL] = 1
        return
    now[N_STAYS] = stay + 1
    fate = oracle.fate(oracle.tables, entering)
    pull, at = entering.pull, entering.at
    stays[S_PULL][stay] = pull
    stays[S_TURN][stay] = entering.turn
    stays[S_ENTERED_AT][stay] = at
    stays[S_LEFT_AT][stay] = NEVER
    stays[S_REASON][stay] = NEVER
    stays[S_FLAWS][stay] = fate.flaws
    # On GitHub, the last one that jumped is the first in line.
    jumps = queue.rules.lands_groups and queue.pulls[P_INTERRUPTS][pull]
    stays[S_ORDER][stay] = -at if jumps else at
    join_from_behind(queue, stay)
    if fate.leaves_at != NEVER:
        key = queue.pulls[P_NUMBER][pull]
        heappush(agenda, (max(fate.leaves_at, now[NOW]), DEPARTURE, key, stay))
        stays[S_WHY][stay] = fate.reason


def ask_about_runs(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Plan the results of runs that have started since the last call."""
    now, runs, batches = queue.now, queue.runs, queue.batches
    for run in range(now[ASKED_RUNS], now[N_RUNS]):
        if runs[R_OUTCOME][run] == UNFINISHED:  # it may have been stopped in the instant of starting
            batch = runs[R_BATCH][run]
            formed_at = runs[R_FORMED_AT][run]
            delay, length, verdict = oracle.outcome(oracle.tables, _question(queue, run, batch))
            timeout = queue.queue_rules[Q_TIMEOUT][batches[B_RULE][batch]]
            if 0 <= timeout < length:
                length, verdict = timeout, TIMEOUT
            runs[R_STARTED_AT][run] = formed_at + delay
            batches[B_VERDICT][batch] = verdict
            heappush(agenda, (max(formed_at + delay + length, now[NOW]), RESULT, batch, run))
    now[ASKED_RUNS] = now[N_RUNS]


def _question(queue: Queue, run: int, batch: int) -> RunStart:
    runs, batches = queue.runs, queue.batches
    formed_at = runs[R_FORMED_AT][run]
    return RunStart(
        queue.stays[S_PULL][queue.members[batches[B_OFFSET][batch]]],
        runs[R_LED][run],
        batches[B_SIZE][batch],
        runs[R_AHEAD][run],
        batches[B_BROKEN][batch] + batches[B_BROKEN_AHEAD][batch],
        runs[R_ATTEMPT][run],
        batches[B_BISECTION][batch] >= 0,
        runs[R_IN_FLIGHT][run],
        formed_at,
        queue.now[NOW] - formed_at,
        batches[B_RULE][batch],
    )


def ask_about_people(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Plan the return of those who have left unmerged since the last call."""
    now, stays = queue.now, queue.stays
    stay, now[LEFT] = now[LEFT], -1
    while stay >= 0:
        pull, turn = stays[S_PULL][stay], stays[S_TURN][stay]
        leaving = Leaving(pull, turn, stays[S_REASON][stay], stays[S_LEFT_AT][stay])
        gap = oracle.comes_back(oracle.tables, leaving)
        if gap != NEVER:
            heappush(agenda, (now[NOW] + max(gap, 1), RETURN, queue.pulls[P_NUMBER][pull], stay))
        stay = stays[S_NEXT][stay]
