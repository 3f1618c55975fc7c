"""The policies that documents and settings describe, for the trains of a history."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import quantiles
from typing import Final

from mergecast.configuration.extends import no_platform
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import BatchRange
from mergecast.configuration.models.queue_rules import QueueRule as WrittenRule
from mergecast.configuration.read import read_configuration
from mergecast.forecast.settings import apply, errors_of
from mergecast.history.inference import TrainRules
from mergecast.judge.child.documents import too_long
from mergecast.judge.messages import PolicyGiven, WrongField
from mergecast.model.instant import SECOND
from mergecast.replay.values import Mode, Policy, QueueRule

_DAY: Final = 86_400.0
_LOOK_BACK: Final = 30 * _DAY
_LEAST_RUNS: Final = 20
_MARGIN: Final = 1.5
_SHORTEST_TIMEOUT: Final = 60


class WrongPolicy(Exception):
    """What was given does not describe how the trains behave."""

    def __init__(self, errors: Sequence[WrongField]) -> None:
        super().__init__(*errors)
        self.errors = tuple(errors)


def policies_of(
    given: PolicyGiven, pointer: str, trains: Sequence[TrainRules], baseline: Sequence[Policy], end: int
) -> list[Policy]:
    """One policy per train; settings that are not given are the baseline's."""
    if given.config_yml is None:
        settings = given.settings or {}
        wrong = [WrongField(f"{pointer}/settings/{field}", text) for field, text in errors_of(settings)]
        if wrong:
            raise WrongPolicy(wrong)
        return [apply(settings, train, before) for train, before in zip(trains, baseline, strict=True)]
    configuration = _read(given.config_yml, f"{pointer}/config_yml", end)
    written = {rule.name: rule for rule in configuration.queue_rules}
    missing = [
        WrongField(f"{pointer}/config_yml", f"the document has no queue named {name}, which the history has")
        for train in trains
        for name in train.queue_names
        if name not in written
    ]
    if missing:
        raise WrongPolicy(missing)
    return [_policy(configuration, written, train) for train in trains]


def _read(text: str, pointer: str, end: int) -> Configuration:
    if errors := too_long(text):
        raise WrongPolicy([WrongField(pointer, error.text) for error in errors])
    today = datetime.fromtimestamp(end // SECOND, UTC).date()
    result = read_configuration(text, today=today, repository=None, load=no_platform)
    if result.configuration is None:
        raise WrongPolicy([WrongField(pointer, error.text) for error in result.errors])
    return result.configuration


def _policy(configuration: Configuration, written: dict[str, WrittenRule], train: TrainRules) -> Policy:
    merge_queue = configuration.merge_queue
    return replace(
        train.policy,
        rules=tuple(_rule(written[name], train, name) for name in train.queue_names),
        max_parallel_checks=merge_queue.max_parallel_checks,
        mode=Mode(merge_queue.mode),
        skip_intermediate_results=merge_queue.skip_intermediate_results,
        reset_on_external_merge=merge_queue.reset_on_external_merge == "always",
        landing=None,
    )


def _rule(written: WrittenRule, train: TrainRules, name: str) -> QueueRule:
    size = written.batch_size
    smallest, largest = (size.min, size.max) if isinstance(size, BatchRange) else (size, size)
    return QueueRule(
        batch_size_min=smallest,
        batch_size_max=largest,
        batch_max_wait_time=_microseconds(written.batch_max_wait_time),
        max_checks_retries=written.max_checks_retries,
        checks_timeout=_timeout(written.checks_timeout, train, name),
        batch_max_failure_resolution_attempts=written.batch_max_failure_resolution_attempts,
    )


def _timeout(written: timedelta | str | None, train: TrainRules, name: str) -> int | None:
    """`auto` is half as long again as nearly all successful runs of the last weeks took."""
    if written is None or isinstance(written, timedelta):
        return None if written is None else _microseconds(written)
    lengths = sorted(_lengths(train, name))
    if len(lengths) < _LEAST_RUNS:
        return None
    nearly_all = quantiles(lengths, n=20, method="inclusive")[-1]
    return int(max(_MARGIN * nearly_all, _SHORTEST_TIMEOUT) * SECOND)


def _lengths(train: TrainRules, name: str) -> Iterator[float]:
    history = train.line.history
    for run in history.runs:
        is_recent = run.ended is not None and run.ended >= history.length - _LOOK_BACK
        if is_recent and run.outcome == "SUCCESS" and run.queue_name == name:
            yield max(0.0, (run.ended or 0.0) - run.started)


def _microseconds(length: timedelta) -> int:
    return length // timedelta(microseconds=1)
