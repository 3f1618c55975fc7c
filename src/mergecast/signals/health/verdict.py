"""One sentence about a repository, by fixed rules: first whether something is wrong, then how it compares.

A queue that has enough history is judged by its problems, which know its usual hours. For the others, and in
case a problem has become usual, there are limits that hold for any queue.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from mergecast.queues.model.instant import DAY, HOUR, SECOND, duration
from mergecast.queues.model.words import counted
from mergecast.queues.store.present_stays import Queue
from mergecast.signals.detection.queue_problem import (
    EVERYONE_FAILS,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
)
from mergecast.signals.health.comparison import Figures, comparison, is_slow
from mergecast.signals.health.standing import LOOK_BACK, Standing
from mergecast.signals.health.targets import told
from mergecast.signals.health.wording import rate

State = Literal["fine", "slow", "failing", "stuck", "silent", "looking"]

_LONG_WITHOUT_MERGE = 3 * DAY  # longer than a weekend
_LONG_WAIT = 12 * HOUR
_LONG_SILENCE = 7 * DAY
_SOME_EXITS = 5
_MOST_FAIL = 0.5


class Verdict(Struct, frozen=True):
    """Whether a repository's queue is healthy, in a word and in a sentence."""

    state: State
    sentence: str


@dataclass(frozen=True, slots=True)
class Period:
    """What a verdict is about: the figures of a period, of all queues together and of each."""

    figures: Figures
    queues: Mapping[Queue, Figures]
    compared_with: str
    missed: Mapping[str, float] = field(default_factory=dict)  # targets that are not met


def verdict(period: Period, standing: Standing | None) -> Verdict:
    """The verdict about a period. Without a standing it is over, and its figures alone count."""
    if standing is None:
        return _failing(period) or _compared(period)
    return next(found for found in _in_order(period, standing) if found is not None)


def _in_order(period: Period, standing: Standing) -> Iterator[Verdict | None]:
    """What can be said, the most important first; what does not hold is None."""
    unmerged = {name: _unmerged_since(period, standing, name) for name in standing.queues}
    yield _since("stuck", "Nothing has merged{} for {}", unmerged, period, standing)
    yield _problem("failing", "Every CI run{} has failed for {}", EVERYONE_FAILS, period, standing)
    yield _with_size(_failing(period), standing)
    yield _problem("stuck", "No CI run has started{} for {}", NO_RUN_STARTED, period, standing)
    yield _problem("stuck", "A CI run{} has lasted {}, unusually long", RUN_TOO_LONG, period, standing)
    yield _problem("slow", "CI runs{} have been unusually slow for {}", RUNS_SLOW, period, standing)
    yield _silent(standing)
    yield _looking(standing)
    yield _with_size(_compared(period), standing)


def _problem(state: State, text: str, problem: str, period: Period, standing: Standing) -> Verdict | None:
    since = {name: queue.problems.get(problem) for name, queue in standing.queues.items()}
    return _since(state, text, since, period, standing)


def _since(
    state: State, text: str, since: Mapping[Queue, int | None], period: Period, standing: Standing
) -> Verdict | None:
    """What has held for some queues since an instant."""
    held = {name: instant for name, instant in since.items() if instant is not None}
    if not held:
        return None
    told = text.format(_where(held, period, standing), _for(max(held.values()), standing.at))
    return Verdict(state, f"{told}; {_waiting(held, standing)}{_also_silent(standing)}.")


def _unmerged_since(period: Period, standing: Standing, name: Queue) -> int | None:
    """Since when nothing merges in a queue, if that is too long while pull requests wait."""
    queue, at = standing.queues[name], standing.at
    if queue.oldest_at is None:
        return None
    earliest = at - LOOK_BACK if standing.first_at is None else max(standing.first_at, at - LOOK_BACK)
    since = earliest if queue.merged_at is None else queue.merged_at
    if NOTHING_MERGES in queue.problems:
        return since
    waits_long = at - queue.oldest_at >= _LONG_WAIT or _exits_without_merge(period, name) >= _SOME_EXITS
    return since if at - since >= _LONG_WITHOUT_MERGE and waits_long else None


