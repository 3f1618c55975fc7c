"""The agenda: what happens next, and what follows from it.

All that happens at one instant is applied first: changes around the train, departures, results, arrivals.
Then newcomers interrupt, batches settle, and free slots are filled, once.
"""

from heapq import heappop

from mergecast.replay.asking import Agenda, ask_about_people, ask_about_runs, enter
from mergecast.replay.codes import NEVER, UNFINISHED
from mergecast.replay.forming import fill
from mergecast.replay.happenings import DEPARTURE, RESULT, RETURN, change_surroundings, depart, finish, stand
from mergecast.replay.interrupting import interrupt
from mergecast.replay.layout import (
    C_AT,
    FAR,
    P_ENTERED_AT,
    P_STANDS,
    PARKED,
    R_OUTCOME,
    S_LEFT_AT,
    S_PULL,
    S_TURN,
    T_SIZE,
    Queue,
)
from mergecast.replay.settling import settle
from mergecast.replay.values import Entering, Oracle


def play(queue: Queue, oracle: Oracle) -> None:  # noqa: C901 - a call per step would cost a quarter of the time
    """Play to the end."""
    entered_at = queue.pulls[P_ENTERED_AT]
    pulls, stands, ends_at = len(entered_at), queue.pulls[P_STANDS], queue.rules.ends_at
    # A last entry that never comes saves asking whether the agenda is empty.
    agenda = [(FAR, RETURN, 0, 0)]
    _set_up(queue, oracle, agenda)
    change = pull = 0
    while True:
        at = other = _next_but_arrivals(queue, agenda, change)
        if pull < pulls and entered_at[pull] < at:
            at = entered_at[pull]
        if at > ends_at or at == FAR:
            return
        if at > queue.now:
            queue.now = at
            queue.landed = 0
        else:
            at, other = queue.now, max(other, queue.now)
        first_new = len(queue.stays)
        if other == at:
            change = _change_all(queue, change)
            _take_due(queue, oracle, agenda)
        while pull < pulls and entered_at[pull] <= at:
            if not stands[pull]:
                enter(queue, oracle, agenda, tuple.__new__(Entering, (pull, 0, entered_at[pull])))
            pull += 1
            queue.missing -= 1
        if agenda[0][0] <= at:  # somebody leaves in the instant of entering
            other = at
            _take_due(queue, oracle, agenda)
        if queue.urgent > 0:
            other = at
            interrupt(queue, first_new)
        # Arrivals alone decide nothing, and start nothing while no slot is free or their batch is not full.
        if other == at:
            settle(queue)
        elif queue.free <= 0 or queue.missing > 0:
            continue
        _go_on(queue, oracle, agenda)


def _change_all(queue: Queue, change: int) -> int:
    """Apply the changes around the train that are due; the first that is not."""
    while change < len(queue.changes[C_AT]) and queue.changes[C_AT][change] <= queue.now:
        change_surroundings(queue, change)
        change += 1
    return change


def _go_on(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Fill free slots, and ask about everything that has begun or ended since."""
    queue.fill_at = FAR
    queue.missing = 0
    if queue.free > 0 and queue.waiting + queue.by_state[PARKED] > 0:
        fill(queue)
    if queue.asked_runs < len(queue.runs):
        ask_about_runs(queue, oracle, agenda)
    if queue.left >= 0:
        ask_about_people(queue, oracle, agenda)


def _next_but_arrivals(queue: Queue, agenda: Agenda, change: int) -> int:
    """When the next thing happens that is not an arrival."""
    at, what, _, subject = agenda[0]
    while _is_stale(queue, what, subject):
        heappop(agenda)
        at, what, _, subject = agenda[0]
    if queue.fill_at < at:
        at = queue.fill_at
    if queue.land_at < at:
        at = queue.land_at
    changes = queue.changes[C_AT]
    return changes[change] if change < len(changes) and changes[change] < at else at


def _is_stale(queue: Queue, what: int, subject: int) -> bool:
    """Whether somebody has left before a person would take it out, or a run was stopped before its end."""
    if what == DEPARTURE:
        return queue.stays[subject + S_LEFT_AT] != NEVER
    return what == RESULT and queue.runs[subject + R_OUTCOME] != UNFINISHED


def _set_up(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Put the standing batches into the train."""
    offset = 0
    for row in range(len(queue.standing[T_SIZE])):
        for place in range(offset, offset + queue.standing[T_SIZE][row]):
            pull = queue.standing_members[place]
            enter(queue, oracle, agenda, Entering(pull, 0, queue.pulls[P_ENTERED_AT][pull]))
        offset += queue.standing[T_SIZE][row]
        stand(queue, row)
        ask_about_runs(queue, oracle, agenda)


def _take_due(queue: Queue, oracle: Oracle, agenda: Agenda) -> None:
    """Apply everything on the agenda that is due."""
    at = queue.now
    while agenda[0][0] <= at:
        _, what, subject, detail = heappop(agenda)
        if what == RESULT:
            finish(queue, subject, detail)
            if queue.asked_runs < len(queue.runs):
                ask_about_runs(queue, oracle, agenda)
        elif what == DEPARTURE:
            depart(queue, detail)
        else:
            pull, turn = queue.stays[detail + S_PULL], queue.stays[detail + S_TURN]
            enter(queue, oracle, agenda, Entering(pull, turn + 1, at))
