"""The observations that a verdict rests on."""

from collections.abc import Iterator

from mergecast.queues.model.instant import HOUR
from mergecast.queues.model.verdict import (
    CHECK_FAILED,
    CHECK_PASSED,
    FAILED_ALONE,
    FAILED_WITH,
    OTHER_CHECK_FAILED,
    OTHERS_FAILED,
    OTHERS_PASSED,
    PASSED_WITHOUT,
    RETRIED,
    Evidence,
    NearbyRun,
)
from mergecast.queues.model.words import counted
from mergecast.signals.verdict.runs import Run
from mergecast.signals.verdict.sentences import Told
from mergecast.signals.verdict.wording import capital, checks, numbers_in, pulls

_RECENT = 3 * HOUR
_NEAR = 6 * HOUR
_MOST_NEARBY = 40
_MOST_OF_A_KIND = 5
_MOST_BATCHES = 20


def observations(told: Told) -> tuple[Evidence, ...]:
    return (*_failures(told), *_passes_without(told), *_others(told))


def _failures(told: Told) -> Iterator[Evidence]:
    for run in told.weighed.case.own_failures[-_MOST_OF_A_KIND:]:
        mates = numbers_in(told.stays, run, told.number)
        failed = f"{capital(checks(run.names))} failed"
        batch = (run.id.batch_id,)
        if mates:
            yield Evidence(FAILED_WITH, f"{failed} when it was tested with {pulls(mates)}.", batch)
        else:
            yield Evidence(FAILED_ALONE, f"{failed} when it was tested alone.", batch)
        if run.is_retry:
            yield Evidence(RETRIED, f"That was attempt {run.id.attempt}.", batch)


def _passes_without(told: Told) -> Iterator[Evidence]:
    for run in told.weighed.case.passed_without[-_MOST_OF_A_KIND:]:
        numbers = numbers_in(told.stays, run, told.number)
        if numbers:
            yield Evidence(PASSED_WITHOUT, f"{pulls(numbers)} passed without it.", (run.id.batch_id,))


def _others(told: Told) -> Iterator[Evidence]:
    failed, at = told.weighed.failed_for_others, told.weighed.case.at
    if failed:
        runs = counted(len(failed), "run")
        text = f"{capital(told.checks)} failed in {runs} of others in the last 24 hours."
        yield Evidence(OTHERS_FAILED, text, _batches(failed))
    passed = [run for run in told.weighed.others if run.has_passed and run.ended_at >= at - _RECENT]
    if passed:
        text = f"{counted(len(passed), 'run')} of others passed in the 3 hours before."
        yield Evidence(OTHERS_PASSED, text, _batches(passed))


def _batches(runs: list[Run]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(run.id.batch_id for run in runs[-_MOST_BATCHES:]))


def nearby(told: Told) -> tuple[NearbyRun, ...]:
    """The runs of others in the hours before, the oldest first."""
    near = [run for run in told.weighed.others if run.ended_at >= told.weighed.case.at - _NEAR]
    return tuple(
        NearbyRun(*run.id, run.ended_at, tuple(numbers_in(told.stays, run, told.number)), _result(told, run))
        for run in near[-_MOST_NEARBY:]
    )


def _result(told: Told, run: Run) -> str:
    if run.has_passed:
        return CHECK_PASSED
    names = told.last.names
    return OTHER_CHECK_FAILED if names and set(names).isdisjoint(run.names) else CHECK_FAILED
