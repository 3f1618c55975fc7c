"""Verdicts on removals as they are shown, and what came of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.answers.verdicts import (
    CauseProbabilities,
    NearbyRun,
    QueueVerdicts,
    RemovalCauses,
    RemovalVerdict,
    SaidAct,
    VerdictBasis,
    VerdictEvidence,
    VerdictOutcomes,
    Verdicts,
    WaitFor,
)
from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import DAY, Window, format_instant
from mergecast.queues.model.verdict import (
    ACTS,
    CHANGED,
    FAILED_AGAIN,
    FIX,
    JUDGED_BY_RUNS,
    MERGED,
    NEVER_RETURNED,
    NO_VERDICT,
    QUEUE_AGAIN,
    WAIT,
    Verdict,
)
from mergecast.queues.model.words import ACT_WORDS, counted
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import VerdictRow
from mergecast.queues.store.verdicts import (
    ListedVerdict,
    StayOfPull,
    commits_of_stays,
    stays_of_pulls,
    verdicts_between,
    verdicts_of_stays,
)

_verdict = msgspec.json.Decoder(Verdict)

T = TypeVar("T")
# A pull request that comes back later than this does not answer the verdict any more.
RETURNS_WITHIN = 14 * DAY
MOST_VERDICTS = 100_000
MOST_STAYS = 1_000
# What came of an act that was right, and of one that was wrong; the others say nothing.
_RIGHT = {QUEUE_AGAIN: {MERGED}, WAIT: {MERGED}, FIX: {CHANGED, FAILED_AGAIN}}
_WRONG = {QUEUE_AGAIN: {FAILED_AGAIN}, WAIT: {FAILED_AGAIN}, FIX: {MERGED}}
_OPEN = "open"
_PUSHED = "PULL_REQUEST_UPDATED"


class Removed(NamedTuple):
    """A removal, as far as its outcome depends on it."""

    stay: int
    pull_request: int
    base_ref: str
    queue_name: str
    left_at: int
    head_sha: str | None


def outcome_of(removed: Removed, stays: Iterable[StayOfPull], now: int) -> str | None:
    """What came of a removal, from the stays of its pull request; None while that is open or cannot be known.

    A return that ends for another reason, such as a reset of the queue, leaves it to the next one. One to
    another queue is no answer, and neither is one that may have begun at any time.
    """
    last = removed.left_at + RETURNS_WITHIN
    returns = [
        stay
        for stay in stays
        if stay.stay != removed.stay
        and (stay.entered_at is None or removed.left_at <= stay.entered_at <= last)
        and (stay.left_at is None or removed.left_at <= stay.left_at)
    ]
    for stay in returns:
        if stay.entered_at is None or not stay.is_in(removed.base_ref, removed.queue_name):
            continue
        if removed.head_sha is None or stay.head_sha is None:
            return None
        if stay.head_sha != removed.head_sha or stay.reason == _PUSHED:
            return CHANGED
        if stay.reason in MERGED_REASONS:
            return MERGED
        if stay.reason in JUDGED_BY_RUNS:
            return FAILED_AGAIN
        if stay.left_at is None:
            return None
    return None if returns or now <= last else NEVER_RETURNED


def shown_verdict(row: VerdictRow, outcome: str | None) -> RemovalVerdict:
    said = _verdict.decode(row.document)
    wait = said.wait_for
    return RemovalVerdict(
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
        format_instant(row.judged_at),
        row.revision,
        outcome,
    )


def _unless_none(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def read_verdicts(
    reader: Reader, repository_id: int, stays: Collection[int], now: int
) -> dict[int, RemovalVerdict]:
    """The verdicts about these stays of one pull request, as far as there are any."""
    rows = verdicts_of_stays(reader, repository_id, stays)
    if not rows:
        return {}
    commits = commits_of_stays(reader, repository_id, rows)
    first = min(row.left_at for row in rows.values())
    pulls = {row.pull_request for row in rows.values()}
    later = stays_of_pulls(reader, repository_id, pulls, first)
    return {
        stay: shown_verdict(row, outcome_of(_removed(row, commits), later, now)) for stay, row in rows.items()
    }


def _removed(row: VerdictRow | ListedVerdict, commits: Mapping[int, str]) -> Removed:
    return Removed(
        row.stay, row.pull_request, row.base_ref, row.queue_name, row.left_at, commits.get(row.stay)
    )


def verdict_record(reader: Reader, repository_id: int, window: Window, now: int) -> Verdicts:
    """How often each act was said about the removals of a period, and what came of it."""
    rows = verdicts_between(reader, repository_id, window, MOST_VERDICTS + 1)
    if len(rows) > MOST_VERDICTS:
        message = f"there are more than {MOST_VERDICTS:,} removals in this period; choose a shorter one"
        raise InvalidInput([FieldError("query", "start_at", message)])
    outcomes = _outcomes(reader, repository_id, rows, now)
    by_queue = sorted(rows, key=attrgetter("base_ref", "queue_name"))
    return Verdicts(
        format_instant(window.start),
        format_instant(window.end),
        tuple(
            _of_queue(queue, list(members), outcomes)
            for queue, members in groupby(by_queue, key=attrgetter("base_ref", "queue_name"))
        ),
    )


def _outcomes(
    reader: Reader, repository_id: int, rows: Sequence[ListedVerdict], now: int
) -> dict[int, str | None]:
    """What came of each removal, by its stay."""
    if not rows:
        return {}
    commits = commits_of_stays(reader, repository_id, [row.stay for row in rows])
    pulls = {row.pull_request for row in rows}
    later: dict[int, list[StayOfPull]] = {}
    for stay in stays_of_pulls(reader, repository_id, pulls, min(row.left_at for row in rows)):
        later.setdefault(stay.pull_request, []).append(stay)
    return {
        row.stay: outcome_of(_removed(row, commits), later.get(row.pull_request, ()), now) for row in rows
    }


def _of_queue(
    queue: tuple[str, str], rows: Sequence[ListedVerdict], outcomes: Mapping[int, str | None]
) -> QueueVerdicts:
    causes = Counter(row.cause for row in rows)
    came = Counter((row.said_act, outcomes[row.stay] or _OPEN) for row in rows)
    acts = tuple(_said(act, came) for act in ACTS)
    merged = sum(acted.outcomes.merged for acted in acts)
    returned = merged + sum(acted.outcomes.failed_again for acted in acts)
    return QueueVerdicts(
        *queue, len(rows), RemovalCauses(**causes), acts, returned, merged, _sentence(len(rows), acts)
    )


def _said(act: str, came: Mapping[tuple[str, str], int]) -> SaidAct:
    counts = {outcome: count for (said, outcome), count in came.items() if said == act}
    said = sum(counts.values())
    if act not in _RIGHT:
        return SaidAct(act, said, VerdictOutcomes(**counts), None, None)
    right = sum(counts.get(outcome, 0) for outcome in _RIGHT[act])
    wrong = sum(counts.get(outcome, 0) for outcome in _WRONG[act])
    return SaidAct(act, said, VerdictOutcomes(**counts), right, right + wrong)


def _sentence(removals: int, acts: Iterable[SaidAct]) -> str:
    """What the record comes to, in words."""
    begin = f"{counted(removals, 'removal')}."
    told = [
        f"“{ACT_WORDS[acted.act]}” was right in {acted.right} of {acted.known} whose outcome is known."
        for acted in acts
        if acted.known
    ]
    return " ".join([begin, *told]) if told else f"{begin} No advice has proved right or wrong yet."


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
    verdict = read_verdicts(reader, repository_id, [removed.stay], now).get(removed.stay)
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
