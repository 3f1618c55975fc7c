"""A recorded queue that tests one batch at a time, and what happens if something goes wrong in it.

Pull requests enter when they did. CI runs follow each other in the recorded order: a run that starts late, or
takes longer, delays those behind it, and what they tested leaves as much later.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from mergecast.queues.model.instant import SECOND
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.queue_history import MERGED, PASSED, QueueHistory, SeenRun, SeenStay

FAILED = "CHECKS_FAILED"
_NEXT = 20 * SECOND  # until the next run starts, at most
_UNTIL_FAILED = 0.65  # of the time until a run would pass, as in the recorded queue

# From a run, and the instant at which the slot is free, to the start and the length of the run.
Timing = Callable[[SeenRun, int], tuple[int, int]]


def stopped(history: QueueHistory, span: Span) -> QueueHistory:
    """No run starts in a span."""

    def timing(run: SeenRun, free_at: int) -> tuple[int, int]:
        start = max(run.started_at, free_at)
        return (span.end if _is_in(start, span) else start), _length(run)

    return _retimed(history, timing)


def slowed(history: QueueHistory, span: Span, factor: float) -> QueueHistory:
    """Runs that start in a span take longer."""

    def timing(run: SeenRun, free_at: int) -> tuple[int, int]:
        start = max(run.started_at, free_at)
        return start, int(_length(run) * (factor if _is_in(start, span) else 1))

    return _retimed(history, timing)


def failing(history: QueueHistory, span: Span) -> QueueHistory:
    """Runs that start in a span fail, sooner than they would pass, and what they test is removed."""
    entered = _by_pull(history.stays)

    def timing(run: SeenRun, free_at: int) -> tuple[int, int]:
        if not _is_in(run.started_at, span):
            return max(run.started_at, free_at), _length(run)
        since = [at for pull in run.pull_requests for at in entered[pull] if at <= run.started_at]
        start = max([span.start, free_at, *since[-1:]]) if free_at else run.started_at
        is_passing = run.outcome == PASSED
        return min(start, run.started_at), int(_length(run) * (_UNTIL_FAILED if is_passing else 1))

    retimed = _retimed(history, timing)
    runs = [
        run._replace(outcome=FAILED) if run.outcome == PASSED and _is_in(before.started_at, span) else run
        for before, run in zip(_in_order(history.runs), retimed.runs, strict=True)
    ]
    failed = {(pull, run.ended_at) for run in runs if run.outcome == FAILED for pull in run.pull_requests}
    stays = [
        stay._replace(reason=FAILED)
        if stay.reason in MERGED and (stay.pull_request, stay.left_at) in failed
        else stay
        for stay in retimed.stays
    ]
    return replace(retimed, runs=runs, stays=stays)


def _by_pull(stays: Iterable[SeenStay]) -> Mapping[int, list[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for stay in stays:
        found[stay.pull_request].append(stay.entered_at)
    return found


def _is_in(at: int, span: Span) -> bool:
    return span.start <= at < span.end


def _length(run: SeenRun) -> int:
    return 0 if run.ended_at is None else run.ended_at - run.started_at


def _in_order(runs: Iterable[SeenRun]) -> list[SeenRun]:
    return sorted(runs, key=lambda run: run.started_at)


def _retimed(history: QueueHistory, timing: Timing) -> QueueHistory:
    runs: list[SeenRun] = []
    shifts: list[tuple[SeenRun, int]] = []
    ended_before = ends_before = 0
    for run in _in_order(history.runs):
        ended = run.started_at + _length(run)
        gap = min(max(run.started_at - ended_before, 0), _NEXT)
        start, length = timing(run, ends_before + gap if ends_before != ended_before else 0)
        end = start + length
        runs.append(run._replace(started_at=start, ended_at=None if run.ended_at is None else end))
        shifts.append((run, end - ended))
        ended_before, ends_before = ended, end
    return replace(history, runs=runs, stays=_left_with(history.stays, shifts))


def _left_with(stays: Sequence[SeenStay], shifts: Sequence[tuple[SeenRun, int]]) -> list[SeenStay]:
    """What leaves because of a run leaves as much later, or earlier, as that ends."""
    by_pull: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for run, shift in shifts:
        for pull in run.pull_requests:
            by_pull[pull].append((run.started_at, shift))
    found = []
    for stay in stays:
        left_at = stay.left_at
        if left_at is not None:
            of_runs = [s for at, s in by_pull[stay.pull_request] if stay.entered_at <= at <= left_at]
            left_at += of_runs[-1] if of_runs else 0
        found.append(stay._replace(left_at=left_at))
    return found
