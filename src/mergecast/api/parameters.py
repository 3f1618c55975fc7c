"""Path and query parameters: each is declared once, for the reader and for OpenAPI."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from starlette.requests import Request

from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.sources.registry import SOURCES
from mergecast.inputs.field import Field, InvalidValue, Schema
from mergecast.inputs.kinds import WRITTEN_BOOLEAN, decimal, instant, matching, one_of, text
from mergecast.queues.export.formats import FORMATS
from mergecast.queues.export.tables import TABLES
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.repository import (
    DOT_SEGMENTS,
    NAME_LENGTH,
    NAME_PATTERN,
    OWNER_LENGTH,
    OWNER_PATTERN,
    Repository,
    is_name,
    is_owner,
)
from mergecast.signals.thresholds.judged import JUDGED
from mergecast.signals.thresholds.written_value import UnknownFigure, judged_figure

LARGEST_NUMBER = 9223372036854776000  # of a pull request, as the API is specified
LARGEST_RECORDED = 2**63 - 1
MOST_VALUES = 255
MOST_LISTED = 1000
STAY_ORDERS = ("-seconds", "seconds", "-at", "at")
LONGEST_VALUE = 255
_MOST_PAIRS = 1000


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the API: where it is, how it is read, what it means."""

    name: str
    place: str  # path or query
    field: Field
    description: str
    is_repeatable: bool = False

    @property
    def schema(self) -> Schema:
        if not self.is_repeatable:
            return self.field.schema
        return {"type": "array", "items": self.field.schema, "maxItems": MOST_VALUES}


OWNER_NAME = matching(
    is_owner, OWNER_LENGTH, OWNER_PATTERN, f"must be 1 to {OWNER_LENGTH} letters, digits or hyphens"
)
_REPOSITORY_NAME = matching(
    is_name,
    NAME_LENGTH,
    NAME_PATTERN,
    f"must be 1 to {NAME_LENGTH} letters, digits, underscores, hyphens or dots",
)
ANY_TEXT = Field(str, {"type": "string"})
_TEXT = text(LONGEST_VALUE, otherwise=f"must have 1 to {LONGEST_VALUE} characters")
_INSTANT = instant()
_LONGEST_PERIOD_NAME = 64
_RESERVED = (*DOT_SEGMENTS, "preview")
_PERIOD_NAME = r"[A-Za-z0-9_.-]+(?: [A-Za-z0-9_.-]+)*"  # a page shows several blanks as one


def _figure(value: Any) -> str:
    try:
        return judged_figure(_TEXT.read(value)).figure.name
    except UnknownFigure as error:
        raise InvalidValue(str(error)) from None


FIGURE = Field(_figure, {"type": "string", "enum": list(JUDGED)})  # that can have a threshold


def _is_period_name(name: str) -> bool:
    is_short = len(name) <= _LONGEST_PERIOD_NAME
    return is_short and name not in _RESERVED and re.fullmatch(_PERIOD_NAME, name) is not None


def _filter(name: str, description: str) -> Parameter:
    return Parameter(name, "query", _TEXT, description, is_repeatable=True)


OWNER = Parameter("owner", "path", OWNER_NAME, "Owner of the repository")
REPOSITORY = Parameter("repository", "path", _REPOSITORY_NAME, "Name of the repository")
NUMBER = Parameter("number", "path", decimal(0, LARGEST_NUMBER), "Number of the pull request")
SOURCE = Parameter("source", "path", one_of(*SOURCES), "Name of the source")
PERIOD_NAME = Parameter(
    "name",
    "path",
    matching(
        _is_period_name,
        _LONGEST_PERIOD_NAME,
        f"^{_PERIOD_NAME}$",
        f"must be 1 to {_LONGEST_PERIOD_NAME} letters, digits, underscores, hyphens, dots or single blanks "
        "between them, and not `.`, `..` or `preview`",
    ),
    "Name of the reference period",
)
TABLE = Parameter("table", "path", one_of(*TABLES), "Name of the table")
# An `id` is described where its route is: it names a key, a source, an app or a channel.
PATH = {one.name: one for one in (OWNER, REPOSITORY, NUMBER, SOURCE, PERIOD_NAME, TABLE)}


def _time_zone(value: Any) -> str:
    name = text(100).read(value)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidValue("must be the name of a time zone, such as Europe/Berlin") from None
    return str(name)


