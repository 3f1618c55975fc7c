"""The schemas of the answers of `forecast.answer`: forecasts and searches."""

from collections.abc import Mapping

from mergecast.api.openapi.operation import (
    DATE_TIME,
    INTEGER,
    STRING,
    list_of,
    object_of,
)
from mergecast.forecasting.forecast.requirements import RATIOS
from mergecast.inputs.field import Schema
from mergecast.queues.stats.kept_since import schema_with_kept_since

_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}  # null: it cannot be computed
_NUMBER: Schema = {"type": "number"}
_INTEGER_OR_NULL: Schema = {"type": ["integer", "null"]}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_BOUNDS = object_of({"min": INTEGER, "max": INTEGER})


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _by_name(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _one_of(*values: str) -> Schema:
    return {"enum": list(values)}


def _figures(figure: Schema) -> Schema:
    return object_of(
        {
            "time_in_queue": object_of(dict.fromkeys(("p50", "p90", "p95"), figure)),
            "runs_per_merge": figure,
            "ci_seconds_per_merge": figure,
            "merged_per_day": figure,
            "removed_by_checks": figure,
        }
    )


def _of_window(properties: Mapping[str, Schema]) -> Schema:
    return schema_with_kept_since(object_of(properties))


def _settings_of(kind: str, own: Mapping[str, Schema]) -> Schema:
    return object_of(
        {
            "kind": {"const": kind},
            **own,
            "checks_timeout": _INTEGER_OR_NULL,
            "priority_rules": _by_name(INTEGER),
            "hours_closed_by_schedule": {"type": "number"},
            **dict.fromkeys(RATIOS, _NUMBER),
        }
    )


_OF_MERGIFY: Schema = _settings_of(
    "mergify",
    {
        "mode": _one_of("serial", "parallel", "isolated"),
        "batch_size": {"anyOf": [INTEGER, _BOUNDS]},
        "batch_max_wait_time": INTEGER,
        "max_parallel_checks": INTEGER,
        "max_checks_retries": INTEGER,
        "batch_max_failure_resolution_attempts": _INTEGER_OR_NULL,
        "skip_intermediate_results": {"type": "boolean"},
    },
)
_OF_GITHUB: Schema = _settings_of(
    "github",
    {
        "max_entries_to_build": INTEGER,
        "min_entries_to_merge": INTEGER,
        "max_entries_to_merge": INTEGER,
        "wait_minutes": INTEGER,
        "grouping_strategy": _one_of("ALLGREEN", "HEADGREEN"),
    },
)
_OF_GITLAB: Schema = _settings_of("gitlab", {"parallel_pipelines": INTEGER})
_VARIED: Schema = {"anyOf": [{"type": ["number", "string", "boolean", "null"]}, _BOUNDS]}

_QUEUES = _by_name(_reference("QueueSettings"))
_RANGED_FIGURES = _reference("RangedFigures")
_ASKED = {
    "base_ref": STRING,
    "queue_name": _TEXT_OR_NULL,
    "window": object_of({"start_at": DATE_TIME, "end_at": DATE_TIME}),
}
_UNDERSTOOD = {
    "source_of_baseline": _one_of("request", "history", "document in force"),
    "detected": list_of(
        object_of({"queues": list_of(STRING), "rule": STRING, "value": STRING, "cases": INTEGER})
    ),
}
_ADVICE = object_of(
    {
        "combination": {
            **_INTEGER_OR_NULL,
            "description": "Its place among the combinations; null if none qualifies",
        },
        "sentence": STRING,
    }
)
_SAMPLE = {"merged": INTEGER, "replicates": INTEGER}

_ETA = {"p50": _NUMBER_OR_NULL, "p90": _NUMBER_OR_NULL, "cases": INTEGER}
_TYPICAL = dict.fromkeys(("p50_error", "p95_error", "runs_error"), _reference("Ranged"))
_ERRORS = _reference("ForecastErrors")
_SURENESS = object_of(
    {
        "verdict": _one_of("lower", "higher", "probably lower", "probably higher", "unclear", "none"),
        "lower": {"type": "number", "description": "The share of the replays in which it is lower"},
    }
)
_BACK_TEST = object_of(
    {
        **dict.fromkeys(("forecast", "naive"), _reference("TypicalErrors")),
        "parts": list_of(
            object_of(
                {
                    **dict.fromkeys(("fitted_days", "tested_days", "days_before_end"), _NUMBER),
                    **dict.fromkeys(("forecast", "naive"), _ERRORS),
                }
            )
        ),
    }
)


def _trust(*sentences: str, **more: Schema) -> Schema:
    return object_of(
        {
            **dict.fromkeys(("mechanics", "forecast", "naive"), _ERRORS),
            "eta": object_of({**_ETA, "windows": list_of(_reference("Eta"))}),
            "grade": _one_of("good", "fair", "poor"),
            "drift": object_of({**_TYPICAL, "weeks": INTEGER}),
            "back_test": _BACK_TEST,
            **more,
            "sentences": object_of(dict.fromkeys(sentences, STRING)),
        }
    )


FORECAST_SCHEMAS: dict[str, Schema] = {
    "Ranged": object_of(dict.fromkeys(("value", "low", "high"), _NUMBER_OR_NULL)),
    "RangedFigures": _figures(_reference("Ranged")),
    "RecordedFigures": _figures(_NUMBER_OR_NULL),
    "QueueSettings": {"oneOf": [_OF_MERGIFY, _OF_GITHUB, _OF_GITLAB]},
    "ForecastErrors": object_of(dict.fromkeys(("p50_error", "p95_error", "runs_error"), _NUMBER_OR_NULL)),
    "TypicalErrors": object_of(_TYPICAL),
    "Eta": object_of(_ETA),
    "Reach": object_of({"level": _one_of("inside", "beyond"), "beyond": list_of(STRING)}),
    "SearchTrust": _trust("mechanics", "drift", "back_test"),
    "ForecastTrust": _trust(
        *("mechanics", "drift", "back_test", "reach", "difference"),
        reach=_reference("Reach"),
        difference=object_of(dict.fromkeys(("p50", "p95", "runs_per_merge"), _SURENESS)),
    ),
    "Forecast": _of_window(
        {
            **_ASKED,
            "settings": object_of({"baseline": _QUEUES, "candidate": _QUEUES, **_UNDERSTOOD}),
            **_SAMPLE,
            "recorded": _reference("RecordedFigures"),
            **dict.fromkeys(("baseline", "candidate", "difference"), _RANGED_FIGURES),
            "innocent_removals": object_of({"baseline": _NUMBER_OR_NULL, "candidate": _NUMBER_OR_NULL}),
            "trust": _reference("ForecastTrust"),
            "notes": list_of(STRING),
        }
    ),
    "Combination": object_of(
        {
            "settings": _by_name(_VARIED),
            "state": {
                **_one_of("computed", "not computed", "does not keep up"),
                "description": "`not computed`: it takes too long. Figures are null if they are not known",
            },
            **_figures(_reference("Ranged"))["properties"],
            "difference": _RANGED_FIGURES,
            "innocent_removals": _NUMBER_OR_NULL,
            "reach": _reference("Reach"),
        }
    ),
    "ForecastSearch": _of_window(
        {
            **_ASKED,
            "settings": object_of({"baseline": _QUEUES, **_UNDERSTOOD}),
            "vary": _by_name(list_of(_VARIED)),
            **_SAMPLE,
            "trust": _reference("SearchTrust"),
            "recorded": _reference("RecordedFigures"),
            "baseline": _RANGED_FIGURES,
            "combinations": list_of(_reference("Combination")),
            "front": list_of(INTEGER),
            "best": _INTEGER_OR_NULL,
            "recommended": object_of(dict.fromkeys(("no_more_ci", "half_p95"), _ADVICE)),
            "notes": list_of(STRING),
        }
    ),
    "CapacityOfSettings": object_of(
        {
            "settings": _by_name(_VARIED),
            **dict.fromkeys(("arrivals_per_day", "factor", "p95_now"), _reference("Ranged")),
            "exceeds_what_was_tried": {"type": "boolean"},
            "reach": _reference("Reach"),
        }
    ),
    "ForecastCapacity": _of_window(
        {
            **_ASKED,
            "settings": object_of({"baseline": _QUEUES, **_UNDERSTOOD}),
            "replicates": INTEGER,
            "recorded_arrivals_per_day": _NUMBER,
            "limit": object_of({"p95": _NUMBER}),
            "today": _reference("CapacityOfSettings"),
            "best": {"anyOf": [_reference("CapacityOfSettings"), {"type": "null"}]},
            "notes": list_of(STRING),
        }
    ),
}
FORECAST = _reference("Forecast")
FORECAST_CAPACITY = _reference("ForecastCapacity")
FORECAST_SEARCH = _reference("ForecastSearch")
