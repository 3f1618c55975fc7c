"""The schemas of forecasts and searches: their requests, and the answers of `forecast.answer`."""

from collections.abc import Mapping

from mergecast.api.forecast_request import FIGURES, LARGEST_SEED, LONGEST_NAME, MOST_VALUES
from mergecast.api.openapi.operation import (
    DATE_TIME,
    INTEGER,
    STRING,
    Content,
    json_body,
    list_of,
    object_of,
    or_null,
)
from mergecast.forecasting.forecast.requirements import BATCH_SIZE, CHOICES, NUMBERS, TIMEOUT, Number
from mergecast.inputs.field import Schema

_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}  # null: it cannot be computed
_INTEGER_OR_NULL: Schema = {"type": ["integer", "null"]}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_BOUNDS = object_of({"min": INTEGER, "max": INTEGER})


def _closed(properties: dict[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    """An object without additional fields."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def _number(number: Number) -> Schema:
    type = ["integer", "null"] if number.is_nullable else "integer"
    return {"type": type, "minimum": number.lowest, "maximum": number.highest}


def _values(setting: Schema) -> Schema:
    return {**list_of(setting), "minItems": 1, "maxItems": MOST_VALUES}


_SIZE = _number(BATCH_SIZE)
_SETTINGS: dict[str, Schema] = {
    **{name: {"enum": list(choices)} for name, choices in CHOICES.items()},
    "batch_size": {"anyOf": [_SIZE, _closed({"min": _SIZE, "max": _SIZE}, ("min", "max"))]},
    "checks_timeout": _number(TIMEOUT),
    "skip_intermediate_results": {"type": "boolean"},
    **{name: _number(number) for name, number in NUMBERS.items()},
}
_NAME: Schema = {**STRING, "minLength": 1, "maxLength": LONGEST_NAME}
_POLICY: Schema = {
    "oneOf": [
        _closed({"settings": {"$ref": "#/components/schemas/ForecastSettings"}}, ("settings",)),
        _closed({"config_yml": STRING}, ("config_yml",)),
    ]
}
_POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0}
_COMMON: dict[str, Schema] = {
    "base_ref": {**_NAME, "description": "The branch whose queues to forecast"},
    "queue_name": or_null({**_NAME, "description": "Only this queue"}),
    "start_at": or_null({**DATE_TIME, "description": "60 days before `end_at` by default"}),
    "end_at": or_null({**DATE_TIME, "description": "Now by default"}),
    "seed": or_null({"type": "integer", "minimum": 0, "maximum": LARGEST_SEED}),
}
_BASELINE: Schema = {
    **or_null(_POLICY),
    "description": "By default the current document, or the settings inferred from the history",
}

REQUEST_SCHEMAS: dict[str, Schema] = {
    "ForecastSettings": {
        **_closed(_SETTINGS),
        "description": "Settings that are not given stay as in the baseline",
    },
    "ForecastRequest": _closed(
        {**_COMMON, "candidate": _POLICY, "baseline": _BASELINE}, ("base_ref", "candidate")
    ),
    "SearchRequest": _closed(
        {
            **_COMMON,
            "vary": {
                **_closed({name: _values(schema) for name, schema in _SETTINGS.items()}),
                "minProperties": 1,
                "description": "Every combination of these values is replayed",
            },
            "limit": or_null(
                {
                    "oneOf": [_closed({figure: _POSITIVE}, (figure,)) for figure in FIGURES],
                    "description": "`best` is the combination with the lowest other figure within this limit",
                }
            ),
            "baseline": _BASELINE,
        },
        ("base_ref", "vary"),
    ),
}
FORECAST_BODY: Content = json_body(
    {"$ref": "#/components/schemas/ForecastRequest"},
    {"base_ref": "main", "candidate": {"settings": {"batch_size": 5}}},
)
SEARCH_BODY: Content = json_body(
    {"$ref": "#/components/schemas/SearchRequest"},
    {"base_ref": "main", "vary": {"batch_size": [1, 3, 5]}, "limit": {"runs_per_merge": 1.2}},
)


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


def _settings_of(kind: str, own: Mapping[str, Schema]) -> Schema:
    return object_of(
        {
            "kind": {"const": kind},
            **own,
            "checks_timeout": _INTEGER_OR_NULL,
            "priority_rules": _by_name(INTEGER),
            "hours_closed_by_schedule": {"type": "number"},
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
_VARIED: Schema = {"anyOf": [{"type": ["integer", "string", "boolean", "null"]}, _BOUNDS]}

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
_SAMPLE = {"merged": INTEGER, "replicates": INTEGER}

FORECAST_SCHEMAS: dict[str, Schema] = {
    "Ranged": object_of(dict.fromkeys(("value", "low", "high"), _NUMBER_OR_NULL)),
    "RangedFigures": _figures(_reference("Ranged")),
    "RecordedFigures": _figures(_NUMBER_OR_NULL),
    "QueueSettings": {"oneOf": [_OF_MERGIFY, _OF_GITHUB, _OF_GITLAB]},
    "ForecastErrors": object_of(dict.fromkeys(("p50_error", "p95_error", "runs_error"), _NUMBER_OR_NULL)),
    "ForecastTrust": object_of(
        {
            **dict.fromkeys(("mechanics", "forecast", "naive"), _reference("ForecastErrors")),
            "eta": object_of({"p50": _NUMBER_OR_NULL, "p90": _NUMBER_OR_NULL, "cases": INTEGER}),
            "grade": _one_of("good", "fair", "poor"),
        }
    ),
    "Forecast": object_of(
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
            **_figures(_reference("Ranged"))["properties"],
            "innocent_removals": _NUMBER_OR_NULL,
        }
    ),
    "ForecastSearch": object_of(
        {
            **_ASKED,
            "settings": object_of({"baseline": _QUEUES, **_UNDERSTOOD}),
            **_SAMPLE,
            "trust": _reference("ForecastTrust"),
            "combinations": list_of(_reference("Combination")),
            "front": list_of(INTEGER),
            "best": _INTEGER_OR_NULL,
            "notes": list_of(STRING),
        }
    ),
}
FORECAST = _reference("Forecast")
FORECAST_SEARCH = _reference("ForecastSearch")
