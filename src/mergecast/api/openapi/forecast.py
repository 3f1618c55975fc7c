"""The schemas of the answers about forecasts, which follow from the types in `forecast.answer`."""

from typing import Any

from mergecast.api.openapi.operation import INTEGER, components_of, object_of, schema_of
from mergecast.forecasting.forecast.answer import (
    CapacityAnswer,
    CapacityOfSettings,
    Combination,
    Errors,
    Eta,
    ForecastAnswer,
    ForecastTrust,
    Head,
    Number,
    Ranged,
    RangedFigures,
    Reach,
    RecordedFigures,
    SearchAnswer,
    SearchTrust,
    TypicalErrors,
)
from mergecast.forecasting.forecast.requirements import OF_KIND, RATIOS, TIMEOUT
from mergecast.inputs.field import Schema
from mergecast.queues.stats.kept_since import schema_with_kept_since

_NAMES = {
    "Ranged": Ranged[Number],
    "RangedFigures": RangedFigures,
    "RecordedFigures": RecordedFigures,
    "ForecastErrors": Errors,
    "TypicalErrors": TypicalErrors,
    "Eta": Eta[Number],
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


def _of_window(schema: Schema) -> Schema:
    """With what every answer about a window begins with."""
    head = schema_of(Head)
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
    **{name: _of_window(_SCHEMAS[name]) for name in _ABOUT_WINDOWS},
    "QueueSettings": {"oneOf": [_settings_of(kind) for kind in OF_KIND]},
}
FORECAST = _reference("Forecast")
FORECAST_CAPACITY = _reference("ForecastCapacity")
FORECAST_SEARCH = _reference("ForecastSearch")
