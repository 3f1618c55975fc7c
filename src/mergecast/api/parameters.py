"""Path and query parameters as typed values; the OpenAPI document is generated from the same table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.instant import NotAnInstant, parse_instant
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.repository import (
    NAME_LENGTH,
    NAME_PATTERN,
    OWNER_LENGTH,
    OWNER_PATTERN,
    Repository,
    is_name,
    is_owner,
)

LARGEST_NUMBER = 9223372036854776000  # of a pull request, as the API is specified
LARGEST_RECORDED = 2**63 - 1
MOST_VALUES = 255
MOST_LISTED = 1000
STAY_ORDERS = ("-seconds", "seconds", "-at", "at")
LONGEST_VALUE = 255
_MOST_PAIRS = 1000


class InvalidValue(ValueError):
    """A value is invalid; the message says what would be valid."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of the API: where it is, how it is read, what it means."""

    name: str
    place: str  # path or query
    read: Callable[[str], Any]
    schema: dict[str, object]
    description: str
    is_repeatable: bool = False


def _owner(text: str) -> str:
    if not is_owner(text):
        raise InvalidValue(f"must be 1 to {OWNER_LENGTH} letters, digits or hyphens")
    return text


def _name(text: str) -> str:
    if not is_name(text):
        raise InvalidValue(f"must be 1 to {NAME_LENGTH} letters, digits, underscores, hyphens or dots")
    return text


def _source(text: str) -> str:
    if text not in SOURCES:
        raise InvalidValue(f"must be one of {', '.join(SOURCES)}")
    return text


def _number(text: str) -> int:
    digits = text.lstrip("0") or text[:1]
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(LARGEST_NUMBER))
    if not is_number or int(digits) > LARGEST_NUMBER:
        raise InvalidValue(f"must be a number from 0 to {LARGEST_NUMBER}, in plain decimal digits")
    return int(digits)


def _text(text: str) -> str:
    if not 1 <= len(text) <= LONGEST_VALUE:
        raise InvalidValue(f"must have 1 to {LONGEST_VALUE} characters")
    if "\0" in text:
        raise InvalidValue("must not contain the character NUL")
    return text


def _instant(text: str) -> int:
    try:
        return parse_instant(text)
    except NotAnInstant as error:
        raise InvalidValue(str(error)) from None


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise InvalidValue("must be true or false")
    return text == "true"


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise InvalidValue(f"must be one of {', '.join(choices)}")
        return text

    return read


def _limit(text: str) -> int:
    digits = text.lstrip("0") if text.isascii() and text.isdigit() else ""
    if not digits or len(digits) > len(str(MOST_LISTED)) or int(digits) > MOST_LISTED:
        raise InvalidValue(f"must be a number from 1 to {MOST_LISTED}, in plain decimal digits")
    return int(digits)


_TEXT_SCHEMA: dict[str, object] = {"type": "string", "minLength": 1, "maxLength": LONGEST_VALUE}
_DATE_TIME: dict[str, object] = {"type": "string", "format": "date-time"}


def _filter(name: str, description: str) -> Parameter:
    schema: dict[str, object] = {"type": "array", "items": _TEXT_SCHEMA, "maxItems": MOST_VALUES}
    return Parameter(name, "query", _text, schema, description, is_repeatable=True)


