"""What a pull request in a queue waits for, as far as the queue and its rules show it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.queue import Entry, ExpectedMerge, ExpectedState, FailedRun, WaitReason
from mergecast.queues.model.instant import DAY, SECOND, format_instant, parse_instant
from mergecast.queues.model.queue_rules import ClosedTime, QueueRules
from mergecast.queues.stats.queue_contents import Batch, Queue

_SILENT: Final = "source_silent"
_FORGOTTEN: Final = "forgotten"  # delays no other pull request
# With a pull request in a queue, something happens in a day: a run starts, ends, or is given up.
_QUIET: Final = DAY


class UsualSeconds(Struct, frozen=True):
    """Eight of ten CI runs of the queue take so long."""

    low: float
    high: float


class Trouble(Struct, frozen=True):
    """An open alert about the queue as it is now."""

    figure: str
    since: DateTime
    source: str | None = None


class WaitEvidence(Struct, frozen=True, kw_only=True):
    """What the sentence is made of; null is what is not known, or does not matter for this reason."""

    base_ref: str
    queue_name: str
    position: int
    position_is_estimated: bool  # by the time of entering, although the queue has several priorities
    newest_event_at: DateTime
    busy_slots: int | None = None
    slots: int | None = None
    missing: int | None = None  # pull requests until its batch is full
    ahead: int | None = None  # pull requests before it
    ci_started_at: DateTime | None = None
    usual_ci_seconds: UsualSeconds | None = None
    failed: FailedRun | None = None  # if the last run that ended failed; its sentence is without a chance
    closed_stops: Literal["starts", "merges"] | None = None
    closed_since: DateTime | None = None
    alert: Trouble | None = None
    expected_merge: ExpectedMerge | None = None
    expected_merges: ExpectedState  # whether that of this queue is known, or why not


class Waits(Struct, frozen=True):
    """Why it waits, and when that ends by itself; null if that is not known."""

    reason: WaitReason
    until: int | None
    evidence: WaitEvidence


@dataclass(frozen=True, slots=True)
class Situation:
    """All that is known about one waiting pull request."""

    entry: Entry
    queue: Queue
    branch: Sequence[Queue]  # all queues of its base branch
    newest_event_at: int
    has_passed: bool = False  # the CI run of its present stay that started last
    rules: QueueRules | None = None
    troubles: Sequence[Trouble] = ()
    tested: Collection[int] = ()  # pull requests of the queue that have had a CI run
    expected: ExpectedMerge | None = None  # only if it was computed a moment ago
    expected_state: ExpectedState = "too_little_history"


def waits(situation: Situation, at: int) -> Waits:
    """The first reason that holds; a silent feed comes first, because nothing else is known then."""
    found = _silence(situation, at)
    for look in () if found else _REASONS:
        found = found or look(situation, at)
    return found or Waits("start", None, _with_slots(situation, at))


def _silence(situation: Situation, at: int) -> Waits | None:
    silent = next((one for one in situation.troubles if one.figure == _SILENT), None)
    if silent is None and at - situation.newest_event_at < _QUIET:
        return None
    return Waits("no_data", None, replace(_place(situation), alert=silent, expected_merges="silent"))


def _closed(situation: Situation, at: int) -> Waits | None:
    rules, run = situation.rules, _run(situation)
    for closed in rules.closed if rules else ():
        is_now = closed.since <= at and (closed.until is None or at < closed.until)
        if is_now and not (closed.stops_starts and run):
            evidence = replace(
                _with_run(situation, run, at),
                closed_stops="starts" if closed.stops_starts else "merges",
                closed_since=format_instant(closed.since),
            )
            return Waits(closed.closing, closed.until, _without_early_merge(evidence, closed))
    return None


def _without_early_merge(evidence: WaitEvidence, closed: ClosedTime) -> WaitEvidence:
    """An expected merge before the queue opens contradicts one of the two: it is left out."""
    expected = evidence.expected_merge
    is_early = expected is not None and parse_instant(expected.p50) < (closed.until or 0)
    return replace(evidence, expected_merge=None) if is_early or closed.until is None else evidence


def _ci(situation: Situation, at: int) -> Waits | None:
    run = _run(situation)
    return None if run is None else Waits("ci", None, _with_run(situation, run, at))


def _ahead(situation: Situation, at: int) -> Waits | None:
    if not situation.has_passed:
        return None
    evidence = _judged(situation, at)
    return Waits("ahead", None, replace(evidence, ahead=evidence.position - 1))


def _batch(situation: Situation, at: int) -> Waits | None:
    """Its batch is not full, may start, and its time to fill is not over."""
    rules, entry = situation.rules, situation.entry
    if rules is None or rules.batch_size is None or rules.batch_wait is None or _is_full(situation):
        return None
    if entry.priority_rule_name in rules.starts_at_once or entry.pull_request in situation.tested:
        return None
    others = [one for one in situation.queue.entries if _may_join(one, situation, rules)]
    missing = rules.batch_size - len(others)
    until = min(parse_instant(one.entered_at) for one in others) + round(rules.batch_wait * SECOND)
    if missing <= 0 or until <= at:
        return None
    return Waits("batch", until, replace(_judged(situation, at), missing=missing))


def _may_join(other: Entry, situation: Situation, rules: QueueRules) -> bool:
    is_alike = other.priority_rule_name == situation.entry.priority_rule_name or not rules.has_one_priority
    return is_alike and other.batch_id is None and other.pull_request not in situation.tested


def _capacity(situation: Situation, at: int) -> Waits | None:
    return Waits("capacity", None, _with_slots(situation, at)) if _is_full(situation) else None


_REASONS: Final[tuple[Callable[[Situation, int], Waits | None], ...]] = (
    _closed,
    _ci,
    _ahead,
    _batch,
    _capacity,
)


def _is_full(situation: Situation) -> bool:
    busy, slots = _busy(situation), situation.rules.slots if situation.rules else None
    return slots is not None and busy == slots


def _busy(situation: Situation) -> int:
    """The CI runs in progress in all queues that share the slots."""
    shared = situation.rules.shares_slots_with if situation.rules else (situation.queue.queue_name,)
    runs = {
        (batch.batch_id, batch.attempt)
        for queue in situation.branch
        if queue.queue_name in shared
        for batch in queue.batches
    }
    return len(runs)


def _run(situation: Situation) -> Batch | None:
    """Its CI run in progress."""
    number, batch_id = situation.entry.pull_request, situation.entry.batch_id
    own = [batch for batch in situation.queue.batches if batch.batch_id == batch_id and batch_id is not None]
    return next((batch for batch in reversed(own) if number in batch.pull_requests), None)


def _place(situation: Situation) -> WaitEvidence:
    entry, queue = situation.entry, situation.queue
    has_priorities = len({one.priority_rule_name for one in queue.entries}) > 1
    return WaitEvidence(
        base_ref=queue.base_ref,
        queue_name=queue.queue_name,
        position=entry.position,
        position_is_estimated=entry.is_estimated and has_priorities,
        newest_event_at=format_instant(situation.newest_event_at),
        failed=entry.failed,
        expected_merges=situation.expected_state,
    )


def _judged(situation: Situation, at: int) -> WaitEvidence:
    """With an alert, or else with the expected merge: an alert makes that worthless."""
    troubles = [one for one in situation.troubles if one.figure != _FORGOTTEN]
    trouble = min(troubles, key=lambda one: (one.since, one.figure), default=None)
    expected = situation.expected
    if trouble is not None or expected is None or parse_instant(expected.p90) <= at:
        return replace(_place(situation), alert=trouble)
    return replace(_place(situation), expected_merge=expected)


def _with_slots(situation: Situation, at: int) -> WaitEvidence:
    """With the slots, unless more runs are in progress than the history knows, or passed ones hold some."""
    rules, busy, evidence = situation.rules, _busy(situation), _judged(situation, at)
    slots = rules.slots if rules else None
    if rules is None or slots is None or busy > slots or (busy < slots and rules.keeps_slot_until_merged):
        return evidence
    return replace(evidence, busy_slots=busy, slots=slots)


def _with_run(situation: Situation, run: Batch | None, at: int) -> WaitEvidence:
    usual = situation.rules.usual_ci if situation.rules else None
    return replace(
        _judged(situation, at),
        ci_started_at=run.started_at if run else None,
        usual_ci_seconds=UsualSeconds(*usual) if usual and run else None,
    )