def _exits_without_merge(period: Period, name: Queue) -> int:
    figures = period.queues.get(name)
    return 0 if figures is None or figures["merged"].value else figures["failure_rate"].count


def _failing(period: Period) -> Verdict | None:
    """Most of what left has failed."""
    failures, merged = period.figures["failure_rate"], period.figures["merged"]
    if failures.value is None or failures.count < _SOME_EXITS or failures.value < _MOST_FAIL:
        return None
    left = f"{counted(failures.count, 'pull request')} that left the queue"
    if failures.value == 1:
        return Verdict("failing", f"Everything fails: all {left} failed checks.")
    before = "" if failures.before is None else f", {rate(failures.before)} before"
    nothing = " and nothing merged" if not merged.value else ""
    return Verdict("failing", f"Most fail: {rate(failures.value)} of {left} failed checks{before}{nothing}.")


def _silent(standing: Standing) -> Verdict | None:
    if standing.last_at is None:
        return Verdict("silent", "No event has arrived yet.")
    since = _silent_since(standing)
    if since is None:
        return None
    return Verdict(
        "silent", f"No event has arrived for {_span(standing.at - since)}: the figures may be out of date."
    )


def _looking(standing: Standing) -> Verdict | None:
    """Silence may be usual, or a problem that the diagnosis has yet to find."""
    if not standing.is_looking or standing.last_at is None:
        return None
    age = _span(standing.at - standing.last_at)
    return Verdict(
        "looking", f"Still looking: the newest event is {age} old, and the history has not been examined yet."
    )


def _silent_since(standing: Standing) -> int | None:
    silent = [since for queue in standing.queues.values() if (since := queue.problems.get(SOURCE_SILENT))]
    if silent:
        return min(silent)
    last_at = standing.last_at
    return last_at if last_at is not None and standing.at - last_at >= _LONG_SILENCE else None


def _also_silent(standing: Standing) -> str:
    """What waits may be gone by now, and nothing says so."""
    since = _silent_since(standing)
    return "" if since is None else f"; no event has arrived for {_span(standing.at - since)}"


def _compared(period: Period) -> Verdict:
    is_over = "time_in_queue_p95" in period.missed
    state: State = "slow" if is_over or is_slow(period.figures) else "fine"
    sentence = comparison(period.figures, period.compared_with)
    return Verdict(state, f"{sentence} {told(period.missed)}" if period.missed else sentence)


def _where(queues: Collection[Queue], period: Period, standing: Standing) -> str:
    known = {*period.queues, *standing.queues}
    if len(queues) == len(known):
        return ""
    if len(queues) > 1:
        return f" in {len(queues)} of {len(known)} queues"
    (base_ref, queue_name) = next(iter(queues))
    return f" in queue {queue_name} of {base_ref}"


def _for(since: int, at: int) -> str:
    return f"more than {_span(LOOK_BACK)}" if at - since >= LOOK_BACK else _span(at - since)


def _span(microseconds: int) -> str:
    return duration(microseconds / SECOND)


def _waiting(queues: Collection[Queue], standing: Standing) -> str:
    """How many pull requests wait in these queues, and for how long."""
    own = [standing.queues[name] for name in queues]
    count = sum(queue.waiting for queue in own)
    if not count:
        return "nothing waits"
    oldest = min(queue.oldest_at for queue in own if queue.oldest_at is not None)
    lasted = _span(standing.at - oldest)
    return (
        f"1 pull request waits, for {lasted}"
        if count == 1
        else f"{count:,} pull requests wait, the oldest for {lasted}"
    )


def _with_size(found: Verdict | None, standing: Standing) -> Verdict | None:
    size = f"{standing.waiting:,} in queue." if standing.waiting else "The queue is empty."
    return None if found is None else Verdict(found.state, f"{found.sentence} {size}")
