"""The sentence of each alert about a queue as it is now, and what to look at.

A sentence contains no instant: whoever shows it writes `since` beside it, in the time zone of the reader.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mergecast.queues.model.alert import Alert, Evidence, alert_id
from mergecast.queues.model.instant import SECOND, WEEK, duration, exact_duration
from mergecast.queues.model.threshold import LEARNED, SET
from mergecast.queues.model.words import nth, plural
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
    SPLITS,
)
from mergecast.signals.thresholds.levels import LEAST_RUNS, Levels
from mergecast.signals.thresholds.queue_history import LEARNED_FROM, QueueName
from mergecast.signals.thresholds.readings import BY_THE_CLOCK, Level, Reading, concerning
from mergecast.signals.thresholds.source_hours import CLOCK_HOURS
from mergecast.signals.thresholds.standing_still import MONTH_DAYS, Branch

_ADVICE: Final = {
    NO_RUN_STARTED: "Look at the CI provider's runners and status page, and whether the queue is paused.",
    RUN_TOO_LONG: "Look at this CI run for a job that hangs or waits for a runner; cancel it if it does.",
    EVERYONE_FAILS: "Look for a broken base branch, an expired secret or an outage that all runs share.",
    GOING_ROUND: "Look at why its checks fail, and keep it out of the queue until that is fixed.",
    SOURCE_SILENT: "Look at its webhook deliveries or its import, and whether a credential has expired.",
    RUNS_SLOW: "Look at the CI provider's runners, its caches, and what changed in the jobs.",
    FORGOTTEN: "Look at whether it is still in the queue; if so, remove it and add it again.",
}


def alert_of(queue: QueueName, reading: Reading, at: int) -> Alert:
    """The alert that a reading gives rise to."""
    return Alert(
        id=alert_id(at, *queue, reading.name),
        figure=reading.name,
        origin=SET if reading.level.is_set else LEARNED,
        base_ref=queue.base_ref,
        queue_name=queue.queue_name,
        since=reading.since,
        found_at=at,
        value=reading.value,
        threshold=reading.level.value,
        sentence=_SENTENCES[reading.name](reading),
        advice=_ADVICE[reading.name],
        evidence=reading.evidence,
        unit=reading.level.unit,
        median=reading.median,
        waiting=reading.waiting,
    )


def standstill_alert(branch: Branch, since: int, level: Level, times: int, at: int) -> Alert:
    """The alert of a branch that stands still."""
    base_ref, waiting = branch.base_ref, branch.missed()
    queues = tuple(sorted({queue for queue, _ in waiting}))
    evidence = replace(concerning(pull for _, pull in waiting), queues=queues)
    named = f"{plural(len(queues), 'queue', 'queues')} {', '.join(f'`{queue}`' for queue in queues)}"
    again = f"; it is the {nth(times)} time in {MONTH_DAYS} days" if times > 1 else ""
    lasted, (first, _) = (at - since) / SECOND, waiting[0]
    return Alert(
        id=alert_id(at, base_ref, first, NO_RUN_STARTED),
        figure=NO_RUN_STARTED,
        origin=SET if level.is_set else LEARNED,
        base_ref=base_ref,
        queue_name=first,
        since=since,
        found_at=at,
        value=lasted,
        threshold=level.value,
        sentence=f"nothing has run on `{base_ref}` for {duration(lasted)}, although {_waiting(evidence)} "
        f"({named}){again}",
        advice=_ADVICE[NO_RUN_STARTED],
        evidence=evidence,
    )


def too_little(levels: Levels) -> str | None:
    """Says that nothing is learned about a queue yet, if that is so."""
    if levels.is_enough:
        return None
    weeks = LEARNED_FROM // WEEK
    return (
        f"too little history to learn from: {levels.runs} CI runs in the last {weeks} weeks, "
        f"{LEAST_RUNS} are needed"
    )


def _run_too_long(reading: Reading) -> str:
    return (
        f"the CI run for {reading.evidence.named} is still in progress; "
        f"{_within(reading, 'runs of this queue end within {}')}"
    )


def _everyone_fails(reading: Reading) -> str:
    count, check = round(reading.value), reading.evidence.check
    what = "checks" if check is None else f"the check {check.name}"
    return (
        f"{what} failed in the last {count} CI runs that have no pull request in common; "
        f"{_limit(reading, 'fewer than {} in a row')}"
    )


def _going_round(reading: Reading) -> str:
    count = round(reading.value)
    if reading.level.unit == SPLITS:
        return f"a batch has been split {count} times; {_limit(reading, 'fewer than {} times')}"
    return (
        f"{reading.evidence.named} entered the queue {count} times within 24 hours, because "
        f"its checks failed each time; {_limit(reading, 'fewer than {} times')}"
    )


def _source_silent(reading: Reading) -> str:
    silent = f"the source {reading.evidence.source} has sent nothing"
    if reading.level.unit == BY_THE_CLOCK:
        return (
            f"{silent} for {CLOCK_HOURS:.0f} hours; in these hours of earlier weeks, it always sent something"
        )
    hours = f"{number(reading.level.value)} hours of the week in which it usually does"
    return f"{silent} in {hours}" + (", the limit set for this queue" if reading.level.is_set else "")


def _runs_slow(reading: Reading) -> str:
    took, limit = _apart(reading.value, reading.level.value)
    said = _of_queue(reading, f"less than {limit} times")
    return f"CI runs of the last hours took {took} times as long as usual; {said}"


def _forgotten(reading: Reading) -> str:
    named, count = reading.evidence.named, len(reading.evidence.pull_requests)
    runs = f"{number(reading.value)} CI runs of pull requests that entered later"
    return (
        f"{named} {plural(count, 'seems', 'seem')} to be forgotten: {runs} have passed "
        f"{plural(count, 'it', 'them')} over; {_limit(reading, 'fewer than {}')}"
    )


_SENTENCES: Final[dict[str, Callable[[Reading], str]]] = {
    RUN_TOO_LONG: _run_too_long,
    EVERYONE_FAILS: _everyone_fails,
    GOING_ROUND: _going_round,
    SOURCE_SILENT: _source_silent,
    RUNS_SLOW: _runs_slow,
    FORGOTTEN: _forgotten,
}


def _within(reading: Reading, text: str) -> str:
    if reading.level.is_set:
        said = text.format(exact_duration(reading.level.value))
        return f"the limit set for this queue is that {said}"
    return f"normally {text.format(duration(reading.level.value))}"


def _limit(reading: Reading, text: str) -> str:
    return _of_queue(reading, text.format(number(reading.level.value)))


def _of_queue(reading: Reading, said: str) -> str:
    return f"the limit set for this queue is {said}" if reading.level.is_set else f"normal is {said}"


def _apart(value: float, limit: float) -> tuple[str, str]:
    """Both with one decimal, or with two if one does not show which is larger.

    >>> [_apart(2.0, 1.5), _apart(13.8, 3), _apart(1.83, 1.79), _apart(1.5, 1.5)]
    [('2.0', '1.5'), ('13.8', '3'), ('1.83', '1.79'), ('1.5', '1.5')]
    """
    if f"{value:.1f}" == f"{limit:.1f}" and f"{value:.2f}" != f"{limit:.2f}":
        return f"{value:.2f}", f"{limit:.2f}"
    return f"{value:.1f}", number(limit)


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _waiting(evidence: Evidence) -> str:
    return f"{evidence.named} {plural(evidence.concerned, 'waits', 'wait')}"
