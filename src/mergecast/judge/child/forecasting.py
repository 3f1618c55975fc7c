"""`python -m mergecast.judge.child.forecasting`: forks children that replay and examine histories."""

import time
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from math import prod
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, astuple

from mergecast.forecasting.forecast.answer import (
    Capacity,
    Comparison,
    Detected,
    Search,
    Source,
    ToldBy,
    Understood,
    UnderstoodCandidate,
    rounded,
)
from mergecast.forecasting.forecast.backtest import BackTestFound
from mergecast.forecasting.forecast.capacity import Step, capacity
from mergecast.forecasting.forecast.chances import Odds
from mergecast.forecasting.forecast.eta import Calibration
from mergecast.forecasting.forecast.forecast import (
    Question,
    TooLittle,
    expected_merges,
    forecast,
    too_little,
    trust_in_expected_merges,
)
from mergecast.forecasting.forecast.plan import (
    Plan,
    as_recorded,
    as_told,
    contradictions,
    settings_of,
    told_of,
    with_settings,
)
from mergecast.forecasting.forecast.requirements import settings_in_words
from mergecast.forecasting.forecast.search import (
    LOADED,
    MOST_COMBINATIONS,
    SEARCHED,
    Axes,
    Bench,
    Limit,
    SearchQuestion,
    around,
    bench_for,
    combinations,
    search,
)
from mergecast.forecasting.forecast.settings import errors_of, errors_of_groups, errors_of_kind
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.queue_rules import queue_rules
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import microseconds
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import ReplayTooLong
from mergecast.judge import messages
from mergecast.judge.child.explanations import explanation
from mergecast.judge.child.policies import WrongPolicy, check_settings, plans_of
from mergecast.judge.child.time_limits import limited
from mergecast.judge.limits import FORECAST_LIMITS
from mergecast.judge.messages import (
    BEFORE,
    Baseline,
    CheckFound,
    EtaFound,
    ExpectedMergeFound,
    ExpectedMergesAnswer,
    ForecastAnswer,
    Measured,
    RecommendationProgress,
    RecordedWindow,
    WrongField,
)
from mergecast.queues.model.ci_check import FAILURE, SUCCESS
from mergecast.queues.model.event import (
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import DAY, MINUTE, Window, format_instant
from mergecast.queues.model.queue_changes import LevelChanges
from mergecast.queues.model.queue_settings import SettingsInForce
from mergecast.queues.model.verdict import Suspicion
from mergecast.sandbox.forking import Task, serve
from mergecast.signals.changes.looks import find_changes
from mergecast.signals.thresholds.preview import Asked, Previewed, preview
from mergecast.signals.verdict.engine import Engine, OtherVersion
from mergecast.signals.verdict.happenings import Check, Happening, Report, RunId, Split, Stay, happenings

_KEPT_EVERY: Final = 7 * DAY


class Past:
    """The queues of a branch; what is asked for in the order of time costs one replay of each."""

    def __init__(
        self, events: Iterable[Event], checks: Iterable[CheckFound], states: Mapping[str, bytes]
    ) -> None:
        by_queue: dict[str, list[Event]] = {}
        for event in events:
            by_queue.setdefault(event.queue_name, []).append(event)
        reports = [
            Report(
                RunId(one.batch_id, one.attempt),
                one.name,
                one.placed_at,
                FAILURE if one.has_failed else SUCCESS,
            )
            for one in checks
        ]
        self._queues = {
            name: _queue(of_queue, reports, _loaded(states.get(name))) for name, of_queue in by_queue.items()
        }

    def at(self, instant: int) -> list[Suspicion]:
        return [found for queue in self._queues.values() for found in queue.at(instant).suspicions()]

    def states_at(self, instant: int) -> dict[str, bytes]:
        """From which another process can go on."""
        return {name: queue.at(instant).dump() for name, queue in self._queues.items()}


class _Queue:
    """What happens after a state; keeps a state of each week, to which it can go back."""

    def __init__(self, happened: list[Happening], engine: Engine) -> None:
        self._happened, self._engine, self._next = happened, engine, 0
        self._kept = [(engine.at or 0, self._next, engine.dump())]

    def at(self, instant: int) -> Engine:
        if self._engine.at is not None and instant < self._engine.at:
            self._go_back(instant)
        end = bisect_right(self._happened, instant, key=_instant)
        for happening in self._happened[self._next : end]:
            self._engine.apply(happening)
            self._next += 1
            if happening.at >= self._kept[-1][0] + _KEPT_EVERY:
                self._kept.append((happening.at, self._next, self._engine.dump()))
        if self._engine.at is None or self._engine.at < instant:
            self._engine.advance(instant)
        return self._engine

    def _go_back(self, instant: int) -> None:
        """An instant before the first state is answered with that state."""
        known = max(1, bisect_right(self._kept, instant, key=lambda kept: kept[0]))
        _, self._next, state = self._kept[known - 1]
        self._engine = Engine.load(state)


def _queue(events: Sequence[Event], reports: Iterable[Report], engine: Engine) -> _Queue:
    since = engine.at
    later = events if since is None else [event for event in events if event.happened_at > since]
    return _Queue(_happened(later, reports), engine)


def _instant(happening: Happening) -> int:
    return happening.at


def _loaded(state: bytes | None) -> Engine:
    if state is not None:
        with suppress(OtherVersion):
            return Engine.load(state)
    return Engine()


def _happened(events: Sequence[Event], reports: Iterable[Report]) -> list[Happening]:
    """Of several events that say the same, the first counts."""
    firsts = {
        (event.type, event.session_id, event.batch_id, event.attempt, event.depth): event
        for event in reversed(events)
    }
    found = list(firsts.values())
    return happenings(
        (_stay(event) for event in found if event.type in {QUEUE_ENTERED, QUEUE_LEFT}),
        (_check(event) for event in found if event.type in {CHECKS_STARTED, CHECKS_ENDED}),
        reports,
        (
            Split(event.happened_at, event.batch_id or "", _numbers(event.batch_pull_requests))
            for event in found
            if event.type == BISECTION_STARTED
        ),
    )


def _stay(event: Event) -> Stay:
    """One end of a stay: each is a happening of its own."""
    session_id, number, at = event.session_id or "", event.pull_request or 0, event.happened_at
    if event.type == QUEUE_ENTERED:
        rule = event.priority_rule_name
        return Stay(session_id, number, at, entered_sha=event.head_sha, priority_rule_name=rule)
    return Stay(session_id, number, None, at, event.reason, left_sha=event.head_sha)


def _check(event: Event) -> Check:
    run = RunId(event.batch_id or "", event.attempt or 1)
    check = Check(event.session_id or "", event.pull_request or 0, run, None)
    if event.type == CHECKS_STARTED:
        numbers = _numbers(event.batch_pull_requests)
        return check._replace(started_at=event.happened_at, pull_requests=numbers)
    return check._replace(ended_at=event.happened_at, outcome=event.outcome)


def _numbers(listed: str | None) -> tuple[int, ...]:
    return tuple(int(number) for number in listed.split(",")) if listed else ()


# Of the CPU time that a task may use; the rest is for reading the history before and for the answer after.
_SHARE = 0.8
_LONGEST_SHARE = 0.25  # of what is left, for one combination
_BEHIND = 15 * MINUTE  # what happened before seldom changes

T = TypeVar("T")
_CURRENT_DOCUMENT: Source = "document in force"
_PLATFORM: Source = "platform"
_Step = TypeVar("_Step")
_Found = TypeVar("_Found")
Steps = Generator[object, None, _Found]  # yields progress in the form in which clients get it


class CombinationTooSlow(BaseException):
    """Not an `Exception`, so that no library can handle it by accident."""


class SearchBudget:
    """The CPU time of one search, from now on. One slow combination leaves most of it to the others."""

    def __init__(self, seconds: float = _SHARE * FORECAST_LIMITS.deadline_seconds) -> None:
        self._end = time.thread_time() + seconds

    def run(self, work: Callable[[], T]) -> T | None:
        left = self._end - time.thread_time()
        if left <= 0:
            return None
        try:
            return limited(left * _LONGEST_SHARE, CombinationTooSlow, work)
        except CombinationTooSlow:
            return None


@dataclass(frozen=True)
class _Recorded:
    """The recorded history, and the rules inferred from it."""

    history: History
    trains: tuple[TrainRules, ...]
    window: Window
    queues: frozenset[str] | None
    past: History
    events: Sequence[Event]
    in_force: SettingsInForce | None


@dataclass(frozen=True)
class _Chosen:
    """The baseline, where it comes from, and notes about it."""

    plans: list[Plan]
    source: Source
    notes: tuple[str, ...] = ()
    is_current: bool = False  # the history was recorded under it
    told_by: ToldBy | UnsetType = UNSET


def _forecast(given: bytes) -> ForecastAnswer:
    question = msgspec.json.decode(given, type=messages.ForecastQuestion)
    try:
        check_settings(question.candidate, "/candidate")
        check_settings(question.baseline.asked, "/baseline")
        recorded = _read(question.recorded)
        baseline = _baseline(question.baseline, recorded)
        candidate = plans_of(
            question.candidate, "/candidate", recorded.trains, baseline.plans, recorded.window
        )
    except WrongPolicy as wrong:
        return ForecastAnswer(errors=wrong.errors)
    asked = Question(
        candidate.plans, baseline.plans, recorded.queues, question.seed,
        baseline_is_current=baseline.is_current, past=recorded.past,
    )  # fmt: skip
    try:
        found = forecast(recorded.history, recorded.trains, asked)
    except ReplayTooLong as too_long:
        return ForecastAnswer(errors=(_never_settles("/candidate", too_long),))
    if isinstance(found, TooLittle):
        return ForecastAnswer(too_little=found.detail)
    understood = UnderstoodCandidate(
        **asdict(_understood(recorded, baseline)), candidate=settings_of(recorded.trains, candidate.plans)
    )
    return _answered(found, (*baseline.notes, *candidate.notes), settings=understood)


def _search(given: bytes) -> Steps[ForecastAnswer]:
    budget = SearchBudget()
    return _tried(given, SEARCHED, lambda bench: _shown(search(bench, budget), rounded))


def _recommendation(given: bytes) -> Steps[ForecastAnswer]:
    """A search around today's settings; its progress is a number of combinations."""
    budget, done = SearchBudget(), count(1)
    return _tried(
        given,
        SEARCHED,
        lambda bench: _shown(
            search(bench, budget), lambda _: RecommendationProgress(next(done), len(bench.combinations))
        ),
    )


def _capacity(given: bytes) -> Steps[ForecastAnswer]:
    return _tried(given, LOADED, lambda bench: _shown(capacity(bench), Step._asdict), has_load=True)


def _tried(
    given: bytes,
    factors: Sequence[float],
    find: Callable[[Bench], Steps[Search[float] | Capacity[float]]],
    *,
    has_load: bool = False,
) -> Steps[ForecastAnswer]:
    """Tries settings, by default these multiples of today's; `has_load` if the load varies by itself."""
    question = msgspec.json.decode(given, type=messages.SearchQuestion)
    try:
        check_settings(question.baseline.asked, "/baseline")
        recorded = _read(question.recorded)
        baseline = _baseline(question.baseline, recorded)
        vary = around(baseline.plans, factors) if question.vary is None else question.vary
        _check_variations(vary, baseline.plans)
    except WrongPolicy as wrong:
        return ForecastAnswer(errors=wrong.errors)
    if has_load and "arrivals" in vary:
        message = "is what this request varies by itself; leave it out"
        return ForecastAnswer(errors=(WrongField("/vary/arrivals", message),))
    asked = SearchQuestion(
        vary, Limit(*question.limit) if question.limit else None, baseline.plans, recorded.queues,
        question.seed, baseline_is_current=baseline.is_current, past=recorded.past,
    )  # fmt: skip
    bench = bench_for(recorded.history, recorded.trains, asked)
    if isinstance(bench, TooLittle):
        return ForecastAnswer(too_little=bench.detail)
    try:
        found = yield from find(bench)
    except ReplayTooLong as too_long:
        return ForecastAnswer(errors=(_never_settles("/baseline", too_long),))
    varied = {} if has_load else {"vary": vary}
    return _answered(found, baseline.notes, settings=_understood(recorded, baseline), **varied)


def _understood(recorded: _Recorded, baseline: _Chosen) -> Understood:
    return Understood(
        baseline=settings_of(recorded.trains, baseline.plans),
        source_of_baseline=baseline.source,
        detected=tuple(
            Detected(tuple(train.queue_names), *detection)
            for train in recorded.trains
            for detection in train.detected
        ),
        told_by=baseline.told_by,
    )


def _answered(
    found: Comparison[float] | Search[float] | Capacity[float], notes: tuple[str, ...], **asked: object
) -> ForecastAnswer:
    """What was asked comes first, and notes about the settings before those about the figures."""
    answer = {**asked, **asdict(rounded(found)), "notes": (*notes, *found.notes)}
    return ForecastAnswer(answer=msgspec.Raw(msgspec.json.encode(answer)))


def _shown(steps: Generator[_Step, None, _Found], shown: Callable[[_Step], object]) -> Steps[_Found]:
    """Passes progress on in the form in which clients get it."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            found: _Found = end.value
            return found
        yield shown(step)


def _expected_merges(given: bytes) -> ExpectedMergesAnswer:
    question = msgspec.json.decode(given, type=messages.ExpectedMergesQuestion)
    recorded = _read(question.recorded)
    plans = _without_document(recorded, as_recorded(recorded.trains)).plans
    pairs = zip(recorded.trains, plans, strict=True)
    trains = [replace(train, policy=plan.policy) for train, plan in pairs]
    rules = queue_rules(trains, recorded.window)
    if too_little(recorded.history, frozenset(recorded.history.queue_names)):
        return ExpectedMergesAnswer(is_too_little=True, rules=rules)
    start, now = recorded.window
    known, eta, measured = question.measured, None, None
    past = Past(recorded.events, question.checks, {} if known is None else known.states)
    if known is None:
        test = trust_in_expected_merges(recorded.past, lambda at: past.at(start + microseconds(at)))
        known = measured = Measured(test.calibration, test.odds, past.states_at(now - _BEHIND))
        eta = _eta_found(test)
    corrections = Calibration(*known.calibration), Odds(*known.odds)
    merges = tuple(
        ExpectedMergeFound(merge.session_id, merge.p50, merge.p90, merge.chance)
        for merge in expected_merges(trains, *corrections, past.at(now))
    )
    return ExpectedMergesAnswer(merges, eta, measured, rules=rules)


def _eta_found(test: BackTestFound) -> EtaFound | None:
    found = test.eta_of_windows
    if not found.cases:
        return None
    p50, p90 = found.p50_range, found.p90_range
    return EtaFound(
        found.p50,
        found.p90,
        found.cases,
        windows=tuple(astuple(eta) for eta in found.windows if eta.cases),
        chances=tuple(astuple(one) for one in found.chances),
        p50_range=None if p50 is None else (p50.low, p50.high),
        p90_range=None if p90 is None else (p90.low, p90.high),
    )


def _changes(given: bytes) -> LevelChanges:
    question = msgspec.json.decode(given, type=messages.ChangesQuestion)
    return find_changes(question.days, question.until)


def _preview(given: bytes) -> Previewed:
    question: Asked = msgspec.json.decode(given, type=Asked)
    return preview(question)


def _read(recorded: RecordedWindow) -> _Recorded:
    rows = msgspec.json.decode(recorded.events, type=list[tuple[Any, ...]])
    events = [Event(*row) for row in rows]
    window = Window(recorded.start, recorded.end)
    shown = [event for event in events if event.happened_at >= recorded.start - BEFORE]
    history = read_history(shown, window)
    since = recorded.start if recorded.since is None else recorded.since
    past = history if since == recorded.start else read_history(events, Window(since, recorded.end))
    name = recorded.queue_name
    if name is not None and name not in history.queue_names:
        known = ", ".join(history.queue_names) or "none"
        message = (
            f"no pull request was in a queue with this name in this period; the queues of the branch: {known}"
        )
        raise WrongPolicy([WrongField("/queue_name", message)])
    queues = None if name is None else frozenset({name})
    trains = infer(history) if history.stays else ()
    return _Recorded(history, trains, window, queues, past, events, recorded.in_force)


def _baseline(given: Baseline, recorded: _Recorded) -> _Chosen:
    shown = as_recorded(recorded.trains)
    if given.asked is not None:
        described = plans_of(given.asked, "/baseline", recorded.trains, shown, recorded.window)
        return _Chosen(described.plans, "request", described.notes)
    unstated = _without_document(recorded, shown)
    if given.current is None:
        return replace(unstated, notes=(*given.remarks, *unstated.notes))
    try:
        described = plans_of(given.current, "", recorded.trains, shown, recorded.window)
    except WrongPolicy as wrong:
        first = wrong.errors[0].message
        instead = "inferred from the history" if unstated.source == "history" else "what the platform says"
        note = f"The current document cannot be the baseline ({first}), which is {instead}."
        return replace(unstated, notes=(*given.remarks, note, *unstated.notes))
    notes = (*given.remarks, *described.notes)
    return _Chosen(described.plans, _CURRENT_DOCUMENT, notes, is_current=True)


def _without_document(recorded: _Recorded, shown: list[Plan]) -> _Chosen:
    """What the platform says about the queue, or else what the history shows."""
    told = recorded.in_force
    if told is None or not any(told_of(told.values, plan) for plan in shown):
        return _Chosen(shown, "history")
    against = contradictions(told.values, shown)
    notes = tuple(
        f"{told.platform} says that {name} is {value}; the recorded weeks show {seen}."
        for name, value, seen in against
    )
    told_by = ToldBy(told.platform, format_instant(told.read_at))
    plans = as_told(told.values, shown)
    return _Chosen(plans, _PLATFORM, notes, is_current=not against, told_by=told_by)


def _never_settles(pointer: str, too_long: ReplayTooLong) -> WrongField:
    return WrongField(pointer, f"the queue never settles under these settings: {too_long}")


def _check_variations(vary: Axes, baseline: Sequence[Plan]) -> None:
    wrong: list[WrongField] = []
    for name, values in vary.items():
        for place, value in enumerate(values):
            wrong += [WrongField(f"/vary/{name}/{place}", message) for _, message in errors_of({name: value})]
    kinds = {plan.kind for plan in baseline}
    if kinds and "kind" not in vary:
        misplaced = errors_of_kind(vary, sorted(kinds))
        wrong += [WrongField(f"/vary/{name}", message) for name, message in misplaced]
    number = prod(len(values) for values in vary.values())
    if not 1 <= number <= MOST_COMBINATIONS:
        message = f"must give 1 to {MOST_COMBINATIONS} combinations, not {number:,}"
        wrong.append(WrongField("/vary", message))
    if wrong := wrong or _wrong_groups(vary, baseline):
        raise WrongPolicy(wrong)


def _wrong_groups(vary: Axes, baseline: Sequence[Plan]) -> list[WrongField]:
    """Combinations in which GitHub would never merge a group."""
    found = {
        error.message: settings
        for settings in combinations(vary)
        for plan in baseline
        for error in errors_of_groups(with_settings(settings, plan).policy)
    }
    return [
        WrongField(
            "/vary", f"in the combination {settings_in_words(settings)}, min_entries_to_merge {message}"
        )
        for message, settings in found.items()
    ]


def _tasks() -> Mapping[str, Task]:
    return {
        messages.FORECAST: _forecast,
        messages.SEARCH: _search,
        messages.RECOMMENDATION: _recommendation,
        messages.CAPACITY: _capacity,
        messages.EXPECTED_MERGES: _expected_merges,
        messages.CHANGES: _changes,
        messages.PREVIEW: _preview,
        messages.EXPLANATION: explanation,
    }


if __name__ == "__main__":
    serve(_tasks, FORECAST_LIMITS)
