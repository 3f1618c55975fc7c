"""`GET /v1/repos`: the repositories that a caller may read, all of them or a page, perhaps with figures."""

from collections.abc import Mapping, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import Operation, json_content, schema_of
from mergecast.api.parameters import MOST_LISTED, OWNER_NAME, Parameter, read_query
from mergecast.api.repository_orders import ORDERS, Sorted, needs_figures
from mergecast.api.responses import json_response
from mergecast.api.routing import Route, admission_of
from mergecast.api.services import Services
from mergecast.inputs.kinds import WRITTEN_BOOLEAN, decimal, one_of, text
from mergecast.queues.model.instant import format_instant, next_whole_second
from mergecast.queues.store.read_many import read_many
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.health.repository_rows import RowFigures, read_rows

_AT_ONCE = 50  # repositories that are read in one turn of the caller
_LONGEST_SEARCH = 200
_SIZE = 100

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
        "and repositories without one come last; the states are fine, slow, silent, failing, stuck",
    ),
    Parameter("search", "query", text(_LONGEST_SEARCH), "Words that `owner/name` contains, in any order"),
    Parameter("owner", "query", OWNER_NAME, "Only repositories of this owner"),
    Parameter("figures", "query", WRITTEN_BOOLEAN, "Add the last 7 days and the state of each repository"),
)


class Listed(msgspec.Struct, frozen=True):
    """A repository of the list; `figures` if they are asked for."""

    owner: str
    repository: str
    events: int
    first_event_at: str | None
    last_event_at: str | None
    figures: RowFigures | msgspec.UnsetType = msgspec.UNSET
    kept_since: str | msgspec.UnsetType = msgspec.UNSET  # what ended before was deleted because of its age


class Repositories(msgspec.Struct, frozen=True):
    """`total` and `next` are there if a parameter is given; `next` is null on the last page."""

    repositories: list[Listed]
    total: int | msgspec.UnsetType = msgspec.UNSET
    next: str | msgspec.UnsetType | None = msgspec.UNSET


def repositories_route(services: Services) -> Route:
    async def show(request: Request, _: Mapping[str, str]) -> Response:
        given = read_query(request.scope["query_string"], _PARAMETERS)
        caller = admission_of(request).caller
        owner = given["owner"].lower() if "owner" in given else caller.owner
        found = await services.database.repositories(owner)
        readable = [known for known in found if known.is_listed and caller.reaches(known.repository)]
        if not given:
            return json_response(Repositories([_listed(known) for known in readable]))
        kept, order = _searched(readable, given.get("search", "")), given.get("order", "name")
        figures: Mapping[int, RowFigures] = {}
        if needs_figures(order):
            figures = await while_connected(request, _figures(services, request, kept))
        listed = Sorted(kept, order, figures)
        start = listed.place_after(given["after"]) if "after" in given else 0
        limit = given.get("limit", _SIZE)
        page = listed.all[start : start + limit]
        if given.get("figures") and not figures:
            figures = await while_connected(request, _figures(services, request, page))
        shown = figures if given.get("figures") else {}
        rows = [_listed(known, shown.get(known.id)) for known in page]
        is_last = start + limit >= len(kept)
        return json_response(Repositories(rows, len(kept), None if is_last else listed.end(page[-1])))

    answer = json_content(schema_of(Repositories))
    summary = "The stored repositories that the credential may read"
    return Route(
        "GET", "/v1/repos", Right.LIST, show, Operation("Administration", summary, answer, _PARAMETERS)
    )


def _listed(known: KnownRepository, figures: RowFigures | None = None) -> Listed:
    first, last = (None if at is None else format_instant(at) for at in (known.first_at, known.last_at))
    name = known.repository
    return Listed(
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
    at, by_id = next_whole_second(services.now()), {known.id: known for known in page}
    caller = admission_of(request).caller.identity

    looking = {known.id for known in page if services.diagnosis.is_looking(known)}

    def work(reader: Reader, ids: Sequence[int]) -> dict[int, RowFigures]:
        return read_rows(reader, [by_id[id] for id in ids], at, looking)

    found: dict[int, RowFigures] = {}
    for start in range(0, len(page), _AT_ONCE):
        async with services.queries.turn(caller, has_begun=start > 0):
            ids = [known.id for known in page[start : start + _AT_ONCE]]
            found |= await read_many(services.database, ids, work)
    return found
