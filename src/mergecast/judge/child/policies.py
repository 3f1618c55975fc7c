"""The plans that documents and settings describe, for the trains of a history."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from statistics import quantiles
from typing import Final

from mergecast.forecasting.forecast.plan import Plan, Urgency, with_settings
from mergecast.forecasting.forecast.settings import (
    SettingError,
    Settings,
    apply_to_queue,
    errors_of,
    errors_of_groups,
    errors_of_kind,
    errors_of_queue,
)
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.replay.values import ClosedSpan, Closing, Mode, Policy, QueueRule, Variants
from mergecast.judge.child.documents import loader, too_long
from mergecast.judge.messages import PolicyGiven, WrongField
from mergecast.language.conditions.times.next_change import asks_the_clock, closed_spans, mixes_the_clock
from mergecast.language.configuration.inheritance import CannotRead
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.models.queue_rules import BatchRange
from mergecast.language.configuration.models.queue_rules import QueueRule as WrittenRule
from mergecast.language.configuration.read import read_configuration
from mergecast.queues.model.instant import DAY, SECOND, Window

_LOOK_BACK: Final = 30 * DAY / SECOND  # in seconds
_LEAST_RUNS: Final = 20
_MARGIN: Final = 1.5
_SHORTEST_TIMEOUT: Final = 60
# A replay begins before the window, with what was in the queue then, and continues until the queue is empty.
_BEFORE: Final = 7 * DAY
_AFTER: Final = 28 * DAY


class WrongPolicy(Exception):
    """The settings or document cannot be applied to the trains."""

    def __init__(self, errors: Sequence[WrongField]) -> None:
        super().__init__(*errors)
        self.errors = tuple(errors)


@dataclass(frozen=True)
class Described:
    """One plan per train, and notes about them."""

    plans: list[Plan]
    notes: tuple[str, ...] = ()


def check_settings(given: PolicyGiven | None, pointer: str) -> None:
    """Refuse settings that are wrong for every history, which takes seconds to read."""
    if given is None:
        return
    errors = {f"{pointer}/settings": errors_of(given.settings or {})}
    errors |= {_place(pointer, name): errors_of_queue(settings) for name, settings in given.queues.items()}
    wrong = [
        WrongField(f"{place}/{field}", message) for place, own in errors.items() for field, message in own
    ]
    if wrong:
        raise WrongPolicy(wrong)


def plans_of(
    given: PolicyGiven, pointer: str, trains: Sequence[TrainRules], baseline: Sequence[Plan], window: Window
) -> Described:
    """Settings that are not given are the baseline's; those that are given have passed `check_settings`."""
    if given.config_yml is not None:
        return _Document(given, f"{pointer}/config_yml", window).described(trains)
    plans = _with_settings(given.settings or {}, f"{pointer}/settings", baseline)
    return Described(_with_own_settings(given.queues, pointer, trains, plans))


def _with_settings(settings: Settings, pointer: str, baseline: Sequence[Plan]) -> list[Plan]:
    def refuse(errors: Iterable[SettingError]) -> None:
        if wrong := [WrongField(f"{pointer}/{field}", text) for field, text in dict.fromkeys(errors)]:
            raise WrongPolicy(wrong)

    kinds = {settings["kind"]} if "kind" in settings else {before.kind for before in baseline}
    if kinds:
        refuse(errors_of_kind(settings, sorted(kinds)))
    plans = [with_settings(settings, before) for before in baseline]
    refuse(error for plan in plans for error in errors_of_groups(plan.policy))
    return plans


def _with_own_settings(
    queues: Mapping[str, Settings], pointer: str, trains: Sequence[TrainRules], plans: Sequence[Plan]
) -> list[Plan]:
    """The plans with the settings of single queues."""
    wrong = list(_errors_of_queues(queues, pointer, trains, plans))
    if wrong:
        raise WrongPolicy(wrong)
    changed = []
    for train, plan in zip(trains, plans, strict=True):
        policy = plan.policy
        for place, name in enumerate(train.queue_names):
            policy = apply_to_queue(queues.get(name, {}), place, policy)
        changed.append(replace(plan, policy=policy))
    return changed


def _errors_of_queues(
    queues: Mapping[str, Settings], pointer: str, trains: Sequence[TrainRules], plans: Sequence[Plan]
) -> Iterator[WrongField]:
    kinds = {name: plan.kind for train, plan in zip(trains, plans, strict=True) for name in train.queue_names}
    for name, settings in queues.items():
        place = _place(pointer, name)
        if name not in kinds:
            known = ", ".join(sorted(kinds)) or "none"
            yield WrongField(place, f"is not a queue in the recorded weeks of this branch, which has {known}")
            continue
        errors = errors_of_kind(settings, [kinds[name]])
        yield from (WrongField(f"{place}/{field}", message) for field, message in errors)


def _place(pointer: str, queue_name: str) -> str:
    return f"{pointer}/queues/{queue_name.replace('~', '~0').replace('/', '~1')}"


