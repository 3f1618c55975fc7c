"""The state of a repository, and one sentence: first whether something is wrong, then how it compares.

A queue that has enough history has alerts, which know its usual hours. For the others, and in case something
wrong has become usual, there are limits that hold for any queue.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from mergecast.queues.answers.repositories import StateName
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import SECOND, duration
from mergecast.queues.model.words import counted, plural
from mergecast.queues.store.present_stays import Queue
from mergecast.signals.state.comparison import TIMES, Compared, Figures, comparison, is_too_few
from mergecast.signals.state.exceeded import FAILURE_RATE, told
from mergecast.signals.state.standing import Standing
from mergecast.signals.state.wording import rate
from mergecast.signals.thresholds.built_in import (
    LONG_SILENCE,
    LONG_WAIT,
    LONG_WITHOUT_MERGE,
    LOOK_BACK,
    MOST_FAIL,
    SOME_EXITS,
)
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
)

# Of failures, only an alert of a reference period comes so far: they are no longer what they were then.
_SLOWER = ("time_in_queue_p95", "time_to_merge_p95", "ci_runs_per_merge", FAILURE_RATE)


class State(Struct, frozen=True):
    """Whether a repository's queues are healthy, in a word and in a sentence."""

    name: StateName
    sentence: str


@dataclass(frozen=True, slots=True)
class Period:
    """What a state is about: a period, what it is judged by, and the figures of each queue."""

    own: Compared
    judged: Compared
    queues: Mapping[Queue, Figures]
    exceeded: Mapping[str, float] = field(default_factory=dict)  # thresholds that were set


def state_of(period: Period, standing: Standing | None) -> State:
    """The state in a period. Without a standing it is over, and its figures alone count."""
    if standing is None:
        return _failing(period) or _compared(period)
    return next(found for found in _in_order(period, standing) if found is not None)


def _in_order(period: Period, standing: Standing) -> Iterator[State | None]:
    """What can be said, the most important first; what does not hold is None."""
    unmerged = {name: _unmerged_since(period, standing, name) for name in standing.queues}
    yield _since("stuck", "Nothing has merged{} for {}", unmerged, period, standing)
    yield _alert("failing", "Every CI run{} has failed for {}", EVERYONE_FAILS, period, standing)
    yield _with_size(_failing(period), standing)
    yield _alert("stuck", "No CI run has started{} for {}", NO_RUN_STARTED, period, standing)
    yield _alert("stuck", "A CI run{} has lasted {}, unusually long", RUN_TOO_LONG, period, standing)
    yield _alert("slow", "CI runs{} have been unusually slow for {}", RUNS_SLOW, period, standing)
    yield _silent(standing)
    yield _alert("failing", _above("failure_rate"), "failure_rate", period, standing)
    yield _slower(period, standing)
    yield _looking(standing)
    yield _with_size(_compared(period), standing)


def _alert(name: StateName, text: str, figure: str, period: Period, standing: Standing) -> State | None:
    since = {queue: one.alerts.get(figure) for queue, one in standing.queues.items()}
    return _since(name, text, since, period, standing)


def _slower(period: Period, standing: Standing) -> State | None:
    """An alert about the last hours, of the first of these figures that has one."""
    for figure in _SLOWER:
        since = {queue: one.slower_since(figure) for queue, one in standing.queues.items()}
        if found := _since("slow", _above(figure), since, period, standing):
            return found
    return None


def _above(figure: str) -> str:
    words = FIGURES[figure].words
    return f"{words[0].upper()}{words[1:]}{{}} has been above its threshold for {{}}"


def _since(
    name: StateName, text: str, since: Mapping[Queue, int | None], period: Period, standing: Standing
) -> State | None:
    """What has held for some queues since an instant."""
    held = {queue: instant for queue, instant in since.items() if instant is not None}
    if not held:
        return None
    told = text.format(_where(held, period, standing), _for(max(held.values()), standing.at))
    return State(name, f"{told}; {_waiting(held, standing)}{_also_silent(standing)}.")


