"""Compares a candidate with the unchanged settings, and computes when queued pull requests will merge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

from mergecast.forecasting.estimate.estimate import estimate
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.ahead import Expected, ahead, intervals, ratio_of, sentence
from mergecast.forecasting.forecast.answer import Compared, Comparison, NextTwoWeeks, Removals
from mergecast.forecasting.forecast.backtest import BackTestFound, back_test
from mergecast.forecasting.forecast.chances import Odds
from mergecast.forecasting.forecast.eta import Calibration, Happened
from mergecast.forecasting.forecast.figures import paired, ranged, recorded_figures
from mergecast.forecasting.forecast.notes import Outcome, notes
from mergecast.forecasting.forecast.plan import Plan, as_recorded
from mergecast.forecasting.forecast.present import ExpectedMerge, play_forward
from mergecast.forecasting.forecast.reach import Excess, reach_of
from mergecast.forecasting.forecast.replicates import (
    EXPECTED_MERGE_REPLICATES,
    FORECAST_REPLICATES,
    Experiment,
    Replicate,
    experiment_on,
    play,
)
from mergecast.forecasting.forecast.requirements import LEAST_DAYS, LEAST_MERGED
from mergecast.forecasting.forecast.suspects import Suspicions, unsuspecting
from mergecast.forecasting.forecast.trust import Record, candidate_trust, sureness, trust
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.queues.model.verdict import Suspicion


@dataclass(frozen=True)
class TooLittle:
    """There is not enough history for a forecast."""

    merged: int
    days: float

    @property
    def detail(self) -> str:
        span = "less than a day" if 0 < self.days < 1 else f"{self.days:.1f} days"
        nothing = "" if self.days else " No pull request entered a queue of this branch in this period."
        return (
            f"A forecast needs at least {LEAST_MERGED} merged pull requests and {LEAST_DAYS} days; "
            f"there are {self.merged} in {span}.{nothing}"
        )


@dataclass(frozen=True)
class Question:
    """One plan per train; without a baseline, the rules inferred from the history.

    If `baseline_is_current`, the history was recorded under the baseline: the replay that is compared with
    the record uses it. `past` is a longer history for the back-test.
    """

    candidate: Sequence[Plan]
    baseline: Sequence[Plan] | None = None
    queues: frozenset[str] | None = None
    seed: int = 1
    replicates: int = FORECAST_REPLICATES
    baseline_is_current: bool = False
    past: History | None = None


def forecast(
    history: History, trains: Sequence[TrainRules], question: Question
) -> Comparison[float] | TooLittle:
    """`trains` are what `infer` found in this history."""
    queues = question.queues or frozenset(history.queue_names)
    if missing := too_little(history, queues):
        return missing
    unchanged = as_recorded(trains)
    if question.baseline is not None and question.baseline_is_current:
        unchanged = list(question.baseline)
    asked = [list(question.baseline or unchanged), list(question.candidate)]
    experiment = experiment_on(history, trains, queues, question.seed, question.replicates)
    before, after, own = _play_all(experiment, asked, unchanged)
    baseline = [replicate.figures for replicate in before]
    candidate = [replicate.figures for replicate in after]
    record = Record(history, question.past or history, queues, question.seed)
    common = trust(record, [replicate.as_recorded for replicate in own])
    excess = Excess(mean(one.busier for one in after), mean(one.larger for one in after))
    reach = reach_of(trains, question.baseline or unchanged, question.candidate, excess)
    expected = ahead(record.past, sorted(queues))
    ranges, difference = ranged(candidate), paired(baseline, candidate)
    sure = sureness(baseline, candidate, difference)
    waiting, waiting_before = (mean(one.waiting for one in each) for each in (after, before))
    return Comparison(
        merged=merged_in(history, queues),
        replicates=question.replicates,
        recorded=recorded_figures(history, sorted(queues)),
        baseline=ranged(baseline),
        candidate=ranges,
        difference=difference,
        next_two_weeks=NextTwoWeeks(
            sentence(expected),
            intervals(expected.expected, None if own is before else _ratio(own, before)),
            intervals(expected.expected, _ratio(own, after)),
        ),
        innocent_removals=Removals(
            mean(replicate.innocent for replicate in before), mean(replicate.innocent for replicate in after)
        ),
        trust=candidate_trust(common, reach, sure, ranges, question.replicates),
        notes=notes(history, trains, question.candidate, Outcome(excess.busier, waiting, waiting_before)),
    )


def _ratio(before: Sequence[Replicate], after: Sequence[Replicate]) -> Compared[Expected]:
    return ratio_of([one.figures for one in before], [one.figures for one in after])


def too_little(history: History, queues: frozenset[str]) -> TooLittle | None:
    """What is recorded, if that is not enough for a forecast."""
    start, end = history.recorded_span
    merged, days = merged_in(history, queues), (end - start) / DAY
    return TooLittle(merged, days) if merged < LEAST_MERGED or days < LEAST_DAYS else None


def merged_in(history: History, queues: frozenset[str]) -> int:
    return sum(stay.is_merged and stay.queue_name in queues for stay in history.entered_in_window)


def _play_all(
    experiment: Experiment, asked: Sequence[list[Plan]], unchanged: list[Plan]
) -> tuple[list[Replicate], list[Replicate], list[Replicate]]:
    """Replicates of the baseline, the candidate and the unchanged rules, with the same random numbers."""
    is_unchanged = asked[0] == unchanged
    all_plans = asked if is_unchanged else [*asked, unchanged]
    numbers = range(len(experiment.trains[0].breakages))
    played = [play(experiment, all_plans, replicate) for replicate in numbers]
    before, after = [plans[0] for plans in played], [plans[1] for plans in played]
    return before, after, before if is_unchanged else [plans[-1] for plans in played]


def expected_merges(
    trains: Sequence[TrainRules],
    calibration: Calibration,
    odds: Odds,
    suspicions: Sequence[Suspicion] = (),
    seed: int = 1,
) -> tuple[ExpectedMerge, ...]:
    """When each pull request that is in a queue at the end of the history will merge, and its chance."""
    return tuple(
        replace(calibration.corrected(found), chance=_corrected(found, odds))
        for train in trains
        for found in _of_train(train, suspicions, seed)
    )


def _corrected(found: ExpectedMerge, odds: Odds) -> float:
    return odds.corrected(found.chance, has_failed=found.has_failed, has_returned=found.has_returned)


def trust_in_expected_merges(
    history: History, suspicions: Suspicions = unsuspecting, seed: int = 1
) -> BackTestFound:
    """How often past pull requests merged when they were expected to, and what corrects it."""
    return back_test(Happened(history, frozenset(history.queue_names), suspicions), seed)


def _of_train(train: TrainRules, suspicions: Sequence[Suspicion], seed: int) -> list[ExpectedMerge]:
    if all(stay.left is not None for stay in train.recorded.history.stays):
        return []
    fitted = estimate(train, EXPECTED_MERGE_REPLICATES, seed)
    oracles = [oracle_of(fitted, replicate) for replicate in range(EXPECTED_MERGE_REPLICATES)]
    return list(play_forward(train, Plan(train.policy, train.kind), oracles, fitted.overheads, suspicions))
