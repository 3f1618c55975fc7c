"""Forecasts and searches as plain data for the API."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from mergecast.forecasting.forecast.backtest import Errors, Eta, Trust
from mergecast.forecasting.forecast.figures import Figures, Ranged
from mergecast.forecasting.forecast.forecast import Forecast
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.search import Combination, Search
from mergecast.forecasting.forecast.settings import described
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import HOUR, in_seconds

Plain = dict[str, Any]

_TIMES = ("p50", "p90", "p95")


def forecast_answer(found: Forecast) -> Plain:
    baseline, candidate = found.innocent_removals
    return {
        "merged": found.merged,
        "replicates": found.replicates,
        "recorded": _figures({name: _number(value) for name, value in found.recorded._asdict().items()}),
        "baseline": _ranges(found.baseline),
        "candidate": _ranges(found.candidate),
        "difference": _ranges(found.difference),
        "innocent_removals": {"baseline": _number(baseline), "candidate": _number(candidate)},
        "trust": _trust(found.trust),
        "notes": list(found.notes),
    }


def search_answer(found: Search) -> Plain:
    return {
        "merged": found.merged,
        "replicates": found.replicates,
        "trust": _trust(found.trust),
        "combinations": [combination_answer(combination) for combination in found.combinations],
        "front": list(found.front),
        "best": found.best,
    }


def combination_answer(combination: Combination) -> Plain:
    return {
        "settings": dict(combination.settings),
        **_ranges(combination.figures),
        "innocent_removals": _number(combination.innocent_removals),
    }


def settings_answer(trains: Sequence[TrainRules], plans: Sequence[Plan]) -> dict[str, Plain]:
    """The settings of each queue, as understood, by its name."""
    return {
        name: {
            **described(plan.kind, plan.policy, queue),
            "priority_rules": _priority_rules(train, plan),
            "hours_closed_by_schedule": round(_closed_seconds(train, plan, queue) / HOUR, 1),
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
    return _figures(
        {
            name: {bound: _number(value) for bound, value in found._asdict().items()}
            for name, found in figures.items()
        }
    )


def _figures(by_name: Mapping[str, Any]) -> Plain:
    others = {name: by_name[name] for name in Figures._fields if name not in _TIMES}
    return {"time_in_queue": {name: by_name[name] for name in _TIMES}, **others}


def _trust(trust: Trust) -> Plain:
    return {
        "mechanics": _errors(trust.mechanics),
        "forecast": _errors(trust.forecast),
        "naive": _errors(trust.naive),
        "eta": eta_answer(trust.eta),
        "grade": trust.grade,
    }


def _errors(errors: Errors) -> Plain:
    return {
        "p50_error": _number(errors.p50),
        "p95_error": _number(errors.p95),
        "runs_error": _number(errors.runs_per_merge),
    }


def eta_answer(eta: Eta) -> Plain:
    return {"p50": _number(eta.p50), "p90": _number(eta.p90), "cases": eta.cases}


def _number(value: float) -> float | None:
    """Null for what cannot be computed."""
    return round(value, 6) if isfinite(value) else None