OWNER = Parameter(
    "owner",
    "path",
    _owner,
    {"type": "string", "minLength": 1, "maxLength": OWNER_LENGTH, "pattern": OWNER_PATTERN},
    "Owner of the repository",
)
REPOSITORY = Parameter(
    "repository",
    "path",
    _name,
    {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH, "pattern": NAME_PATTERN},
    "Name of the repository",
)
NUMBER = Parameter(
    "number",
    "path",
    _number,
    {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER},
    "Number of the pull request",
)
KEY_ID = Parameter(
    "id",
    "path",
    str,
    {"type": "string"},
    "Id of the key: the part between `mck_` and the next `_`",
)
SOURCE = Parameter(
    "source",
    "path",
    _source,
    {"type": "string", "enum": list(SOURCES)},
    "Name of the source",
)
PATH = {parameter.name: parameter for parameter in (OWNER, REPOSITORY, NUMBER, KEY_ID, SOURCE)}
_REPOSITORY_PATH = (OWNER, REPOSITORY, NUMBER, SOURCE)
QUERY = {
    parameter.name: parameter
    for parameter in (
        _filter("base_ref", "Base reference(s) of the pull requests"),
        _filter("queue_name", "Name(s) of the merge queue(s)"),
        _filter("priority_rule_name", "Name(s) of the priority rule(s)"),
        Parameter(
            "start_at", "query", _instant, _DATE_TIME, "Start of the period; 1 day before `end_at` by default"
        ),
        Parameter("end_at", "query", _instant, _DATE_TIME, "End of the period, not included; now by default"),
        Parameter("intervals", "query", _boolean, {"type": "boolean"}, "Add a series of intervals"),
        Parameter("at", "query", _instant, _DATE_TIME, "The instant to look back from; now by default"),
        Parameter("branch", "query", _text, _TEXT_SCHEMA, "Only this base reference"),
        Parameter(
            "order",
            "query",
            _one_of(*STAY_ORDERS),
            {"type": "string", "enum": list(STAY_ORDERS), "default": STAY_ORDERS[0]},
            "Sorted by duration or by the time of leaving; with a minus, the largest first",
        ),
        Parameter(
            "limit",
            "query",
            _limit,
            {"type": "integer", "minimum": 1, "maximum": MOST_LISTED, "default": 100},
            "The most stays to list",
        ),
        Parameter("source", "query", _text, _TEXT_SCHEMA, "Only events of this source"),
    )
}


@dataclass(frozen=True, slots=True)
class Input:
    """The parameters of a request: the repository of its path, and all other values."""

    repository: Repository
    values: Mapping[str, Any]  # a tuple for a repeatable parameter, otherwise one value


def read_input(segments: Mapping[str, str], query: bytes, names: tuple[str, ...] = ()) -> Input:
    """Path and query; everything wrong with them is reported at once."""
    return _read_input(tuple(segments.items()), query, names)


# Dashboards repeat the same requests: the same bytes are parsed once.
@lru_cache(maxsize=512)
def _read_input(segments: tuple[tuple[str, str], ...], query: bytes, names: tuple[str, ...]) -> Input:
    path, errors = _read(_REPOSITORY_PATH, segments)
    values, more = _read([QUERY[name] for name in names], _pairs(query))
    if errors or more:
        raise InvalidInput(errors + more)
    return Input(Repository(path.pop("owner"), path.pop("repository")), {**path, **values})


def refuse_query(query: bytes) -> None:
    """Refuse any query on a path without query parameters."""
    _, errors = _read((), _pairs(query))
    if errors:
        raise InvalidInput(errors)


def _pairs(query: bytes) -> list[tuple[str, str]]:
    if not query:
        return []
    try:
        return parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PAIRS
        )
    except UnicodeError:
        raise InvalidInput(
            [FieldError("query", "", "the query string is not UTF-8 in percent encoding")]
        ) from None
    except ValueError:
        raise InvalidInput([FieldError("query", "", f"a query holds at most {_MOST_PAIRS} values")]) from None


def _read(
    parameters: Iterable[Parameter], pairs: Iterable[tuple[str, str]]
) -> tuple[dict[str, Any], list[FieldError]]:
    known = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Any] = {}
    errors: list[FieldError] = []
    for name, text in pairs:
        parameter = known.get(name)
        if parameter is None:
            errors.append(FieldError("query", name[:100], _unknown(name, list(known))))
            continue
        try:
            _put(values, parameter, parameter.read(text))
        except InvalidValue as refused:
            errors.append(FieldError(parameter.place, name, str(refused)))
    return values, list(dict.fromkeys(errors))


def _unknown(name: str, known: list[str]) -> str:
    """Ignoring a misspelled filter would give wrong numbers, so suggest the intended one."""
    if not known:
        return "is not a parameter of this endpoint, which has no parameters"
    meant = nearest(name, known)
    hint = f", did you mean {meant}? It takes" if meant else "; it takes"
    return f"is not a parameter of this endpoint{hint} {', '.join(known)}"


def _put(values: dict[str, Any], parameter: Parameter, value: Any) -> None:
    if not parameter.is_repeatable:
        if parameter.name in values:
            raise InvalidValue("is given twice but takes one value")
        values[parameter.name] = value
        return
    given = (*values.get(parameter.name, ()), value)
    if len(given) > MOST_VALUES:
        raise InvalidValue(f"takes at most {MOST_VALUES} values")
    values[parameter.name] = given
