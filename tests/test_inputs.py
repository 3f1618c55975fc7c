"""A declared field accepts what its schema accepts."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from api.wrong_values import WRONG_TEXTS, WRONG_VALUES
from mergecast.api.forecast_fields import FORECAST_FIELDS, REQUEST_SCHEMAS, SEARCH_FIELDS
from mergecast.api.parameters import PATH, QUERY
from mergecast.incoming.intake.event_rules import EVENT_FIELDS
from mergecast.inputs.field import Field, InvalidValue, object_schema, read_fields
from mergecast.inputs.kinds import BOOLEAN, instant, integer, matching, one_of, text

_SOME_RIGHT: tuple[Any, ...] = (
    "a",
    "main",
    5,
    0.5,
    [1],
    "SUCCESS",
    "queue_left",
    {"p95": 1},
    {"time_to_merge_p95": 1},
    {"settings": {}},
)
_COMPONENTS = {"components": {"schemas": REQUEST_SCHEMAS}}
# What messages say about texts that break rules which no schema expresses.
_BEYOND_SCHEMAS = ("NUL", "date-time", "date does not exist")
_NO_DATE_TIME = "this is not a date-time; write it like 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00"


def _refusal(field: Field, value: Any) -> str | None:
    try:
        field.read(value)
    except InvalidValue as refused:
        return str(refused)
    return None


def _declared() -> list[tuple[str, Field]]:
    bodies = {**EVENT_FIELDS, "forecast": FORECAST_FIELDS, "search": SEARCH_FIELDS}
    return [(f"{body} {name}", field) for body, fields in bodies.items() for name, field in fields.items()]


@pytest.mark.parametrize("field", [pytest.param(field, id=name) for name, field in _declared()])
def test_the_reader_and_the_schema_of_a_field_agree(field: Field) -> None:
    """Whatever one of them refuses, the other refuses too, except for rules that a schema cannot express."""
    validator = Draft202012Validator({**field.schema, **_COMPONENTS})
    for value in (*WRONG_VALUES, *_SOME_RIGHT):
        refusal = _refusal(field, value)
        if not isinstance(value, str) or not any(rule in (refusal or "") for rule in _BEYOND_SCHEMAS):
            assert validator.is_valid(value) == (refusal is None), value


@pytest.mark.parametrize("name", [name for name, parameter in QUERY.items() if "enum" in parameter.schema])
def test_the_choices_of_a_parameter(name: str) -> None:
    """A query accepts the listed choices and no others."""
    field = QUERY[name].field
    choices = field.schema["enum"]

    assert (
        choices
        == [text for text in (*choices, *WRONG_TEXTS) if _refusal(field, text) is None][: len(choices)]
    )


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (text(5), "", "must be a string of 1 to 5 characters"),
        (text(5), 7, "must be a string of 1 to 5 characters"),
        (text(5, is_nullable=True), "abcdef", "must be a string of 1 to 5 characters, or null"),
        (text(5, otherwise="must be short"), "abcdef", "must be short"),
        (text(5), "a\0", "must not contain the character NUL"),
        (text(5), "a\ud800", "must not contain half of a surrogate pair"),
        (matching(str.isdigit, 3, "^[0-9]+$", "must be digits"), 5, "must be digits"),
        (one_of("a", "b"), "c", "must be one of a, b"),
        (one_of("a", "b"), ["a"], "must be one of a, b"),
        (integer(1, 3), 4, "must be an integer from 1 to 3"),
        (integer(1, 3), True, "must be an integer from 1 to 3"),
        (integer(1, 3, named="a whole number"), 1.0, "must be a whole number from 1 to 3"),
        (BOOLEAN, 1, "must be true or false"),
        (instant(), 1, "must be a date-time with a UTC offset, such as 2026-01-31T09:00:00Z"),
        (instant(), "x", _NO_DATE_TIME),
        (instant().or_null(), "x", _NO_DATE_TIME),
    ],
)
def test_messages(field: Field, value: Any, message: str) -> None:
    """A message says what would be valid."""
    assert message == _refusal(field, value)


@pytest.mark.parametrize(
    ("written", "number"),
    [("0", 0), ("000", 0), ("007", 7), ("9" * 30, None), ("-1", None), ("\u0663", None)],
)
def test_numbers_in_a_path(written: str, number: int | None) -> None:
    """Only plain decimal digits are a number."""
    field = PATH["number"].field

    assert (number is None) == (_refusal(field, written) is not None)
    assert number is None or number == field.read(written)


def test_an_object() -> None:
    """All errors are reported with their places, and a field that is left out has its default."""
    fields = {"a": integer(1, 3), "b": text(5), "c": BOOLEAN.by_default(True), "d": text(5).or_null()}

    values, errors = read_fields(fields, {"a": 9, "d": None}, "/0")

    assert {"c": True, "d": None} == values
    assert [("/0/a", "must be an integer from 1 to 3"), ("/0/b", "is missing")] == [
        (error.name, error.message) for error in errors
    ]


def test_the_schema_of_an_object() -> None:
    """It lists required fields and defaults, and refuses unknown fields."""
    fields = {"a": integer(1, 3), "c": BOOLEAN.by_default(True).described("Whether"), "d": text(5).or_null()}

    assert object_schema(fields) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "minimum": 1, "maximum": 3},
            "c": {"type": "boolean", "default": True, "description": "Whether"},
            "d": {"oneOf": [{"type": "string", "minLength": 1, "maxLength": 5}, {"type": "null"}]},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
