"""The fields of the requests for a forecast, a search or a capacity, and the schemas of the answers."""

from typing import Any

from msgspec import Struct

from mergecast.api.openapi.operation import (
    INTEGER,
    Content,
    components_of,
    json_body,
    list_of,
    object_of,
    schema_of,
)
from mergecast.forecasting.forecast.answer import (
    CapacityAnswer,
    CapacityOfSettings,
    Combination,
    Errors,
    Eta,
    ForecastAnswer,
    ForecastTrust,
    Head,
    NextTwoWeeks,
    Number,
    Ranged,
    RangedFigures,
    Reach,
    RecordedFigures,
    SearchAnswer,
    SearchTrust,
    TypicalErrors,
)
from mergecast.forecasting.forecast.requirements import OF_A_QUEUE, OF_KIND, RATIOS, SETTINGS, TIMEOUT
from mergecast.inputs.field import Field, Fields, InvalidValue, Schema, closed_schema, object_schema
from mergecast.inputs.kinds import instant, integer, text
from mergecast.judge.messages import PolicyGiven
from mergecast.queues.stats.kept_since import schema_with_kept_since

_LONGEST_NAME = 255
_LARGEST_SEED = 2**53
_MOST_VALUES = 100
_POLICIES = ({"config_yml"}, {"settings"}, {"queues"}, {"settings", "queues"})
_P95, _RUNS = _FIGURES = ("time_to_merge_p95", "ci_runs_per_merge")


def _branch(value: Any) -> str:
    if value is None:
        raise InvalidValue("is missing; name the branch whose queues to forecast")
    name: str = _NAME.read(value)
    return name


def _candidate(value: Any) -> PolicyGiven:
    if value is None:
        raise InvalidValue('is missing; give {"settings": {…}} or {"config_yml": …}')
    return _policy(value)


def _policy(value: Any) -> PolicyGiven:
    if not isinstance(value, dict) or set(value) not in _POLICIES:
        raise InvalidValue("must be an object with config_yml, or with settings, queues or both")
    document, settings, queues = (value.get(field) for field in ("config_yml", "settings", "queues"))
    if isinstance(document, str):
        return PolicyGiven(config_yml=document)
    if document is not None or not all(map(_is_object, (settings, queues))):
        raise InvalidValue(
            "must have config_yml, the text of a document, or settings and queues, which are objects"
        )
    if not all(isinstance(own, dict) for own in (queues or {}).values()):
        raise InvalidValue("must give each of queues an object of settings")
    return PolicyGiven(settings=settings or {}, queues=queues or {})