class _Document:
    """One document, read for a forecast."""

    def __init__(self, given: PolicyGiven, pointer: str, window: Window) -> None:
        self._pointer, self._window = pointer, window
        self._notes: list[str] = []
        self._configuration = self._read(given)

    def described(self, trains: Sequence[TrainRules]) -> Described:
        written = {rule.name: rule for rule in self._configuration.queue_rules}
        names = [name for train in trains for name in train.queue_names]
        if missing := [name for name in names if name not in written]:
            raise self._wrong(
                f"the document has no queue named {name}, which the history has" for name in missing
            )
        plans = [self._plan(train, [written[name] for name in train.queue_names]) for train in trains]
        self._note_clocks([written[name] for name in names])
        self._note_priorities(trains)
        return Described(plans, tuple(self._notes))

    def _read(self, given: PolicyGiven) -> Configuration:
        text = given.config_yml or ""
        if errors := too_long(text):
            raise self._wrong(error.text for error in errors)
        load = loader(given.owner, given.remotes)

        def load_or_note(name: str) -> str:
            try:
                return load(name)
            except CannotRead:
                self._notes.append(
                    f"The document extends the one of {given.owner}/{name}, which could not be read; "
                    "the forecast does not include it."
                )
                raise

        today = datetime.fromtimestamp(self._window.end // SECOND, UTC).date()
        result = read_configuration(text, today=today, repository=given.repository, load=load_or_note)
        if result.configuration is None:
            raise self._wrong(error.text for error in result.errors)
        return result.configuration

    def _wrong(self, messages: Iterator[str]) -> WrongPolicy:
        return WrongPolicy([WrongField(self._pointer, message) for message in messages])

    def _plan(self, train: TrainRules, written: Sequence[WrittenRule]) -> Plan:
        merge_queue = self._configuration.merge_queue
        policy = Policy(
            rules=tuple(_rule(rule, train) for rule in written),
            max_parallel_checks=merge_queue.max_parallel_checks,
            mode=Mode(merge_queue.mode),
            skip_intermediate_results=merge_queue.skip_intermediate_results,
            reset_on_external_merge=merge_queue.reset_on_external_merge == "always",
            # What a queue of another kind does says nothing about one that has documents.
            variants=train.policy.variants if train.kind == "mergify" else Variants(),
        )
        return Plan(policy, "mergify", self._priority_rules(), tuple(self._schedules(written)))

    def _priority_rules(self) -> dict[str, Urgency]:
        return {
            rule.name: Urgency(rule.priority, rule.allow_checks_interruption)
            for rule in self._configuration.priority_rules
        }

    def _schedules(self, written: Sequence[WrittenRule]) -> Iterator[ClosedSpan]:
        """When schedules close the merge conditions of each queue, counted from the start of the window."""
        start, end = self._window
        for place, rule in enumerate(written):
            for span in closed_spans(rule.merge_conditions, Window(start - _BEFORE, end + _AFTER)):
                yield ClosedSpan(span.start - start, span.end - start, Closing.SCHEDULE, place)

    def _note_clocks(self, written: Sequence[WrittenRule]) -> None:
        for rule in written:
            if mixes_the_clock(rule.merge_conditions):
                self._notes.append(
                    f"A merge condition of `{rule.name}` combines the time with something unrecorded; "
                    "the forecast ignores it."
                )
            if asks_the_clock(rule.queue_conditions):
                self._notes.append(
                    f"The queue conditions of `{rule.name}` depend on the time; "
                    "the forecast assumes that pull requests enter when they did."
                )

    def _note_priorities(self, trains: Sequence[TrainRules]) -> None:
        recorded = {stay.priority_rule_name for train in trains for stay in train.recorded.history.stays}
        written = {rule.name for rule in self._configuration.priority_rules}
        if unknown := ", ".join(f"`{name}`" for name in sorted(written - recorded)):
            self._notes.append(
                f"No recorded pull request names the priority rule {unknown}; "
                "the forecast cannot tell which ones it would match."
            )


def _rule(written: WrittenRule, train: TrainRules) -> QueueRule:
    size = written.batch_size
    smallest, largest = (size.min, size.max) if isinstance(size, BatchRange) else (size, size)
    return QueueRule(
        batch_size_min=smallest,
        batch_size_max=largest,
        batch_max_wait_time=_microseconds(written.batch_max_wait_time),
        max_checks_retries=written.max_checks_retries,
        checks_timeout=_timeout(written.checks_timeout, train, written.name),
        batch_max_failure_resolution_attempts=written.batch_max_failure_resolution_attempts,
    )


def _timeout(written: timedelta | str | None, train: TrainRules, name: str) -> int | None:
    """`auto` is 1.5 times as long as nearly all successful runs of the last weeks took."""
    if written is None or isinstance(written, timedelta):
        return None if written is None else _microseconds(written)
    lengths = sorted(_lengths(train, name))
    if len(lengths) < _LEAST_RUNS:
        return None
    nearly_all = quantiles(lengths, n=20, method="inclusive")[-1]
    return int(max(_MARGIN * nearly_all, _SHORTEST_TIMEOUT) * SECOND)


def _lengths(train: TrainRules, name: str) -> Iterator[float]:
    history = train.recorded.history
    for run in history.runs:
        is_recent = run.ended is not None and run.ended >= history.length - _LOOK_BACK
        if is_recent and run.outcome == "SUCCESS" and run.queue_name == name:
            yield max(0.0, (run.ended or 0.0) - run.started)


def _microseconds(length: timedelta) -> int:
    return length // timedelta(microseconds=1)
