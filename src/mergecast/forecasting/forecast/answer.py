"""Forecasts and searches as plain data for the API."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from mergecast.forecasting.forecast.backtest import BackTest
from mergecast.forecasting.forecast.capacity import Capacity, Found
from mergecast.forecasting.forecast.errors import Errors, TypicalErrors
from mergecast.forecasting.forecast.eta import Eta
from mergecast.forecasting.forecast.figures import Figures, Ranged
from mergecast.forecasting.forecast.forecast import Forecast
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.reach import Reach
from mergecast.forecasting.forecast.recommendation import recommended
from mergecast.forecasting.forecast.search import Combination, Search
from mergecast.forecasting.forecast.settings import described, described_what_if
from mergecast.forecasting.forecast.trust import CandidateTrust, Trust
from mergecast.forecasting.forecast.trust_sentences import candidate_sentences, sentences
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY, HOUR, in_seconds

Plain = dict[str, Any]

_NOTHING = Errors(float("nan"), float("nan"), float("nan"))
_TIMES = ("p50", "p90", "p95")


def forecast_answer(found: Forecast) -> Plain:
    baseline, candidate = found.innocent_removals
    return {
        "merged": found.merged,
        "replicates": found.replicates,
        "recorded": _recorded(found.recorded),
        "baseline": _ranges(found.baseline),
        "candidate": _ranges(found.candidate),
        "difference": _ranges(found.difference),
        "innocent_removals": {"baseline": _number(baseline), "candidate": _number(candidate)},
        "trust": _candidate_trust(found.trust, found.replicates),
        "notes": list(found.notes),
    }


def search_answer(found: Search) -> Plain:
    return {
        "merged": found.merged,
        "replicates": found.replicates,
        "trust": {**_trust(found.trust), "sentences": sentences(found.trust)},
        "recorded": _recorded(found.recorded),
        "baseline": _ranges(found.baseline),
        "combinations": [combination_answer(combination) for combination in found.combinations],
        "front": list(found.front),
        "best": found.best,
        "recommended": {
            name: advice._asdict()
            for name, advice in recommended(found.combinations, found.baseline["p95"])._asdict().items()
        },
    }


def _recorded(found: Figures) -> Plain:
    return _figures({name: _number(value) for name, value in found._asdict().items()})


def combination_answer(combination: Combination) -> Plain:
    return {
        "settings": dict(combination.settings),
        "state": combination.state,
        **_ranges(combination.figures),
        "difference": _ranges(combination.difference),
        "innocent_removals": _number(combination.innocent_removals),
        "reach": _reach(combination.reach),
    }


def capacity_answer(found: Capacity) -> Plain:
    return {
        "replicates": found.replicates,
        "recorded_arrivals_per_day": _number(found.arrivals_per_day),
        "limit": {"p95": _number(found.limit)},
        "today": _capacity_of(found.today, found.arrivals_per_day),
        "best": None if found.best is None else _capacity_of(found.best, found.arrivals_per_day),
    }


def _capacity_of(found: Found, recorded: float) -> Plain:
    return {
        "settings": dict(found.settings),
        "arrivals_per_day": _range(Ranged(*(bound * recorded for bound in found.factor))),
        "factor": _range(found.factor),
        "exceeds_what_was_tried": found.is_most,
        "p95_now": _range(found.p95),
        "reach": _reach(found.reach),
    }


def settings_answer(trains: Sequence[TrainRules], plans: Sequence[Plan]) -> dict[str, Plain]:
    """The settings of each queue, as understood, by its name."""
    return {
        name: {
            **described(plan.kind, plan.policy, queue),
            "priority_rules": _priority_rules(train, plan),
            "hours_closed_by_schedule": round(_closed_seconds(train, plan, queue) / HOUR, 1),
            **described_what_if(plan.what_if),
        }
        for train, plan in zip(trains, plans, strict=True)
        for queue, name in enumerate(train.queue_names)
    }


def _priority_rules(train: TrainRules, plan: Plan) -> Plain:
    """The priority of each rule that was recorded or that the plan has."""
    if plan.priority_rules is not None:
        return {name: rule.priority for name, rule in sorted(plan.priority_rules.items())}
    return {name: number for name, number in sorted(train.priorities.items(), key=str) if name is not None}


def _closed_seconds(train: TrainRules, plan: Plan, queue: int) -> float:
    """How much of the window a schedule closes."""
    length = train.recorded.history.length
    spans: Iterable[tuple[float, float]] = train.closed.schedules
    if plan.schedules is not None:
        own = [span for span in plan.schedules if span.rule == queue]
        spans = [(in_seconds(span.start), in_seconds(span.end)) for span in own]
    return sum(max(0.0, min(end, length) - max(start, 0.0)) for start, end in spans)


def detected_answer(trains: Sequence[TrainRules]) -> list[Plain]:
    """The rules found in the history of each train."""
    return [
        {"queues": list(train.queue_names), **detection._asdict()}
        for train in trains
        for detection in train.detected
    ]


def _ranges(figures: Mapping[str, Ranged]) -> Plain:
    return _figures({name: _range(found) for name, found in figures.items()})


def _range(found: Ranged) -> Plain:
    return {bound: _number(value) for bound, value in found._asdict().items()}


def _figures(by_name: Mapping[str, Any]) -> Plain:
    others = {name: by_name[name] for name in Figures._fields if name not in _TIMES}
    return {"time_in_queue": {name: by_name[name] for name in _TIMES}, **others}


def _candidate_trust(trust: CandidateTrust, replicates: int) -> Plain:
    return {
        **_trust(trust.common),
        "grade": trust.grade,
        "reach": _reach(trust.reach),
        "difference": {
            name: {"verdict": one.verdict, "lower": _number(one.lower)}
            for name, one in trust.difference.items()
        },
        "sentences": candidate_sentences(trust, replicates),
    }


def _trust(trust: Trust) -> Plain:
    """`forecast` and `naive` are the errors at the last cut point; `back_test` has all of them."""
    test = trust.back_test
    last = test.parts[-1:]
    return {
        "mechanics": _errors(trust.mechanics),
        "forecast": _errors(last[0].errors if last else _NOTHING),
        "naive": _errors(last[0].naive_errors if last else _NOTHING),
        "eta": eta_answer(test),
        "grade": trust.grade,
        "drift": {**_typical(trust.drift.change), "weeks": trust.drift.weeks},
        "back_test": _back_test(test),
    }


def _back_test(test: BackTest) -> Plain:
    return {
        "forecast": _typical(test.forecast),
        "naive": _typical(test.naive),
        "parts": [
            {
                "fitted_days": _number((part.cut - part.start) / DAY),
                "tested_days": _number((part.end - part.cut) / DAY),
                "days_before_end": _number((test.parts[-1].part.end - part.cut) / DAY),
                "forecast": _errors(tested.errors),
                "naive": _errors(tested.naive_errors),
            }
            for tested in test.parts
            for part in [tested.part]
        ],
    }


def _reach(reach: Reach) -> Plain:
    return {"level": reach.level, "beyond": list(reach.beyond)}


def _typical(errors: TypicalErrors) -> Plain:
    return {
        name: _range(found)
        for name, found in zip(("p50_error", "p95_error", "runs_error"), errors, strict=True)
    }


def _errors(errors: Errors) -> Plain:
    return {
        "p50_error": _number(errors.p50),
        "p95_error": _number(errors.p95),
        "runs_error": _number(errors.runs_per_merge),
    }


def eta_answer(test: BackTest) -> Plain:
    """All cases, and those of each part of the back-test."""
    return {**_eta(test.eta), "windows": [_eta(eta) for eta in test.etas]}


def _eta(eta: Eta) -> Plain:
    return {"p50": _number(eta.p50), "p90": _number(eta.p90), "cases": eta.cases}


def _number(value: float) -> float | None:
    """Null for what cannot be computed."""
    return round(value, 6) if isfinite(value) else None