TIME_ZONE = Field(_time_zone, {"type": "string", "maxLength": 100})
QUERY = {
    parameter.name: parameter
    for parameter in (
        _filter("base_ref", "Base reference(s) of the pull requests"),
        _filter("queue_name", "Name(s) of the merge queue(s)"),
        _filter("priority_rule_name", "Name(s) of the priority rule(s)"),
        Parameter("start_at", "query", _INSTANT, "Start of the period; 1 day before `end_at` by default"),
        Parameter("end_at", "query", _INSTANT, "End of the period, not included; now by default"),
        Parameter("intervals", "query", WRITTEN_BOOLEAN, "Add a series of intervals"),
        Parameter(
            "before_start_at",
            "query",
            _INSTANT,
            "Start of the period to compare with, together with `before_end_at`; by default, it adjoins "
            "the period, or covers the same hours a week earlier if the period is shorter than 7 days",
        ),
        Parameter("before_end_at", "query", _INSTANT, "End of the period to compare with, not included"),
        Parameter("session_id", "query", _TEXT, "A stay other than the last one removed"),
        Parameter("at", "query", _INSTANT, "The instant to look back from; now by default"),
        Parameter("branch", "query", _TEXT, "Only this base reference"),
        Parameter(
            "order",
            "query",
            one_of(*STAY_ORDERS).by_default(STAY_ORDERS[0]),
            "Sorted by duration or by the time of leaving; with a minus, the largest first",
        ),
        Parameter("limit", "query", decimal(1, MOST_LISTED).by_default(100), "How many to list at most"),
        Parameter("search", "query", _TEXT, "Words that the title contains, in any case and order"),
        Parameter(
            "after",
            "query",
            decimal(0, LARGEST_RECORDED),
            "Continue after this pull request: `next` of the page before",
        ),
        Parameter("source", "query", _TEXT, "Only events of this source"),
        Parameter("name", "query", _TEXT, "Only the check with exactly this name, over time"),
        Parameter("format", "query", one_of(*FORMATS).by_default(FORMATS[0]), "Format of the file"),
        Parameter(
            "state",
            "query",
            one_of("open", "ended", "all").by_default("open"),
            "Alerts that hold now, those that have ended, or both",
        ),
        Parameter("figure", "query", FIGURE, "Only alerts of these figures", is_repeatable=True),
        Parameter("time_zone", "query", TIME_ZONE.by_default("UTC"), "The zone of the times on the page"),
        Parameter("stored", "query", WRITTEN_BOOLEAN, "Answer what is stored, without computing anything"),
        Parameter("dry_run", "query", WRITTEN_BOOLEAN, "Change nothing, and answer what would change"),
        Parameter("details", "query", WRITTEN_BOOLEAN, "Add what the summary says as data, in `details`"),
    )
}


@dataclass(frozen=True, slots=True)
class Input:
    """The parameters of a request: the repository of its path, and all other values."""

    repository: Repository
    values: Mapping[str, Any]  # a tuple for a repeatable parameter, otherwise one value


def read_input(request: Request, segments: Mapping[str, str], names: tuple[str, ...] = ()) -> Input:
    """The parameters of path and query, or every error in them at once."""
    return _read_input(tuple(segments.items()), request.scope["query_string"], names)


def read_path(segments: Mapping[str, str]) -> Repository:
    """The repository of a path, whatever the query is."""
    return _read_input(tuple(segments.items()), b"", ()).repository


# Dashboards repeat the same requests: the same bytes are parsed once.
@lru_cache(maxsize=512)
def _read_input(segments: tuple[tuple[str, str], ...], query: bytes, names: tuple[str, ...]) -> Input:
    path, errors = _read(PATH.values(), segments)
    values, more = _read([QUERY[name] for name in names], _pairs(query))
    if errors or more:
        raise InvalidInput(errors + more)
    return Input(Repository(path.pop("owner"), path.pop("repository")), {**path, **values})


def read_query(request: Request, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """The values of a query on a path that names no repository, or every error in them at once."""
    values, errors = _read(parameters, _pairs(request.scope["query_string"]))
    if errors:
        raise InvalidInput(errors)
    return values


def refuse_query(request: Request) -> None:
    """Refuse any query on a path without query parameters."""
    read_query(request, ())


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
    for name, written in pairs:
        parameter = known.get(name)
        if parameter is None:
            errors.append(FieldError("query", name[:100], _unknown(name, list(known))))
            continue
        try:
            _put(values, parameter, parameter.field.read(written))
        except InvalidValue as refused:
            errors.append(refused.at(parameter.place, name))
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
