"""What a tool is: its name, its words, what it takes and gives, and the function that answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from mergecast.inputs.field import Field, Fields, InvalidValue, Schema, object_schema, read_fields
from mergecast.inputs.kinds import integer, text
from mergecast.queues.model.instant import DAY, format_instant
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.repository import NAME_LENGTH, OWNER_LENGTH, Repository, platform_repository
from mergecast.queues.model.words import UNKNOWN_MERGE_WORDS
from mergecast.tools.asking import Asker, ToolError
from mergecast.tools.strangers import IS_DATA, cleaned, marked

MOST_LINES = 9  # and the sentence about data
MOST_CHARACTERS = 7000  # about 2,000 tokens, in the text and the structured content together
LEFT_OUT = "left_out"
_LONGEST_NAME = 255
_LARGEST_NUMBER = 2**53
_MOST_DAYS = 90
_KEPT = ("type", "description")

INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": ["number", "null"]}
STRING: Schema = {"type": "string"}
STRING_OR_NULL: Schema = {"type": ["string", "null"]}
BOOLEAN: Schema = {"type": "boolean"}


def object_of(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields}


def list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item}


class Result(NamedTuple):
    """An answer: lines for a model, and the same as data. Lists in it may be shortened, the longest first."""

    lines: list[str]
    content: dict[str, Any]

    def fitted(self) -> "Result":
        """The text with the sentence about data, and as much of the content as a model should read."""
        lines = [*_few(self.lines), IS_DATA]
        content, left_out = dict(self.content), 0
        room = MOST_CHARACTERS - sum(len(line) + 1 for line in lines)
        while _length(content) > room:
            name = max(content, key=lambda one: _length(content[one]) if _is_list(content[one]) else 0)
            if not _is_list(content[name]):
                break
            content[name] = content[name][:-1]
            left_out += 1
            content[LEFT_OUT] = self.content.get(LEFT_OUT, 0) + left_out
        return Result(lines, content)


def _few(lines: list[str]) -> list[str]:
    if len(lines) <= MOST_LINES:
        return lines
    kept = lines[: MOST_LINES - 1]
    return [*kept, f"{len(lines) - len(kept)} more lines are left out."]


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _length(value: Any) -> int:
    return len(msgspec.json.encode(value).decode())


Answer = Callable[[Asker, dict[str, Any]], Awaitable[Result]]


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    inputs: Fields
    output: Schema
    answer: Answer

    @cached_property
    def input_schema(self) -> Schema:
        return object_schema({name: _plain(field) for name, field in self.inputs.items()})

    def read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the arguments; the error names all that are wrong, and what would be right."""
        # Models send null for what they leave out.
        given = {name: value for name, value in arguments.items() if value is not None}
        values, errors = read_fields(self.inputs, given)
        wrong = [f"{error.name.removeprefix('/')} {error.message}" for error in errors]
        wrong += [_unknown(name, self.inputs) for name in given if name not in self.inputs]
        if wrong:
            raise ToolError(f"{'; '.join(wrong)}. Correct the arguments and call {self.name} again.")
        return values


def _unknown(name: str, known: Fields) -> str:
    near = nearest(name, known)
    return f"there is no argument {marked(name)}" + (f" (did you mean {near}?)" if near else "")


def _plain(field: Field) -> Field:
    """Without limits, which only cost tokens: a model that exceeds one reads which it is."""
    kept = {name: value for name, value in field.schema.items() if name in _KEPT}
    return Field(field.read, kept, field.is_required)


def _repository(value: Any) -> Repository:
    is_short = isinstance(value, str) and len(value) <= OWNER_LENGTH + 1 + NAME_LENGTH
    found = platform_repository(value) if is_short else None
    if found is None:
        raise InvalidValue("must be the name of a repository, OWNER/NAME")
    return found


def optional(field: Field) -> Field:
    return Field(field.read, field.schema, is_required=False)


REPOSITORY = Field(_repository, {"type": "string", "description": "OWNER/NAME"})
PULL_REQUEST = integer(0, _LARGEST_NUMBER)
DAYS = integer(1, _MOST_DAYS).by_default(7)
NAME = text(_LONGEST_NAME)


def days_ago(asker: Asker, days: int) -> str:
    return format_instant(asker.now() - days * DAY)


def at(instant: str) -> str:
    """2026-03-02T10:00:05.123456Z as people read it."""
    return f"{instant[:16].replace('T', ' ')} UTC"


def no_time(state: str | None) -> str:
    """Why it is not known when something merges."""
    if state == "pending":
        return "When it will merge is being computed: ask again after a minute, once."
    words = UNKNOWN_MERGE_WORDS.get(state or "", UNKNOWN_MERGE_WORDS["too_little_history"])
    return f"No expected time: {words}"


def is_named(name: str, wanted: str) -> bool:
    """Whether a name is the one that a model read in an answer, where it was cleaned and perhaps marked."""
    return cleaned(name) == cleaned(wanted.removeprefix("«").removesuffix("»"))
