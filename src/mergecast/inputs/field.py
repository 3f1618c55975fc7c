"""A field declares how a value is read, what it is by default, and how OpenAPI describes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mergecast.errors import FieldError, InvalidInput

Schema = dict[str, Any]


class InvalidValue(ValueError):
    """A value is invalid; the message says what would be valid, and the hint what was probably meant."""

    def __init__(self, message: str, hint: Callable[[], str] = str) -> None:
        super().__init__(message)
        self.hint = hint

    def at(self, place: str, name: str) -> FieldError:
        return FieldError(place, name, str(self), self.hint)


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a body or a query."""

    read: Callable[[Any], Any]  # raises InvalidValue
    schema: Schema
    is_required: bool = True
    default: Any = None

    def by_default(self, value: Any, *, shown: object = None) -> "Field":
        """The same field, with a value for when it is left out; `shown` is how OpenAPI writes that value."""
        schema = {**self.schema, "default": value if shown is None else shown}
        return Field(self.read, schema, is_required=False, default=value)

    def or_null(self) -> "Field":
        """The same field, where null means the same as leaving it out."""

        def read(value: Any) -> Any:
            return None if value is None else self.read(value)

        return Field(read, {"oneOf": [self.schema, {"type": "null"}]}, is_required=False)

    def required_or_null(self) -> "Field":
        """The same field, which must be given but may be null."""
        return replace(self.or_null(), is_required=True)

    def described(self, description: str) -> "Field":
        return replace(self, schema={**self.schema, "description": description})


Fields = Mapping[str, Field]


def object_schema(fields: Fields) -> Schema:
    """An object with these fields and no others."""
    required = [name for name, field in fields.items() if field.is_required]
    return closed_schema({name: field.schema for name, field in fields.items()}, required)


def closed_schema(properties: Mapping[str, Schema], required: Sequence[str] = ()) -> Schema:
    """An object with these properties and no others."""
    schema: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def read_field(fields: Fields, name: str, value: Any) -> Any:
    """The value of one field of a body; raises InvalidInput."""
    try:
        return fields[name].read(value)
    except InvalidValue as refused:
        raise InvalidInput([refused.at("body", f"/{name}")]) from None


def read_fields(
    fields: Fields, content: Mapping[str, Any], above: str = ""
) -> tuple[dict[str, Any], list[FieldError]]:
    """The values of all fields of an object, and every error in them; `above` points to the object.

    Fields that do not exist are ignored here.
    """
    values: dict[str, Any] = {}
    errors: list[FieldError] = []
    for name, field in fields.items():
        if name in content:
            try:
                values[name] = field.read(content[name])
            except InvalidValue as refused:
                errors.append(refused.at("body", f"{above}/{name}"))
        elif field.is_required:
            errors.append(FieldError("body", f"{above}/{name}", "is missing"))
        else:
            values[name] = field.default
    return values, errors