def _unmerged_since(period: Period, standing: Standing, name: Queue) -> int | None:
    """Since when nothing merges in a queue, if that is too long while pull requests wait."""
    queue, at = standing.queues[name], standing.at
    if queue.oldest_at is None:
        return None
    earliest = at - LOOK_BACK if standing.first_at is None else max(standing.first_at, at - LOOK_BACK)
    since = earliest if queue.merged_at is None else queue.merged_at
    if NOTHING_MERGES in queue.alerts:
        return since
    if NOTHING_MERGES in queue.off:
        return None
    waits_long = at - queue.oldest_at >= LONG_WAIT or _exits_without_merge(period, name) >= SOME_EXITS
    return since if at - since >= LONG_WITHOUT_MERGE and waits_long else None


def _exits_without_merge(period: Period, name: Queue) -> int:
    figures = period.queues.get(name)
    return 0 if figures is None or figures["merged"].value else figures["failure_rate"].count


def _failing(period: Period) -> State | None:
    """Most of what left has failed."""
    failures, merged = period.own.figures[FAILURE_RATE], period.own.figures["merged"]
    if failures.value is None or failures.count < SOME_EXITS or failures.value < MOST_FAIL:
        return None
    left = f"{counted(failures.count, 'pull request')} that left the queue"
    if failures.value == 1:
        return State("failing", f"Everything fails: all {left} failed checks.")
    before = "" if failures.before is None else f", {rate(failures.before)} before"
    nothing = " and nothing merged" if not merged.value else ""
    return State("failing", f"Most fail: {rate(failures.value)} of {left} failed checks{before}{nothing}.")


def _silent(standing: Standing) -> State | None:
    if standing.last_at is None:
        return State("silent", "No event has arrived yet.")
    since = _silent_since(standing)
    if since is None:
        return None
    return State(
        "silent", f"No event has arrived for {_span(standing.at - since)}: the figures may be out of date."
    )


def _looking(standing: Standing) -> State | None:
    """Silence may be usual, or wrong in a way that has yet to be found."""
    if not standing.is_looking or standing.last_at is None:
        return None
    age = _span(standing.at - standing.last_at)
    return State(
        "looking", f"Still looking: the newest event is {age} old, and the history has not been examined yet."
    )


def _silent_since(standing: Standing) -> int | None:
    queues = standing.queues.values()
    silent = [since for queue in queues if (since := queue.alerts.get(SOURCE_SILENT))]
    if silent:
        return min(silent)
    if queues and all(SOURCE_SILENT in queue.off for queue in queues):
        return None
    last_at = standing.last_at
    return last_at if last_at is not None and standing.at - last_at >= LONG_SILENCE else None


def _also_silent(standing: Standing) -> str:
    """What waits may be gone by now, and nothing says so."""
    since = _silent_since(standing)
    return "" if since is None else f"; no event has arrived for {_span(standing.at - since)}"


def _compared(period: Period) -> State:
    sentence = comparison(period.own, period.judged)
    return State(
        _compared_name(period), f"{sentence} {told(period.exceeded)}" if period.exceeded else sentence
    )


def _compared_name(period: Period) -> StateName:
    """Never fine if any figure is worse or above its threshold."""
    judged, exceeded = period.judged, period.exceeded
    if FAILURE_RATE in exceeded or judged.is_worse(FAILURE_RATE):
        return "failing"
    if exceeded or judged.is_worse(*TIMES):
        return "slow"
    return "unjudged" if is_too_few(judged) else "fine"


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
    waiting = f"{counted(count, 'pull request')} {plural(count, 'waits', 'wait')}"
    return f"{waiting}, {plural(count, 'for', 'the oldest for')} {lasted}"


def _with_size(found: State | None, standing: Standing) -> State | None:
    size = f"{standing.waiting:,} in queue." if standing.waiting else "The queue is empty."
    return None if found is None else State(found.name, f"{found.sentence} {size}")
