"""`GET …/pulls/{number}/history`: every stay of a pull request, and what is known about it."""

from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_content, or_null
from mergecast.api.openapi.schemas import INTEGER, STRING, object_of, schema_of
from mergecast.api.parameters import LARGEST_RECORDED, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, Route
from mergecast.api.services import Services
from mergecast.errors import NotFound
from mergecast.stats.pull_history import StayInDetail, pull_history
from mergecast.store.store import Reader

_NULLABLE_TEXT = {"type": ["string", "null"]}


class _User(msgspec.Struct, frozen=True):
    login: str


class _Pull(msgspec.Struct, frozen=True):
    """What the platform's answer about a pull request says; all else in it is skipped."""

    title: str
    user: _User | None = None
    html_url: str | None = None


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


def pull_history_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"])
        known, number = await services.known(given.repository), given.values["number"]

        def read(reader: Reader) -> list[StayInDetail]:
            return pull_history(reader, known.id, number)

        is_possible = number <= LARGEST_RECORDED
        stays = await services.query(request, known.id, read) if is_possible else []
        pull = _shown(await services.snapshot(request, known, number)) if is_possible else None
        if not stays and pull is None:
            message = f"pull request {number} of {given.repository} is not known here: "
            raise NotFound(f"{message}it has not been in a queue, and no snapshot is recorded")
        return json_response({"pull_request": number, "pull": pull, "stays": stays})

    pull = object_of({"title": STRING, "author": _NULLABLE_TEXT, "url": _NULLABLE_TEXT})
    answer = object_of(
        {"pull_request": INTEGER, "pull": or_null(pull), "stays": schema_of(list[StayInDetail])}
    )
    operation = Operation(
        "Statistics", "Every stay of a pull request, the newest first", json_content(answer)
    )
    return Route("GET", f"{PULL_REQUEST_PATH}/history", Right.READ, show, operation)


def _shown(document: bytes | None) -> dict[str, str | None] | None:
    """Title, author and address of a pull request, if a snapshot is recorded."""
    if document is None:
        return None
    pull = msgspec.json.decode(document, type=_Recorded).pull
    return {"title": pull.title, "author": pull.user.login if pull.user else None, "url": pull.html_url}
