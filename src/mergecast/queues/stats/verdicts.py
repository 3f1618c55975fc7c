"""Verdicts on removals as they are shown, and what came of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.answers.verdicts import (
    CauseProbabilities,
    NearbyRun,
    Proven,
    QueueVerdicts,
    RemovalCauses,
    RemovalVerdict,
    SaidAct,
    SureVerdicts,
    VerdictBasis,
    VerdictEvidence,
    VerdictOutcomes,
    Verdicts,
    WaitFor,
)
from mergecast.queues.model.instant import Window, format_instant, format_optional
from mergecast.queues.model.removal_reasons import verdict_by_reason
from mergecast.queues.model.verdict import (
    ACTS,
    BY_REASON,
    FAILED_AGAIN,
    FIX,
    JUDGED_BY_RUNS,
    MERGED,
    NO_VERDICT,
    QUEUE_AGAIN,
    WAIT,
    Verdict,
)
from mergecast.queues.model.words import ACT_WORDS, counted
from mergecast.queues.stats.outcomes import Later, Removed, read_later
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import VerdictRow
from mergecast.queues.store.verdicts import (
    ListedVerdict,
    removals_to_judge,
    verdicts_between,
    verdicts_of_stays,
)

_verdict = msgspec.json.Decoder(Verdict)

T = TypeVar("T")
MOST_VERDICTS = 100_000
MOST_STAYS = 1_000
_OPEN = "open"
_ALL = 2**62
_UNCHANGED = {MERGED, FAILED_AGAIN}
# What comes of an unchanged return if the act was right; the other acts do not say.
_COMES = {QUEUE_AGAIN: MERGED, WAIT: MERGED, FIX: FAILED_AGAIN}
_PROVEN = {
    MERGED: "It came back unchanged and merged, so it was not this change.",
    FAILED_AGAIN: "It came back unchanged and failed again: it is very likely this change.",
}


def said_about(removed: Removed, row: VerdictRow | None) -> Verdict | None:
    """The verdict; until it is judged what its reason alone says, None if CI runs must be looked at."""
    if row is not None:
        return _verdict.decode(row.document)._replace(judged_at=row.judged_at)
    if removed.reason in JUDGED_BY_RUNS:
        return None
    reason = removed.reason if removed.reason in BY_REASON else "UNKNOWN"
    return verdict_by_reason(reason, removed.pull_request)._replace(judged_at=removed.left_at)


def _shown(said: Verdict, revision: int, removed: Removed, later: Later) -> RemovalVerdict:
    wait = said.wait_for
    proven = later.proven_cause(said.cause, removed.reason)
    return RemovalVerdict(
        format_instant(removed.left_at),
        format_optional(later.in_queue_since),
        None if proven is None else Proven(proven, _PROVEN[later.outcome or ""]),
        said.cause,
        said.certainty,
        None if said.probabilities is None else CauseProbabilities(*said.probabilities),
        said.passes_now,
        said.passes_later,
        said.act,
        None if wait is None else WaitFor(_unless_none(wait.check), _unless_none(wait.pull_request)),
        said.checks,
        said.others,
        tuple(VerdictEvidence(*evidence) for evidence in said.evidence),
        tuple(NearbyRun(**run._asdict() | {"ended_at": format_instant(run.ended_at)}) for run in said.nearby),
        said.sentence,
        VerdictBasis(*said.basis),
        format_instant(said.judged_at),
        revision,
        later.outcome,
    )


def _unless_none(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


HistoryRow = Sequence[Any]  # of the statement `history_stays`


def read_verdicts(
    reader: Reader, repository_id: int, rows: Iterable[HistoryRow], now: int
) -> dict[int, RemovalVerdict]:
    """The verdicts about these stays of one pull request; until one is judged, what its reason alone says."""
    removed = [
        Removed(row[0], row[5], row[1], row[2], row[7], row[8] or "UNKNOWN", row[15])
        for row in rows
        if row[7] is not None and row[8] not in NO_VERDICT
    ]
    later = read_later(reader, repository_id, removed, now)
    stored = verdicts_of_stays(reader, repository_id, [one.stay for one in removed])
    found = {}
    for one in removed:
        row = stored.get(one.stay)
        said = said_about(one, row)
        if said is not None:
            found[one.stay] = _shown(said, 0 if row is None else row.revision, one, later[one.stay])
    return found


class _Judged(NamedTuple):
    """A removal with what was said, what came later, and the cause that counts."""

    said: ListedVerdict
    later: Later
    cause: str


def _with_later(reader: Reader, repository_id: int, rows: Sequence[ListedVerdict], now: int) -> list[_Judged]:
    later = read_later(reader, repository_id, [Removed(*row[:7]) for row in rows], now)
    return [
        _Judged(row, later[row.stay], later[row.stay].proven_cause(row.cause, row.reason) or row.cause)
        for row in rows
    ]


class Causes(NamedTuple):
    """How many removals of a queue had each cause, and how many are not judged yet."""

    counts: Counter[str]
    not_judged: int


def causes_of_removals(reader: Reader, repository_id: int, window: Window) -> dict[tuple[str, str], Causes]:
    """By queue; where later runs proved another cause than was said, that one counts."""
    rows = verdicts_between(reader, repository_id, window, _ALL)
    return _causes(reader, repository_id, window, _with_later(reader, repository_id, rows, window.end))


def _causes(
    reader: Reader, repository_id: int, window: Window, judged: Iterable[_Judged]
) -> dict[tuple[str, str], Causes]:
    found: defaultdict[tuple[str, str], Causes] = defaultdict(lambda: Causes(Counter(), 0))
    for one in judged:
        found[one.said.base_ref, one.said.queue_name].counts[one.cause] += 1
    for queue, reason, count in removals_to_judge(reader, repository_id, window):
        if reason in JUDGED_BY_RUNS:
            found[queue] = found[queue]._replace(not_judged=found[queue].not_judged + count)
        else:
            found[queue].counts[BY_REASON.get(reason or "", BY_REASON["UNKNOWN"])[0]] += count
    return found


def verdict_record(reader: Reader, repository_id: int, window: Window, now: int) -> Verdicts:
    """How often each act was said about the removals of a period, and what came of it."""
    rows = verdicts_between(reader, repository_id, window, MOST_VERDICTS + 1)
    if len(rows) > MOST_VERDICTS:
        message = f"there are more than {MOST_VERDICTS:,} removals in this period; choose a shorter one"
        raise InvalidInput([FieldError("query", "start_at", message)])
    judged = _with_later(reader, repository_id, rows, now)
    causes = _causes(reader, repository_id, window, judged)
    by_queue: defaultdict[tuple[str, str], list[_Judged]] = defaultdict(list)
    for one in judged:
        by_queue[one.said.base_ref, one.said.queue_name].append(one)
    queues = tuple(_of_queue(queue, by_queue[queue], causes[queue]) for queue in sorted(causes))
    return Verdicts(format_instant(window.start), format_instant(window.end), queues)


def _of_queue(queue: tuple[str, str], judged: Sequence[_Judged], causes: Causes) -> QueueVerdicts:
    acts = tuple(_said(act, [one for one in judged if one.said.said_act == act]) for act in ACTS)
    outcomes = _outcomes(judged)
    removals = causes.counts.total() + causes.not_judged
    sure = [one for one in judged if one.said.is_sure and one.said.reason in JUDGED_BY_RUNS]
    came = [one for one in sure if one.later.outcome in _UNCHANGED and one.said.said_act in _COMES]
    as_said = sum(one.later.outcome == _COMES[one.said.said_act] for one in came)
    record = QueueVerdicts(
        *queue,
        removals,
        causes.not_judged,
        RemovalCauses(**causes.counts),
        acts,
        outcomes,
        outcomes.merged + outcomes.failed_again,
        outcomes.merged,
        SureVerdicts(len(sure), len(came), as_said),
        "",
    )
    return replace(record, sentence=record_in_words(record))


def _said(act: str, judged: Sequence[_Judged]) -> SaidAct:
    outcomes = _outcomes(judged)
    known = outcomes.merged + outcomes.failed_again
    if act not in _COMES:
        return SaidAct(act, len(judged), outcomes, None, None)
    return SaidAct(act, len(judged), outcomes, getattr(outcomes, _COMES[act]), known)


def _outcomes(judged: Iterable[_Judged]) -> VerdictOutcomes:
    return VerdictOutcomes(**Counter(one.later.outcome or _OPEN for one in judged))


def record_in_words(record: QueueVerdicts) -> str:
    """What the record comes to; a return with changes proves nothing."""
    waiting = f", {record.not_judged:,} not judged yet" if record.not_judged else ""
    begin = f"{counted(record.removals, 'removal')}{waiting}."
    changed, never = record.outcomes.changed, record.outcomes.never_returned
    others = f" {changed:,} came back changed, which proves nothing; {never:,} never came back."
    returns, merged = record.unchanged_returns, record.unchanged_merged
    if not returns:
        nothing = "No pull request has come back unchanged, so no advice has proved right or wrong yet."
        return f"{begin} {nothing}{others if changed or never else ''}"
    again = [act for act in record.acts if act.act in {QUEUE_AGAIN, WAIT}]
    known, right = sum(act.known or 0 for act in again), sum(act.right or 0 for act in again)
    rest, sure = returns - known, record.sure
    parts = []
    if known:
        parts.append(f"{right:,} of {known:,} merged after “{ACT_WORDS[QUEUE_AGAIN]}” or “{ACT_WORDS[WAIT]}”")
    if rest:
        parts.append(f"{merged - right:,} of {rest:,} merged all the same after other advice")
    base = f"of all unchanged returns {100 * merged / returns:.0f} % merged"
    if sure.returned:
        base = f"Of {sure.returned:,} that it was sure about, {sure.as_said:,} came as said; {base}"
    return f"{begin} {base[:1].upper()}{base[1:]}: {', '.join(parts)}.{others}"


class AskedRemoval(NamedTuple):
    """A removal that a caller asks about, and its verdict once it is judged."""

    stay: int
    session_id: str
    left_at: int
    verdict: RemovalVerdict | None


class _StayRow(NamedTuple):
    """The columns of the statement `history_stays` that are needed here."""

    stay: int
    session_id: str
    entered_at: int | None
    left_at: int | None
    reason: str | None

    @property
    def is_removal(self) -> bool:
        return self.left_at is not None and self.reason not in NO_VERDICT


def asked_removal(
    reader: Reader, repository_id: int, number: int, session_id: str | None, now: int
) -> AskedRemoval | None:
    """The removal of a stay, or the last one of a pull request; None if it was never removed."""
    rows = reader.rows("history_stays", [repository_id, number, MOST_STAYS])
    stays = [_StayRow(row[0], row[4], *row[6:9]) for row in rows]
    if session_id is not None:
        removed = _chosen(stays, number, session_id)
    else:
        found = [(stay.left_at, stay) for stay in stays if stay.is_removal and stay.left_at is not None]
        if not found:
            return None
        removed = max(found)[1]
    asked = [row for row in rows if row[0] == removed.stay]
    verdict = read_verdicts(reader, repository_id, asked, now).get(removed.stay)
    return AskedRemoval(removed.stay, removed.session_id, removed.left_at or 0, verdict)


def _chosen(stays: Iterable[_StayRow], number: int, session_id: str) -> _StayRow:
    for stay in stays:
        if stay.session_id == session_id:
            if stay.is_removal:
                return stay
            ending = "is still in the queue" if stay.left_at is None else "was merged"
            message = f"this stay {ending}; only a removal has a verdict"
            raise InvalidInput([FieldError("query", "session_id", message)])
    message = f"is not a stay of pull request {number}; GET …/pulls/{number}/history lists them"
    raise InvalidInput([FieldError("query", "session_id", message)])
