"""Rules that hold for any queue: one with too little history, or one whose problem has become usual."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from mergecast.queues.model.alert import CHANGED, NO_DATA, RECOVERED, Alert, Evidence, alert_id
from mergecast.queues.model.hourly_alert import ADVICE
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.threshold import BUILT_IN
from mergecast.queues.model.words import counted, plural
from mergecast.signals.thresholds.judged import NOTHING_MERGES, SOURCE_SILENT
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.set_course import Judgement

FAILURE_RATE: Final = "failure_rate"
RULES: Final = (NOTHING_MERGES, SOURCE_SILENT, FAILURE_RATE)
LOOK_BACK: Final = 28 * DAY  # how far back the last merge is looked for
LONG_WITHOUT_MERGE: Final = 3 * DAY  # longer than a weekend
LONG_WAIT: Final = 12 * HOUR
LONG_SILENCE: Final = 7 * DAY
FAILURES_OF: Final = 7 * DAY  # over which the failure rate is judged
SOME_EXITS: Final = 5
MOST_FAIL: Final = 0.5
_CALM: Final = 0.9  # the failure rate must fall below so many times the rule's to end an alert

_ADVICE: Final = {
    NOTHING_MERGES: "Look at the first pull request in the queue: its checks, conflicts, branch protection.",
    SOURCE_SILENT: "Look at webhook deliveries and imports, and whether a credential has expired.",
    FAILURE_RATE: ADVICE[FAILURE_RATE],
}
DAYS: Final = "days"  # the unit of the first two
THRESHOLDS: Final = {
    NOTHING_MERGES: LONG_WITHOUT_MERGE / DAY,
    SOURCE_SILENT: LONG_SILENCE / DAY,
    FAILURE_RATE: MOST_FAIL,
}
WORDS: Final = {  # when each rule speaks
    NOTHING_MERGES: "when nothing merges for 3 days while a pull request waits",
    SOURCE_SILENT: "when no event arrives for 7 days",
    FAILURE_RATE: "when at least half of the pull requests that left in 7 days failed checks, of at least 5",
}


class QueueState(NamedTuple):
    """What the rules need to know about a queue at an instant."""

    waiting: Evidence = Evidence()  # the pull requests in the queue
    oldest_at: int | None = None  # when the one that waits longest entered
    merged_at: int | None = None  # the last merge within `LOOK_BACK`
    first_at: int | None = None  # the first and the last event of the repository
    last_at: int | None = None
    exits: int = 0  # in the last `FAILURES_OF`
    failures: int = 0
    merges: int = 0

    @property
    def is_used(self) -> bool:
        """Whether the queue had something lately: a repository may have queues that are long gone."""
        return self.oldest_at is not None or self.merged_at is not None or self.exits > 0


class Broken(NamedTuple):
    """A rule that does not hold, and since when."""

    figure: str
    since: int
    value: float  # in days, or a rate
    threshold: float
    sentence: str
    evidence: Evidence = Evidence()


def broken_rules(state: QueueState, at: int) -> dict[str, Broken]:
    """The rules that a queue breaks at an instant, by figure."""
    found = (_unmerged(state, at), _silent(state, at), _failing(state, at))
    return {broken.figure: broken for broken in found if broken is not None}


def _unmerged(state: QueueState, at: int) -> Broken | None:
    """Nothing has merged for days, and something has waited for long, or leaves without being merged."""
    if state.oldest_at is None:
        return None
    since = _unmerged_since(state, at)
    exits_without_merge = 0 if state.merges else state.exits
    waits_long = at - state.oldest_at >= LONG_WAIT or exits_without_merge >= SOME_EXITS
    if at - since < LONG_WITHOUT_MERGE or not waits_long:
        return None
    verb = plural(state.waiting.concerned, "waits", "wait")
    told = f"nothing has merged for {_days(at - since)}, although {state.waiting.named} {verb}"
    return _in_days(NOTHING_MERGES, since, at, LONG_WITHOUT_MERGE, told)._replace(evidence=state.waiting)


def _unmerged_since(state: QueueState, at: int) -> int:
    if state.merged_at is not None:
        return state.merged_at
    return max(at - LOOK_BACK, at - LOOK_BACK if state.first_at is None else state.first_at)


def _silent(state: QueueState, at: int) -> Broken | None:
    last_at = state.last_at
    if last_at is None or at - last_at < LONG_SILENCE:
        return None
    told = f"no event has arrived for {_days(at - last_at)}: the figures may be out of date"
    return _in_days(SOURCE_SILENT, last_at, at, LONG_SILENCE, told)


def _failing(state: QueueState, at: int) -> Broken | None:
    if state.exits < SOME_EXITS or state.failures < MOST_FAIL * state.exits:
        return None
    rate, left = state.failures / state.exits, counted(state.exits, "pull request")
    share = "all" if rate == 1 else f"{rate:.1%} of the"
    nothing = "" if state.merges else ", and none merged"
    told = f"{share} {left} that left in the last {_days(FAILURES_OF)} failed checks{nothing}"
    return Broken(FAILURE_RATE, at, rate, MOST_FAIL, told)


def _in_days(figure: str, since: int, at: int, longest: int, told: str) -> Broken:
    return Broken(figure, since, (at - since) / DAY, longest / DAY, told)


def _days(length: int) -> str:
    return counted(length // DAY, "day")


def judge_built_in(
    queue: QueueName, state: QueueState, open_alerts: Iterable[Alert], off: Collection[str], at: int
) -> Judgement:
    """What the rules begin and end for a queue.

    `open_alerts` are all open ones of the queue: a rule begins nothing while a learned or a set threshold of
    its figure says the same. `off` has the figures whose threshold in force is null.
    """
    every = list(open_alerts)
    known = {alert.figure: alert for alert in every if alert.origin == BUILT_IN}
    others = {alert.figure for alert in every if alert.origin != BUILT_IN}
    broken = broken_rules(state, at)
    begun = (
        _begun(queue, broken[figure], at)
        for figure in RULES
        if figure in broken and figure not in known and figure not in others and figure not in off
        if state.is_used
    )
    return Judgement(tuple(begun), tuple(_ended(known, broken, state, off, at)))


def _begun(queue: QueueName, broken: Broken, at: int) -> Alert:
    return Alert(
        id=alert_id(at, *queue, broken.figure),
        figure=broken.figure,
        origin=BUILT_IN,
        base_ref=queue.base_ref,
        queue_name=queue.queue_name,
        since=broken.since,
        found_at=at,
        value=broken.value,
        threshold=broken.threshold,
        sentence=broken.sentence,
        advice=_ADVICE[broken.figure],
        evidence=broken.evidence,
        unit="" if broken.figure == FAILURE_RATE else DAYS,
        seen_at=at,
    )


def _ended(
    known: Mapping[str, Alert],
    broken: Mapping[str, Broken],
    state: QueueState,
    off: Collection[str],
    at: int,
) -> Iterator[Alert]:
    for figure, alert in sorted(known.items()):
        if figure in off:
            yield replace(alert, ended_at=at, end_reason=CHANGED)
        elif figure == FAILURE_RATE and state.exits < SOME_EXITS:
            yield replace(alert, ended_at=at, end_reason=NO_DATA)
        elif figure not in broken and not _is_close(figure, state):
            yield replace(alert, ended_at=_recovered_at(alert, state, at), end_reason=RECOVERED)


def _is_close(figure: str, state: QueueState) -> bool:
    """Whether a figure is a little below its rule, where an alert goes on."""
    return figure == FAILURE_RATE and state.failures >= _CALM * MOST_FAIL * state.exits


def _recovered_at(alert: Alert, state: QueueState, at: int) -> int:
    """A merge ends a standstill when it happens."""
    has_merged = alert.figure == NOTHING_MERGES and (state.merged_at or 0) > alert.since
    return state.merged_at or at if has_merged else at
