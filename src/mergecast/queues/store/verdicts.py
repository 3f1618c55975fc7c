"""Verdicts on removals in the store, the states of queues that they follow from, and what to judge."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.queues.model.instant import DAY, Window
from mergecast.queues.model.verdict import NO_VERDICT, REVISED_FOR, WAIT
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import correct_removals
from mergecast.queues.store.rows import VerdictRow, VerdictStateRow
from mergecast.queues.store.stored_rows import delete_rows, read_rows, stored_rows
from mergecast.queues.store.values import KnownRepository

QueueKey = tuple[str, str]  # base ref and name


class JudgedRemoval(NamedTuple):
    """A verdict, by the session of the removed stay."""

    session_id: str
    judged_at: int
    cause: str
    act: str
    document: str


class RemovedStay(NamedTuple):
    stay: int
    left_at: int
    pull_request: int


class QueueState(NamedTuple):
    """What was known at an instant; those that are stored are of the beginning of a day."""

    at: int
    document: bytes


class JudgedPeriod(NamedTuple):
    """What follows from a period of one queue: all verdicts about its removals, and states of some days.

    `removed` are the removals of the period. Verdicts about earlier ones may be among the judged ones too.
    """

    queue: QueueKey
    start: int
    end: int
    removed: Mapping[str, RemovedStay]  # by session
    judged: Sequence[JudgedRemoval]
    states: Sequence[QueueState]
    keeps: Callable[[int], bool]  # whether the state of a day is kept


class ListedVerdict(NamedTuple):
    stay: int
    pull_request: int
    base_ref: str
    queue_name: str
    left_at: int
    reason: str
    head_sha: str | None
    cause: str
    said_act: str
    is_sure: bool


def begin_judging(held: HeldRepository, repository_id: int) -> KnownRepository:
    """From now on everything since the earliest change is being judged; states after it do not hold."""
    state = held.state
    if state.id != repository_id or state.judge_from is None:
        return state
    held.change_rows("delete_verdict_states_after", state.judge_from, DAY)
    since = state.judge_from if state.judging_from is None else min(state.judge_from, state.judging_from)
    held.save(replace(state, judge_from=None, judge_by=None, judging_from=since))
    return held.state


def end_judging(held: HeldRepository, begun: KnownRepository, again_at: int | None) -> None:
    """Everything is judged; verdicts that are open then are judged again at an instant."""
    state = held.state
    if state.id != begun.id or state.judging_from != begun.judging_from:
        return  # another server has begun since
    state = replace(state, judging_from=None)
    if again_at is not None:
        judge_by = again_at if state.judge_by is None else min(state.judge_by, again_at)
        since = again_at if state.judge_from is None else min(state.judge_from, again_at)
        state = replace(state, judge_from=since, judge_by=judge_by)
    held.save(state)


def queues_to_judge(reader: Reader, repository_id: int, since: int) -> list[QueueKey]:
    """The queues in which something happened since an instant, or that have verdicts which may change."""
    groups = reader.groups(repository_id)
    found = {
        (groups[id].base_ref, groups[id].queue_name)
        for (id,) in reader.rows("groups_since", [repository_id, since])
        if id in groups
    }
    found |= {
        (base_ref, name)
        for base_ref, name in reader.rows("queues_with_verdicts_since", [repository_id, since - REVISED_FOR])
    }
    return sorted(found)


def last_state(reader: Reader, repository_id: int, queue: QueueKey) -> QueueState | None:
    """The last stored state of a queue; all hold that are stored, except for what is to be judged."""
    rows = reader.rows("last_verdict_state", [repository_id, *queue])
    return QueueState(rows[0][0] * DAY, rows[0][1]) if rows else None


def store_period(held: HeldRepository, begun: KnownRepository, period: JudgedPeriod) -> bool:
    """Replace the verdicts about the removals of a period; returns False if another server has begun since.

    A verdict that stays the same is not written, and one that differs is a further revision.
    """
    if held.state.id != begun.id or held.state.judging_from != begun.judging_from:
        return False
    rows = [VerdictRow(*row) for row in held.rows("verdicts_since", *period.queue, period.start, period.end)]
    of_period = {row.session_id for row in rows}
    # The others were judged as removals of another period or queue: before it, or before they were corrected.
    others = [judged.session_id for judged in period.judged if judged.session_id not in of_period]
    rows += stored_rows(held.rows, VerdictRow, session_id=others)
    known = {row.session_id: row for row in rows}
    new = [
        row for judged in period.judged if (row := _row(held, period, judged, known.get(judged.session_id)))
    ]
    written = {row.session_id for row in new}
    correct_removals(held, [(row, known[row.session_id].act) for row in new if row.session_id in known])
    judged_sessions = {judged.session_id for judged in period.judged}
    gone = [row.stay for row in rows if row.session_id in written or row.session_id not in judged_sessions]
    delete_rows(held, VerdictRow, stay=gone)
    held.insert(new)
    _store_states(held, period)
    changed = 1 if new or gone else 0
    held.save(replace(held.state, verdict_version=held.state.verdict_version + changed))
    return True


def store_first_verdicts(held: HeldRepository, repository_id: int, period: JudgedPeriod) -> None:
    """Store the verdicts about removals of a period that have none yet."""
    if held.state.id != repository_id:
        return
    known = {row.session_id for row in stored_rows(held.rows, VerdictRow, session_id=list(period.removed))}
    judged = [one for one in period.judged if one.session_id in period.removed.keys() - known]
    new = [row for one in judged if (row := _row(held, period, one, None))]
    if new:
        held.insert(new)
        held.save(replace(held.state, verdict_version=held.state.verdict_version + 1))


def _row(
    held: HeldRepository, period: JudgedPeriod, judged: JudgedRemoval, known: VerdictRow | None
) -> VerdictRow | None:
    """The row of a verdict; None if it is stored already, or if its stay is not known any more."""
    removed = period.removed.get(judged.session_id) or (
        known and RemovedStay(known.stay, known.left_at, known.pull_request)
    )
    if removed is None:
        return None
    # Later, only "wait" changes, when the bad time is over.
    said_act = judged.act if judged.judged_at <= removed.left_at + REVISED_FOR else WAIT
    row = VerdictRow(
        held.state.id, *removed, judged.judged_at, 1 if known is None else known.revision, *period.queue,
        judged.session_id, judged.cause, judged.act, said_act, judged.document,
    )  # fmt: skip
    if known is None:
        return row
    # That more time has passed is no revision.
    is_same = row._replace(judged_at=known.judged_at) == known
    return None if is_same else row._replace(revision=known.revision + 1)


def _store_states(held: HeldRepository, period: JudgedPeriod) -> None:
    if not period.states:
        return
    new = {state.at // DAY: state.document for state in period.states}
    days = [day for (day,) in held.rows("verdict_days", *period.queue)]
    if gone := sorted(day for day in days if day in new or not period.keeps(day)):
        held.change_rows("delete_verdict_states", *period.queue, gone)
    held.insert(VerdictStateRow(held.state.id, day, *period.queue, document) for day, document in new.items())


def delete_verdicts(held: HeldRepository, stays: Collection[int]) -> None:
    """Delete the verdicts about stays that are deleted because of their age."""
    if delete_rows(held, VerdictRow, stay=stays):
        held.save(replace(held.state, verdict_version=held.state.verdict_version + 1))


def verdicts_of_stays(reader: Reader, repository_id: int, stays: Collection[int]) -> dict[int, VerdictRow]:
    return {row.stay: row for row in read_rows(reader, repository_id, VerdictRow, stay=stays)}


class StayOfPull(NamedTuple):
    """A stay as the outcome of an earlier removal depends on it."""

    stay: int
    pull_request: int
    base_ref: str
    queue_name: str
    entered_at: int | None
    left_at: int | None
    reason: str | None
    head_sha: str | None

    def is_in(self, base_ref: str, queue_name: str) -> bool:
        return (self.base_ref, self.queue_name) == (base_ref, queue_name)


def stays_of_pulls(
    reader: Reader, repository_id: int, pull_requests: Collection[int], since: int
) -> list[StayOfPull]:
    """The stays of these pull requests that began since an instant, or may have, in the order of time."""
    rows = reader.rows("stays_of_pulls", [repository_id, list(pull_requests), since]) if pull_requests else []
    return [StayOfPull(*row) for row in rows]


def verdicts_between(reader: Reader, repository_id: int, window: Window, most: int) -> list[ListedVerdict]:
    """The verdicts about the removals of a period, at most so many."""
    return [ListedVerdict(*row) for row in reader.rows("verdicts_between", [repository_id, *window, most])]


def removals_to_judge(
    reader: Reader, repository_id: int, window: Window
) -> list[tuple[QueueKey, str | None, int]]:
    """How many removals of a period have no verdict yet, by queue and reason."""
    rows = reader.rows("removals_to_judge", [repository_id, *window, sorted(NO_VERDICT)])
    return [((base_ref, queue_name), reason, count) for base_ref, queue_name, reason, count in rows]
