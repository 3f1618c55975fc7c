"""The base of all models, and the types of values that options have."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from mergecast.language.conditions.errors import InvalidDuration, InvalidGlob
from mergecast.language.conditions.globs import Glob, compile_glob
from mergecast.language.conditions.times.timestamps import parse_duration
from mergecast.language.conditions.tree import All
from mergecast.language.configuration.problems import InvalidField, Problem, invalid
from mergecast.language.configuration.templates.legacy import Legacy
from mergecast.language.configuration.templates.placeholders import Placeholders
from mergecast.language.configuration.wording import found

NOTHING: Mapping[str, Any] = MappingProxyType({})
# Prefix of the tags of alternatives: pydantic puts tags into error paths, and `validation` removes them.
TAG = "\0"
SHORTEST_CHECKS_TIMEOUT = timedelta(seconds=60)
_MESSAGE_VARIABLES = (
    "author",
    "number",
    "title",
    "body",
    "base",
    "head",
    "labels",
    "assignees",
    "approvers",
    "queue_dequeue_reason",
)
_TITLE_VARIABLES = ("title", "number", "destination_branch", "base", "author")

Message = Annotated[str, Placeholders(_MESSAGE_VARIABLES)]
Title = Annotated[str, Placeholders(_TITLE_VARIABLES)]
Body = Annotated[str, Placeholders((*_TITLE_VARIABLES, "body", "cherry_pick_error", "cherry_picked_commits"))]
UserTemplate = Annotated[str, Placeholders(("author",))]
BotAccount = Annotated[str, Placeholders(("author",))] | None
LegacyTemplate = Annotated[str, Legacy()]


class Options(BaseModel):
    """A mapping with known keys only, without type coercion, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True)

    def written(self) -> dict[str, Any]:
        """The options that the document sets, sorted by their names in documents."""
        fields = type(self).model_fields
        found = {fields[name].alias or name: getattr(self, name) for name in self.model_fields_set}
        return dict(sorted(found.items()))


def at_most(items: int | None = None, *, at_least: int | None = None) -> Any:
    """Bounds on the length of a list, which becomes a tuple."""
    return Field(strict=False, max_length=items, min_length=at_least)


def option(text: str, default: Any = ..., **rules: Any) -> Any:
    """A field with its one-sentence description."""
    if not isinstance(default, BaseModel | All | MappingProxyType):
        return Field(default, description=text, **rules)
    # These are immutable, so the copy that pydantic makes of a plain default is not needed.
    if default in (All(()), NOTHING):
        empty: Any = [] if isinstance(default, All) else {}
        rules["json_schema_extra"] = {"default": empty, **rules.get("json_schema_extra", {})}
    return Field(default_factory=lambda: default, description=text, **rules)


