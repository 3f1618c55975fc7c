"""What a published statistic is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from mergecast.stats.answer import Entry
from mergecast.stats.question import Question
from mergecast.store.readers import Reader

WINDOW = ("start_at", "end_at")
GROUPS = ("base_ref", "queue_name", "priority_rule_name")

Schema = dict[str, Any]

INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
STRING: Schema = {"type": "string"}
DATE_TIME: Schema = {"type": "string", "format": "date-time"}
_SCHEMAS = {int: INTEGER, float: NUMBER, str: STRING}


@dataclass(frozen=True, slots=True)
class Statistic:
    """A question with a name: which parameters it takes, how it is answered, what the answer looks like."""

    name: str
    summary: str
    parameters: tuple[str, ...]
    answer: Callable[[Reader, Question], object]
    schema: Schema


def record(fields: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(fields), "required": list(fields)}


def list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def record_of(struct: type[Struct]) -> Schema:
    """The schema of a Struct with plain fields."""
    fields = {field.name: _SCHEMAS[field.type] for field in msgspec.structs.fields(struct)}
    return record(fields)


def entries(entry: type[Entry]) -> Schema:
    """The schema of a list with one or more entries per interval."""
    schema = record_of(entry)
    return list_of({**schema, "properties": {**schema["properties"], "start": DATE_TIME, "end": DATE_TIME}})


def groups(stats: Schema, *, names: tuple[str, ...] = GROUPS, **more: Schema) -> Schema:
    """The schema of a list of groups with these `stats`."""
    nullable: Schema = {"type": ["string", "null"]}
    fields = {name: nullable if name == "priority_rule_name" else STRING for name in names}
    return list_of(record({**fields, "stats": stats, **more}))


def grouped(stats: Schema, *, names: tuple[str, ...] = GROUPS, **more: Schema) -> Schema:
    """The schema of an answer that is one list of groups."""
    return record({"groups": groups(stats, names=names, **more)})