def _is_object(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _vary(value: Any) -> dict[str, list[Any]]:
    is_right = isinstance(value, dict) and all(
        isinstance(values, list) and 1 <= len(values) <= _MOST_VALUES for values in value.values()
    )
    if not is_right or not value:
        raise InvalidValue(f"must be an object that gives each setting a list of 1 to {_MOST_VALUES} values")
    return dict(value)


def _limit(value: Any) -> tuple[str, float]:
    if isinstance(value, dict) and len(value) == 1:
        ((figure, most),) = value.items()
        is_number = isinstance(most, int | float) and not isinstance(most, bool)
        if figure in _FIGURES and is_number and 0 < most < float("inf"):
            return figure, float(most)
    raise InvalidValue(f"must be an object with one positive number, for {_P95} in seconds or {_RUNS}")


_SETTINGS = {name: setting.schema for name, setting in SETTINGS.items()}
_VALUES = {
    name: {**list_of(setting), "minItems": 1, "maxItems": _MOST_VALUES} for name, setting in _SETTINGS.items()
}
_LIMITS = [
    closed_schema({figure: {"type": "number", "exclusiveMinimum": 0}}, (figure,)) for figure in _FIGURES
]
_POLICY: Schema = {
    "oneOf": [
        {
            **closed_schema(
                {
                    "settings": {"$ref": "#/components/schemas/ForecastSettings"},
                    "queues": {
                        "type": "object",
                        "additionalProperties": {"$ref": "#/components/schemas/ForecastQueueSettings"},
                        "description": "Settings of single queues by name; those in `settings` are for all",
                    },
                }
            ),
            "minProperties": 1,
        },
        closed_schema({"config_yml": {"type": "string"}}, ("config_yml",)),
    ]
}


def _p95_limit(value: Any) -> tuple[str, float]:
    if isinstance(value, dict) and set(value) == {_P95}:
        return _limit(value)
    raise InvalidValue('must be an object such as {"time_to_merge_p95": 7200}, in seconds')


_NAME = text(_LONGEST_NAME, otherwise=f"must be a string of 1 to {_LONGEST_NAME} characters, or null")
_INSTANT = instant("must be a date-time such as 2026-01-31T09:00:00Z, or null")
_COMMON: Fields = {
    "base_ref": Field(_branch, _NAME.schema).described("The branch whose queues to forecast"),
    "queue_name": _NAME.described("Only this queue").or_null(),
    "start_at": _INSTANT.described("60 days before `end_at` by default").or_null(),
    "end_at": _INSTANT.described("Now by default").or_null(),
    "seed": integer(0, _LARGEST_SEED, named="a whole number").or_null(),
}
_BASELINE = (
    Field(_policy, _POLICY)
    .or_null()
    .described("By default the current document, or the settings inferred from the history")
)
FORECAST_FIELDS: Fields = {**_COMMON, "candidate": Field(_candidate, _POLICY), "baseline": _BASELINE}
SEARCH_FIELDS: Fields = {
    **_COMMON,
    "vary": Field(_vary, {**closed_schema(_VALUES), "minProperties": 1}).described(
        "Every combination of these values is replayed"
    ),
    "limit": Field(_limit, {"oneOf": _LIMITS})
    .described("`best` is the combination with the lowest other figure within this limit")
    .or_null(),
    "baseline": _BASELINE,
}

CAPACITY_FIELDS: Fields = {
    **_COMMON,
    "vary": Field(_vary, {**closed_schema(_VALUES), "minProperties": 1})
    .described("The settings among which to find the best; sizes and slots around today's by default")
    .or_null(),
    "limit": Field(_p95_limit, _LIMITS[0])
    .described("What p95 may be, in seconds; twice the p95 of today's settings by default")
    .or_null(),
    "baseline": _BASELINE,
}

REQUEST_SCHEMAS: dict[str, Schema] = {
    "ForecastSettings": {
        **closed_schema(_SETTINGS),
        "description": "Settings that are not given stay as in the baseline",
    },
    "ForecastQueueSettings": closed_schema({name: _SETTINGS[name] for name in OF_A_QUEUE}),
    "ForecastRequest": object_schema(FORECAST_FIELDS),
    "SearchRequest": object_schema(SEARCH_FIELDS),
    "CapacityRequest": object_schema(CAPACITY_FIELDS),
}
FORECAST_CONTENT: Content = json_body(
    {"$ref": "#/components/schemas/ForecastRequest"},
    {"base_ref": "main", "candidate": {"settings": {"batch_size": 5}}},
)
SEARCH_CONTENT: Content = json_body(
    {"$ref": "#/components/schemas/SearchRequest"},
    {"base_ref": "main", "vary": {"batch_size": [1, 3, 5]}, "limit": {_RUNS: 1.2}},
)
CAPACITY_CONTENT: Content = json_body(
    {"$ref": "#/components/schemas/CapacityRequest"}, {"base_ref": "main", "limit": {_P95: 7200}}
)


_NAMES = {
    "Ranged": Ranged[Number],
    "RangedFigures": RangedFigures,
    "RecordedFigures": RecordedFigures,
    "ForecastErrors": Errors,
    "ComparedFigures": TypicalErrors,
    "Eta": Eta[Number],
    "NextTwoWeeks": NextTwoWeeks[Number],
    "Reach": Reach,
    "SearchTrust": SearchTrust,
    "ForecastTrust": ForecastTrust,
    "Forecast": ForecastAnswer,
    "Combination": Combination[Number],
    "ForecastSearch": SearchAnswer,
    "CapacityOfSettings": CapacityOfSettings[Number],
    "ForecastCapacity": CapacityAnswer,
}
_ABOUT_WINDOWS = ("Forecast", "ForecastSearch", "ForecastCapacity")
_BOUNDS = ("minimum", "maximum", "description", "additionalProperties")  # of requests alone


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def with_head(type: type[Struct], schema: Schema) -> Schema:
    """With what every answer about a window, or about two, begins with."""
    head = schema_of(type)
    fields = {name: head["properties"][name] for name in head["required"]}
    return schema_with_kept_since(object_of({**fields, **schema["properties"]}))


def _settings_of(kind: str) -> Schema:
    own = {name: _without_bounds(setting.schema) for name, setting in OF_KIND[kind].items()}
    return object_of(
        {
            "kind": {"const": kind},
            **own,
            "checks_timeout": _without_bounds(TIMEOUT.schema),
            "priority_rules": {"type": "object", "additionalProperties": INTEGER},
            "hours_closed_by_schedule": {"type": "number"},
            **{name: _without_bounds(ratio.schema) for name, ratio in RATIOS.items()},
        }
    )


def _without_bounds(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_bounds(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: _without_bounds(value) for name, value in schema.items() if name not in _BOUNDS}


_SCHEMAS = components_of(_NAMES)
FORECAST_SCHEMAS: dict[str, Schema] = {
    **_SCHEMAS,
    **{name: with_head(Head, _SCHEMAS[name]) for name in _ABOUT_WINDOWS},
    "QueueSettings": {"oneOf": [_settings_of(kind) for kind in OF_KIND]},
}
FORECAST = _reference("Forecast")
FORECAST_CAPACITY = _reference("ForecastCapacity")
FORECAST_SEARCH = _reference("ForecastSearch")