def whole_float_to_int(value: Any) -> Any:
    """Accept `5.0` as the integer 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE_FLOAT_TO_INT = BeforeValidator(whole_float_to_int)


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """Marks a mapping with free keys, which becomes immutable."""

    most: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        key, value = get_args(source)
        mapping = core_schema.dict_schema(
            handler.generate_schema(key), handler.generate_schema(value), max_length=self.most
        )
        return core_schema.no_info_after_validator_function(MappingProxyType, mapping)


@dataclass(frozen=True, slots=True)
class ParsedText:
    """Marks a text that is parsed, such as a duration; the field keeps the parsed value."""

    read: Callable[[str], Any]
    format: str
    example: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string", "format": self.format}

    def _read(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise invalid(f"Input should be a valid string such as `{self.example}`, {found(value)}")
        return self.read(value)


def _duration(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except InvalidDuration as error:
        raise invalid(error.reason) from None


def _checks_timeout(text: str) -> timedelta | str:
    if text == "auto":
        return text
    try:
        duration = parse_duration(text)
    except InvalidDuration as error:
        raise invalid(f"{error.reason}; `auto` and null are allowed too") from None
    if duration < SHORTEST_CHECKS_TIMEOUT:
        raise invalid(f"Interval must be at least 60 seconds, {found(text)}")
    return duration


def _glob(text: str) -> Glob:
    try:
        return compile_glob(text)
    except InvalidGlob as error:
        raise invalid(error.reason) from None


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise invalid(f"Invalid regular expression: {error}") from None


Duration = Annotated[timedelta, ParsedText(_duration, "duration", "30 s")]
ChecksTimeout = Annotated[timedelta | str, ParsedText(_checks_timeout, "duration", "2 h")]
GlobPattern = Annotated[Glob, ParsedText(_glob, "glob", "src/**")]
RegularExpression = Annotated[re.Pattern[str], ParsedText(_pattern, "regex", "^release/")]

_LOGIN = re.compile(r"[A-Za-z0-9_\[\]-]+")
_TEAM = re.compile(r"@?[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)?")


def login(text: str) -> str:
    return _named(
        "login", _LOGIN, "letters, digits, `-` and `_`, such as `octocat` or `dependabot[bot]`", text
    )


def team(text: str) -> str:
    return _named("team", _TEAM, "a slug such as `reviewers` or `@organization/reviewers`", text)


def login_or_team(text: str) -> str:
    return team(text) if text.startswith("@") else login(text)


def _named(what: str, pattern: re.Pattern[str], allowed: str, text: str) -> str:
    if not text:
        raise invalid(f"GitHub {what} cannot be an empty string")
    if not pattern.fullmatch(text):
        raise invalid(f"GitHub {what} contains invalid characters: a {what} is {allowed}, {found(text)}")
    return text


def weighted(value: Any, name: Callable[[str], str], most: int, heaviest: int) -> tuple[tuple[str, int], ...]:
    """Read a list of names, or a mapping from names to weights; a name in a list has weight 1."""
    if isinstance(value, list):
        if len(value) > most:
            raise invalid(f"List should have at most {most} items, found {len(value)}")
        entries = [(index, item, 1) for index, item in enumerate(value)]
    elif isinstance(value, dict):
        entries = [(key, key, whole_float_to_int(weight)) for key, weight in value.items()]
    else:
        hint = f"; write `[{value[:60]}]`" if isinstance(value, str) else ""
        message = "Input should be a valid list of names, or a mapping from names to weights"
        raise invalid(f"{message}, {found(value)}{hint}")
    if problems := _wrong_entries(entries, name, heaviest):
        raise InvalidField(*problems)
    return tuple((item, weight) for _, item, weight in entries)


def _wrong_entries(entries: list[Any], name: Callable[[str], str], heaviest: int) -> list[Problem]:
    wrong: list[Problem] = []
    for step, item, weight in entries:
        if not isinstance(item, str):
            wrong.append(
                _at(step, invalid(f"Input should be a valid string, {found(item)}; put it in quotes"))
            )
        elif not isinstance(weight, int) or isinstance(weight, bool) or not 1 <= weight <= heaviest:
            message = f"Input should be a valid integer from 1 to {heaviest}, {found(weight)}"
            wrong.append(_at(step, invalid(message)))
        else:
            try:
                name(item)
            except InvalidField as error:
                wrong.append(_at(step, error))
    return wrong


def _at(step: str | int, error: InvalidField) -> Problem:
    (only,) = error.problems
    return replace(only, steps=(step,))


class CommitMessageFormat(Options):
    """Content of a commit message."""

    title: Literal["inherit", "pr-title"] = option(
        "First line: the repository's default, or the title and number of the pull request.", "inherit"
    )
    body: Literal["inherit", "pr-body", "empty"] = option(
        "Body: the repository's default, the description of the pull request, or nothing.", "inherit"
    )
    trailers: Annotated[tuple[Literal["co-authored-by", "approved-by", "merged-by"], ...], at_most()] = (
        option("Trailers with the names of people.", ())
    )
