"""From what is known about a removal to the verdict."""

from typing import Final, NamedTuple

from mergecast.queues.model.verdict import (
    BY_REASON,
    CANNOT_TELL,
    CONFLICT,
    EVERYBODY,
    FLAKE,
    LIKELY,
    LOOK,
    OTHER,
    OWN,
    SURE,
    UNKNOWN,
    WAIT,
    Basis,
    Probabilities,
    Verdict,
    WaitFor,
)
from mergecast.signals.verdict.calibration import Calibration
from mergecast.signals.verdict.observations import nearby, observations
from mergecast.signals.verdict.reasons import FROM_PLATFORM, act_for, sentence_for
from mergecast.signals.verdict.sentences import Told, sentence
from mergecast.signals.verdict.stays import Stays
from mergecast.signals.verdict.weighed import Weighed

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
        known = self.stays.known[self.stay]
        cause = BY_REASON[reason][0]
        before = self.stays.unchanged_before(self.stay)
        act = act_for(reason, is_repeated=any(stay.reason in FROM_PLATFORM for stay in before))
        return Verdict(
            cause,
            CANNOT_TELL if cause == UNKNOWN else SURE,
            act,
            sentence_for(reason, known.pull_request, act, ahead),
            self.now,
            self.basis,
            wait_for=WaitFor(pull_request=ahead) if cause == CONFLICT and act == WAIT and ahead else None,
            others=(ahead,) if ahead and cause == CONFLICT else (),
        )

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
