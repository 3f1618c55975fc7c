"""The sentence of each problem, and what to look at.

A sentence contains no instant: whoever shows it writes `since` beside it, in the time zone of the reader.
"""

from collections.abc import Callable
from typing import Final

from mergecast.queues.model.instant import WEEK, duration, exact_duration
from mergecast.queues.model.words import ordinal, plural
from mergecast.signals.detection.levels import LEARNED, LEAST_RUNS, Levels
from mergecast.signals.detection.queue_problem import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
    Evidence,
    QueueName,
    QueueProblem,
)
from mergecast.signals.detection.readings import BY_THE_CLOCK, SPLITS, Reading
from mergecast.signals.detection.source_hours import CLOCK_HOURS

_FEW: Final = 5  # pull requests that a sentence names

_ADVICE: Final = {
    NO_RUN_STARTED: "Look at the CI provider's runners and status page, and whether the queue is paused.",
    RUN_TOO_LONG: "Look at this CI run for a job that hangs or waits for a runner; cancel it if it does.",
    EVERYONE_FAILS: "Look for a broken base branch, an expired secret or an outage that all runs share.",
    GOING_ROUND: "Look at why its checks fail, and keep it out of the queue until that is fixed.",
    NOTHING_MERGES: "Look at the first pull request in the queue: its checks, conflicts, branch protection.",
    SOURCE_SILENT: "Look at its webhook deliveries or its import, and whether a credential has expired.",
    RUNS_SLOW: "Look at the CI provider's runners, its caches, and what changed in the jobs.",
    FORGOTTEN: "Look at whether it is still in the queue; if so, remove it and add it again.",
}


def problem_of(queue: QueueName, reading: Reading, at: int) -> QueueProblem:
    """The problem that a reading shows."""
    return QueueProblem(
        queue,
        reading.name,
        reading.since,
        _SENTENCES[reading.name](reading),
        reading.evidence,
        _ADVICE[reading.name],
        reading.level,
        found_at=at,
    )


def too_little(levels: Levels) -> str | None:
    """Says that the problems of a queue cannot be judged yet, if that is so."""
    if levels.is_enough:
        return None
    weeks = LEARNED // WEEK
    return (
        f"too little history for a diagnosis: {levels.runs} CI runs in the last {weeks} weeks, "
        f"{LEAST_RUNS} are needed"
    )


def _no_run_started(reading: Reading) -> str:
    waiting = _waiting(reading.evidence)
    again = f"; it is the {ordinal(reading.times).lower()} time this month" if reading.times > 1 else ""
    return (
        f"no CI run has started, although {waiting} and a slot is free; "
        f"{_within(reading, 'one starts within {}')}{again}"
    )


def _run_too_long(reading: Reading) -> str:
    return (
        f"the CI run for {_named(reading.evidence)} is still in progress; "
        f"{_within(reading, 'runs of this queue end within {}')}"
    )


def _everyone_fails(reading: Reading) -> str:
    count, check = round(reading.evidence.value), reading.evidence.check
    what = "checks" if check is None else f"the check {check.name}"
    return (
        f"{what} failed in the last {count} CI runs that have no pull request in common; "
        f"{_limit(reading, 'fewer than {} in a row')}"
    )


def _going_round(reading: Reading) -> str:
    count = round(reading.evidence.value)
    if reading.level.unit == SPLITS:
        return f"a batch has been split {count} times; {_limit(reading, 'fewer than {} times')}"
    return (
        f"{_named(reading.evidence)} entered the queue {count} times within 24 hours, because "
        f"its checks failed each time; {_limit(reading, 'fewer than {} times')}"
    )


def _nothing_merges(reading: Reading) -> str:
    return f"nothing has merged, although {_waiting(reading.evidence)}; {_expected(reading, 'merges')}"


def _source_silent(reading: Reading) -> str:
    silent = f"the source {reading.evidence.source} has sent nothing"
    if reading.level.unit == BY_THE_CLOCK:
        return (
            f"{silent} for {CLOCK_HOURS:.0f} hours; in these hours of earlier weeks, it always sent something"
        )
    hours = f"{number(reading.level.value)} hours of the week in which it usually does"
    return f"{silent} in {hours}" + (", the limit set for this queue" if reading.level.is_set else "")


def _runs_slow(reading: Reading) -> str:
    return (
        f"CI runs of the last hours took {reading.evidence.value:.1f} times as long as usual; "
        f"{_limit(reading, 'less than {} times')}"
    )


def _forgotten(reading: Reading) -> str:
    named, count = _named(reading.evidence), len(reading.evidence.pull_requests)
    runs = f"{number(reading.evidence.value)} CI runs of pull requests that entered later"
    return (
        f"{named} {plural(count, 'seems', 'seem')} to be forgotten: {runs} have passed "
        f"{plural(count, 'it', 'them')} over; {_limit(reading, 'fewer than {}')}"
    )


_SENTENCES: Final[dict[str, Callable[[Reading], str]]] = {
    NO_RUN_STARTED: _no_run_started,
    RUN_TOO_LONG: _run_too_long,
    EVERYONE_FAILS: _everyone_fails,
    GOING_ROUND: _going_round,
    NOTHING_MERGES: _nothing_merges,
    SOURCE_SILENT: _source_silent,
    RUNS_SLOW: _runs_slow,
    FORGOTTEN: _forgotten,
}


def _expected(reading: Reading, what: str) -> str:
    """How many are usual in the time in which none came, and the limit for that number."""
    limit = "the limit set for this queue" if reading.level.is_set else "the limit"
    return (
        f"at these hours of the week, {reading.evidence.value:.1f} {what} are usual in this time, "
        f"and {limit} is {number(reading.level.value)}"
    )


def _within(reading: Reading, text: str) -> str:
    if reading.level.is_set:
        said = text.format(exact_duration(reading.level.value))
        return f"the limit set for this queue is that {said}"
    return f"normally {text.format(duration(reading.level.value))}"


def _limit(reading: Reading, text: str) -> str:
    said = text.format(number(reading.level.value))
    return f"the limit set for this queue is {said}" if reading.level.is_set else f"normal is {said}"


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _waiting(evidence: Evidence) -> str:
    verb = plural(len(evidence.pull_requests) + evidence.unlisted, "waits", "wait")
    return f"{_named(evidence)} {verb}"


def _named(evidence: Evidence) -> str:
    """The first few pull requests by number, and how many more there are.

    >>> [_named(Evidence(1.0, numbers)) for numbers in ((7,), (7, 9), (1, 2, 3, 4, 5, 6, 7))]
    ['#7', '#7 and #9', '#1, #2, #3, #4, #5 and 2 more']
    >>> _named(Evidence(1.0, (1, 2, 3, 4, 5, 6, 7), unlisted=90))
    '#1, #2, #3, #4, #5 and 92 more'
    """
    shown = [f"#{number}" for number in evidence.pull_requests[:_FEW]]
    if more := len(evidence.pull_requests) + evidence.unlisted - len(shown):
        shown.append(f"{more} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
