"""The schemas of the request bodies of forecasts and searches."""

from mergecast.api.forecast_request import FIGURES, LARGEST_SEED, LONGEST_NAME, MOST_VALUES
from mergecast.api.openapi.operation import Content, json_body, or_null
from mergecast.api.openapi.schemas import DATE_TIME, STRING, Schema, list_of
from mergecast.forecast.requirements import BATCH_SIZE, CHOICES, NUMBERS, TIMEOUT, Number


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
