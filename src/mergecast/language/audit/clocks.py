"""Limits of time that CI runs come close to, from what the store has measured."""

from collections.abc import Iterator

from mergecast.language.audit.jobs import Placed
from mergecast.language.audit.setup import Setup, quoted
from mergecast.queues.answers.audit import Finding, KeptCheck

_NEAR = 0.8
_USUAL_LIMIT = 360  # minutes, of a job that sets none
_ENDS_AT_LIMIT = 3


def clocks(setup: Setup) -> Iterator[Finding]:
    told: set[tuple[str, int]] = set()
    for placed in setup.jobs.placed:
        if setup.jobs.is_on_groups(placed) is False or (placed.path, placed.job.line) in told:
            continue
        told.add((placed.path, placed.job.line))
        kept = setup.kept(placed)
        if kept is None:
            yield from _crossed(setup, placed)
        else:
            yield from _job_limit(placed, *kept)
            yield from _queue_limit(setup, placed, *kept)


def _limit(placed: Placed) -> float | None:
    """The limit of a job in minutes; None if an expression decides."""
    if placed.job.limit is None:
        return _USUAL_LIMIT
    try:
        return float(placed.job.limit.text)
    except ValueError:
        return None


def _line(placed: Placed) -> int:
    return placed.job.limit.line if placed.job.limit else placed.job.line


def _job_limit(placed: Placed, name: str, kept: KeptCheck) -> Iterator[Finding]:
    limit = _limit(placed)
    if limit is None:
        return
    is_near = kept.p95 is not None and kept.p95 >= _NEAR * limit * 60
    if not is_near and kept.cancelled_at_limit < _ENDS_AT_LIMIT:
        return
    passes = (
        f"95 % of its passes take up to {kept.p95 / 60:.1f} minutes"
        if kept.p95 is not None
        else "no pass is known"
    )
    stopped = f", and it was stopped {kept.cancelled_at_limit} times" if kept.cancelled_at_limit else ""
    text = f"{quoted(name)} has a limit of {limit:g} minutes; {passes}{stopped}."
    repair = f"-     timeout-minutes: {limit:g}\n+     timeout-minutes: {_roomy(kept.p95 or limit * 60)}"
    yield Finding("job-limit", placed.path, _line(placed), "sure", "breaks", text, repair)


def _roomy(p95: float) -> int:
    """Minutes that leave half of the usual length free."""
    return max(5, -(-int(p95 * 1.5) // 300) * 5)


def _queue_limit(setup: Setup, placed: Placed, name: str, kept: KeptCheck) -> Iterator[Finding]:
    minutes = setup.rules.queue.check_response_timeout_minutes if setup.rules.queue else None
    if minutes is None or kept.p95 is None or not setup.is_required(placed):
        return
    total = kept.p95 + (kept.wait_p95 or 0)
    if total >= _NEAR * minutes * 60:
        waits = (
            f" after up to {kept.wait_p95 / 60:.1f} minutes of waiting for a runner" if kept.wait_p95 else ""
        )
        text = (
            f"The queue gives a group up after {minutes} minutes, and {quoted(name)} takes up to "
            f"{kept.p95 / 60:.1f} minutes{waits}."
        )
        yield Finding("queue-limit", placed.path, _line(placed), "sure", "breaks", text)


def _crossed(setup: Setup, placed: Placed) -> Iterator[Finding]:
    minutes = setup.rules.queue.check_response_timeout_minutes if setup.rules.queue else None
    limit = _limit(placed)
    if minutes is not None and placed.job.limit and limit and limit > minutes and setup.is_required(placed):
        text = (
            f"{quoted(placed.shown)} may run for {limit:g} minutes, but the queue gives a group up after "
            f"{minutes}."
        )
        yield Finding("limits-cross", placed.path, _line(placed), "sure", "note", text)
