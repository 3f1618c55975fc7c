"""From what is known about a removal to the verdict."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mergecast.queues.model.instant import HOUR
from mergecast.queues.model.removal_reasons import FROM_PLATFORM, verdict_by_reason
from mergecast.queues.model.verdict import (
    CANNOT_TELL,
    CHECK_FAILED,
    CHECK_PASSED,
    EVERYBODY,
    FAILED_ALONE,
    FAILED_WITH,
    FLAKE,
    LIKELY,
    LOOK,
    OTHER,
    OTHER_CHECK_FAILED,
    OTHERS_FAILED,
    OTHERS_PASSED,
    OWN,
    PASSED_WITHOUT,
    RETRIED,
    SURE,
    UNKNOWN,
    WAIT,
    Basis,
    Evidence,
    NearbyRun,
    Probabilities,
    Verdict,
    WaitFor,
)
from mergecast.queues.model.words import counted
from mergecast.signals.verdict.calibration import Calibration
from mergecast.signals.verdict.runs import Run
from mergecast.signals.verdict.sentences import Told, sentence
from mergecast.signals.verdict.stays import Stays
from mergecast.signals.verdict.weighed import Weighed
from mergecast.signals.verdict.wording import capital, checks, ended, numbers_in, pulls

_DIGITS: Final = 3  # as they are shown, so that nothing is revised which looks the same
_SUSPICIOUS: Final = 0.1
_MOST_OTHERS: Final = 5
_NO_RUN: Final = "Cannot tell whether it was this change. No failed run of it is recorded. Look at the log."


class Judgement(NamedTuple):
    """What all verdicts about one stay need."""

    stays: Stays
    stay: int
    now: int
    basis: Basis
    calibration: Calibration | None
    usual_lengths: tuple[int, ...]

    def by_reason(self, reason: str, ahead: int | None) -> Verdict:
        """`ahead` is the pull request ahead of it, if there was exactly one."""
        number = self.stays.known[self.stay].pull_request
        is_repeated = any(stay.reason in FROM_PLATFORM for stay in self.stays.unchanged_before(self.stay))
        said = verdict_by_reason(reason, number, ahead, is_repeated=is_repeated)
        return said._replace(judged_at=self.now, basis=self.basis)

    def without_runs(self) -> Verdict:
        return Verdict(UNKNOWN, CANNOT_TELL, LOOK, _NO_RUN, self.now, self.basis)

    def by_runs(self, weighed: Weighed) -> Verdict:
        told = self._told(weighed)
        certainty = CANNOT_TELL if told.cause == UNKNOWN else SURE if weighed.is_sure else LIKELY
        return Verdict(
            told.cause,
            certainty,
            told.act,
            sentence(told),
            self.now,
            self.basis,
            Probabilities(*(round(one, _DIGITS) for one in weighed.posterior.probabilities)),
            round(weighed.passes_now, _DIGITS),
            round(weighed.passes_later, _DIGITS),
            WaitFor(check=weighed.waits_for) if told.act == WAIT and weighed.waits_for else None,
            weighed.case.last.names,
            told.others,
            observations(told),
            nearby(told),
        )

    def _told(self, weighed: Weighed) -> Told:
        known = self.stays.known[self.stay]
        returns = sum(stay.has_failed for stay in self.stays.unchanged_before(self.stay))
        act = weighed.act(returns)
        return Told(
            known.pull_request,
            known.reason or "",
            _cause(weighed, act),
            act,
            weighed,
            self._others(weighed),
            returns,
            self.stays,
            self.calibration,
            self.usual_lengths,
        )

    def _others(self, weighed: Weighed) -> tuple[int, ...]:
        """The pull requests that may be at fault instead, the most suspicious first."""
        suspects = zip(weighed.posterior.suspicion[1:], weighed.case.suspects[1:], strict=True)
        ranked = sorted((-suspicion, change) for suspicion, change in suspects if suspicion >= _SUSPICIOUS)
        numbers = (self.stays.pull_request(change) for _, change in ranked)
        return tuple(number for number in numbers if number is not None)[:_MOST_OTHERS]


def _cause(weighed: Weighed, act: str) -> str:
    if act == LOOK:
        return UNKNOWN
    if act == WAIT:
        return EVERYBODY
    ranked = zip(weighed.posterior.probabilities, (OWN, OTHER, FLAKE, EVERYBODY), strict=True)
    return max(ranked, key=lambda pair: pair[0])[1]


_RECENT = 3 * HOUR
_NEAR = 6 * HOUR
_MOST_NEARBY = 40
_MOST_OF_A_KIND = 5
_MOST_BATCHES = 20


def observations(told: Told) -> tuple[Evidence, ...]:
    """What the verdict rests on."""
    return (*_failures(told), *_passes_without(told), *_others(told))


def _failures(told: Told) -> Iterator[Evidence]:
    for run in told.weighed.case.own_failures[-_MOST_OF_A_KIND:]:
        mates = numbers_in(told.stays, run, told.number)
        failed = f"{capital(checks(run.names))} {ended(run)}"
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
        text = f"{capital(told.checks)} {ended(told.last)} in {runs} of others in the last 24 hours."
        yield Evidence(OTHERS_FAILED, text, _batches(failed))
    passed = [run for run in told.weighed.others if run.has_passed and run.ended_at >= at - _RECENT]
    if passed:
        text = f"{counted(len(passed), 'run')} of others passed in the 3 hours before."
        yield Evidence(OTHERS_PASSED, text, _batches(passed))


def _batches(runs: list[Run]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(run.id.batch_id for run in runs[-_MOST_BATCHES:]))


def nearby(told: Told) -> tuple[NearbyRun, ...]:
    """The runs of others in the hours before, the oldest first."""
    near = [
        run
        for run in told.weighed.others
        if run.ended_at >= told.weighed.case.at - _NEAR
        and (run.has_passed or run.names or not told.last.names)  # else it says nothing about that check
    ]
    return tuple(
        NearbyRun(*run.id, run.ended_at, tuple(numbers_in(told.stays, run, told.number)), _result(told, run))
        for run in near[-_MOST_NEARBY:]
    )


def _result(told: Told, run: Run) -> str:
    if run.has_passed:
        return CHECK_PASSED
    names = told.last.names
    return OTHER_CHECK_FAILED if names and set(names).isdisjoint(run.names) else CHECK_FAILED
