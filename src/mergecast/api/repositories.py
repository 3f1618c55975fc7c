"""`GET /v1/repos`: the repositories that a caller may read, all of them or a page, perhaps with figures.

Figures change between two pages. So the end of a page is not only a repository, but also the value that it
was sorted by: whatever happens to that repository, the next page begins behind this value.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import MOST_LISTED, OWNER_NAME, Parameter, read_query
from mergecast.api.responses import json_response
from mergecast.api.routing import Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.kinds import WRITTEN_BOOLEAN, decimal, one_of, text
from mergecast.queues.answers.repositories import ListedRepository, Repositories, RowFigures
from mergecast.queues.model.instant import format_instant, format_optional, next_whole_second
from mergecast.queues.store.values import KnownRepository, by_name
from mergecast.signals.state.repository_rows import read_rows

_AT_ONCE = 50  # repositories that are read in one turn of the caller
_LONGEST_SEARCH = 200
_SIZE = 100

_NAME = "name"
# What the first sentence of a page weighs more comes later: it is what someone looks for with `-state`.
_STATES = ("fine", "unjudged", "looking", "slow", "silent", "failing", "stuck")
_COUNTED: dict[str, Callable[[KnownRepository], float | None]] = {
    "events": lambda known: known.events,
    "last_event_at": lambda known: -1 if known.last_at is None else known.last_at,
}
_FIGURES: dict[str, Callable[[RowFigures], float | None]] = {
    "state": lambda row: _STATES.index(row.state),
    "in_queue": lambda row: row.in_queue,
    "merged": lambda row: row.merged.value,
    "failure_rate": lambda row: row.failure_rate.value,
    "time_in_queue_p50": lambda row: row.time_in_queue_p50.value,
    "time_in_queue_p50_change": lambda row: row.time_in_queue_p50.change,
    "time_in_queue_p95": lambda row: row.time_in_queue_p95.value,
}
_NAMES = (_NAME, *_COUNTED, *_FIGURES)
ORDERS = (*_NAMES, *(f"-{name}" for name in _NAMES))

Figures = Mapping[int, RowFigures]
_Key = tuple[bool, float, tuple[str, str]]

_PARAMETERS = (
    Parameter("limit", "query", decimal(1, MOST_LISTED), f"How many to list at most; {_SIZE} by default"),
    Parameter(
        "after", "query", text(_LONGEST_SEARCH), "Continue here: `next` of the page before, in the same order"
    ),
    Parameter(
        "order",
        "query",
        one_of(*ORDERS),
        "Sorted by this, `name` by default; with a minus, the largest first. Figures are those of `figures`, "
        f"and repositories without one come last; the states are {', '.join(_STATES)}",
    ),
    Parameter("search", "query", text(_LONGEST_SEARCH), "Words that `owner/name` contains, in any order"),
    Parameter("owner", "query", OWNER_NAME, "Only repositories of this owner"),
    Parameter("figures", "query", WRITTEN_BOOLEAN, "Add the last 7 days and the state of each repository"),
)


def repositories_route(services: Services) -> Route:
    async def show(request: Request, _: Mapping[str, str]) -> Response:
        given = read_query(request, _PARAMETERS)
        caller = admission_of(request).caller
        owner = given["owner"].lower() if "owner" in given else caller.owner
        found = await services.database.repositories(owner)
        readable = [known for known in found if known.is_listed and caller.reaches(known.repository)]
        if not given:
            return json_response(Repositories([_listed(known) for known in readable]))
        kept, order = _searched(readable, given.get("search", "")), given.get("order", "name")
        figures: Mapping[int, RowFigures] = {}
        if order.removeprefix("-") in _FIGURES:
            figures = await while_connected(request, _figures(services, request, kept))
        listed = _Sorted(kept, order, figures)
        start = listed.place_after(given["after"]) if "after" in given else 0
        limit = given.get("limit", _SIZE)
        page = listed.all[start : start + limit]
        if given.get("figures") and not figures:
            figures = await while_connected(request, _figures(services, request, page))
        shown = figures if given.get("figures") else {}
        rows = [_listed(known, shown.get(known.id)) for known in page]
        is_last = start + limit >= len(kept)
        return json_response(Repositories(rows, len(kept), None if is_last else listed.end(page[-1])))

    summary = "The stored repositories that the credential may read"
    return Route(
        "GET", "/v1/repos", Right.LIST, show, Operation("Administration", summary, Repositories, _PARAMETERS)
    )


def _listed(known: KnownRepository, figures: RowFigures | None = None) -> ListedRepository:
    first, last = (format_optional(at) for at in (known.first_at, known.last_at))
    name = known.repository
    return ListedRepository(
        name.owner,
        name.name,
        known.events,
        first,
        last,
        msgspec.UNSET if figures is None else figures,
        msgspec.UNSET if known.kept_since is None else format_instant(known.kept_since),
    )


def _searched(readable: Sequence[KnownRepository], search: str) -> list[KnownRepository]:
    words = search.casefold().split()
    return [known for known in readable if all(word in str(known.repository).casefold() for word in words)]


async def _figures(
    services: Services, request: Request, page: Sequence[KnownRepository]
) -> dict[int, RowFigures]:
    at = next_whole_second(services.now())
    caller = admission_of(request).caller.identity

    looking = {known.id for known in page if services.watch.is_looking(known)}

    found: dict[int, RowFigures] = {}
    for start in range(0, len(page), _AT_ONCE):
        async with services.queries.turn(caller, has_begun=start > 0):
            part = page[start : start + _AT_ONCE]
            work = partial(read_rows, repositories=part, at=at, looking=looking)
            found |= await services.database.read(part[0].id, work)
    return found


class _Sorted:
    """Repositories in an order. Equal ones are sorted by name, and those without a value come last."""

    def __init__(self, known: Sequence[KnownRepository], order: str, figures: Figures) -> None:
        self._order, self._figures = order, figures
        if order.removeprefix("-") == _NAME:
            self.all = sorted(known, key=by_name, reverse=order.startswith("-"))
        else:
            self.all = sorted(known, key=self._key)

    def place_after(self, after: str) -> int:
        """The place behind the end of a page: a name, or as `end` writes it."""
        order, _, rest = after.partition(":")
        if not rest:
            return self._place_after_name(after)
        if order != self._order:
            message = (
                f"continues a list in the order {order}; leave it out to list in the order {self._order}"
            )
            raise InvalidInput([FieldError("query", "after", message)])
        value, _, name = rest.partition(":")
        return bisect_right(self.all, self._key_of(_number(value, after), _parts(name)), key=self._key)

    def end(self, last: KnownRepository) -> str:
        """How a page that ends with this repository says so."""
        if self._order.removeprefix("-") == _NAME:
            return str(last.repository)
        value = self._value(last)
        return f"{self._order}:{'' if value is None else repr(float(value))}:{last.repository}"

    def _place_after_name(self, name: str) -> int:
        for place, known in enumerate(self.all):
            if str(known.repository) == name:
                return place + 1
        raise _no_place(name)

    def _key(self, known: KnownRepository) -> _Key:
        return self._key_of(self._value(known), by_name(known))

    def _key_of(self, value: float | None, name: tuple[str, str]) -> _Key:
        if value is None:
            return True, 0, name
        return False, -value if self._order.startswith("-") else value, name

    def _value(self, known: KnownRepository) -> float | None:
        name = self._order.removeprefix("-")
        if name in _COUNTED:
            return _COUNTED[name](known)
        row = self._figures.get(known.id)
        return None if row is None else _FIGURES[name](row)


def _number(text: str, after: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise _no_place(after) from None
    if not math.isfinite(value):
        raise _no_place(after)
    return value


def _parts(name: str) -> tuple[str, str]:
    owner, _, repository = name.partition("/")
    return owner, repository


def _no_place(after: str) -> InvalidInput:
    message = f"there is no repository {after} in this list; `next` of the page before names one"
    return InvalidInput([FieldError("query", "after", message)])
