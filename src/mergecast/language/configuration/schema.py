"""The JSON schema of the document for editors, generated from the models."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from mergecast.language.configuration.deprecations import DEPRECATIONS
from mergecast.language.configuration.models.condition_lists import CONDITIONS_FORMAT, MOST_CONDITIONS
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.validation import models_at

_REFERENCE = {"$ref": "#/$defs/Conditions"}
_WITHOUT_NOT = [{"$ref": f"#/$defs/{name}"} for name in ("OneCondition", "AllOf", "AnyOf")]
_GROUPS = {
    "Conditions": {
        "description": "Conditions that must all hold; `true` always holds.",
        "anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/Condition"}, "maxItems": MOST_CONDITIONS},
            {"const": True},
        ],
    },
    "Condition": {
        "anyOf": [
            *_WITHOUT_NOT,
            {
                "type": "object",
                "description": "Holds if the condition inside does not.",
                "properties": {"not": {"anyOf": _WITHOUT_NOT}},
                "required": ["not"],
                "additionalProperties": False,
            },
        ],
    },
    "OneCondition": {
        "type": "string",
        "description": "A condition such as `base = main` or `#approved-reviews-by >= 2`.",
    },
    "AllOf": {
        "type": "object",
        "description": "Holds if all conditions hold.",
        "properties": {"and": _REFERENCE},
        "required": ["and"],
        "additionalProperties": False,
    },
    "AnyOf": {
        "type": "object",
        "description": "Holds if any condition holds.",
        "properties": {"or": _REFERENCE},
        "required": ["or"],
        "additionalProperties": False,
    },
}


class _Generator(GenerateJsonSchema):
    # Some defaults, such as parsed conditions, are not JSON; the fields state them another way.
    ignored_warning_kinds = {"non-serializable-default"}  # noqa: RUF012

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Titles generated from the names of fields add nothing."""
        return False


def configuration_schema() -> dict[str, Any]:
    """The schema in draft 2020-12; deprecated options are marked, so that editors strike them through."""
    schema = Configuration.model_json_schema(by_alias=True, schema_generator=_Generator)
    _mark_deprecated(schema["$defs"])
    schema = _with_references(schema)
    schema["$defs"].update(_GROUPS)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of a merge queue",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def _with_references(value: Any) -> Any:
    """Make each condition list refer to the shared definition."""
    if isinstance(value, list):
        return [_with_references(item) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {key: _with_references(item) for key, item in value.items()}
    if inner.get("format") != CONDITIONS_FORMAT:
        return inner
    del inner["format"]
    return inner | _REFERENCE


def _mark_deprecated(definitions: dict[str, Any]) -> None:
    for option in DEPRECATIONS:
        for parent in option.parents if option.is_marked_in_schema else ():
            for model in models_at(parent.split(".")):
                field = definitions[model.__name__]["properties"].get(option.name)
                if field is not None:
                    field["deprecated"] = True
