"""`GET /v1/log`: who deleted something or changed a setting, for the operator."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation
from mergecast.api.parameters import MOST_LISTED, OWNER_NAME, QUERY, REPOSITORY, Parameter, read_query
from mergecast.api.responses import json_response
from mergecast.api.routing import Route
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.kinds import decimal, matching
from mergecast.queues.answers.settings import AuditLine, AuditLines
from mergecast.queues.model.instant import format_instant
from mergecast.queues.store.audit_rows import AuditRow, AuditSelection, read_audit_lines

_SIZE = 100
_ID = re.compile("[0-9a-f]{24}")
_CURSOR = matching(
    lambda text: _ID.fullmatch(text) is not None, 24, _ID.pattern, "must be `next` of the page before"
)
_PARAMETERS = (
    Parameter("start_at", "query", QUERY["start_at"].field, "Only lines from this instant on"),
    Parameter("end_at", "query", QUERY["end_at"].field, "Only lines before this instant"),
    Parameter("owner", "query", OWNER_NAME, "Only lines about this owner or a repository of this owner"),
    Parameter("repository", "query", REPOSITORY.field, "Only lines about a repository with this name"),
    Parameter("limit", "query", decimal(1, MOST_LISTED), f"How many to list at most; {_SIZE} by default"),
    Parameter("after", "query", _CURSOR, "Continue here: `next` of the page before"),
)


class _Document(msgspec.Struct, frozen=True):
    event: str
    who: str
    address: str
    details: dict[str, Any]


_document = msgspec.json.Decoder(_Document)


def log_route(services: Services) -> Route:
    async def show(request: Request, _: Mapping[str, str]) -> Response:
        given = read_query(request, _PARAMETERS)
        limit = given.get("limit", _SIZE)
        found = await read_audit_lines(
            services.database, _selection(given), limit + 1, before=given.get("after")
        )
        page = found[:limit]
        return json_response(
            AuditLines([_line(row) for row in page], page[-1].id if len(found) > limit else None)
        )

    operation = Operation(
        "Administration",
        "Who deleted something or changed a setting in the last 400 days",
        AuditLines,
        _PARAMETERS,
    )
    return Route("GET", "/v1/log", Right.OPERATE, show, operation)


def _selection(given: Mapping[str, Any]) -> AuditSelection:
    chosen = {
        "start": given.get("start_at"),
        "end": given.get("end_at"),
        "owner": given["owner"].lower() if "owner" in given else None,
        "repository": given["repository"].lower() if "repository" in given else None,
    }
    selection = AuditSelection(**{name: value for name, value in chosen.items() if value is not None})
    if selection.start >= selection.end:
        raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
    return selection


def _line(row: AuditRow) -> AuditLine:
    document = _document.decode(row.document)
    return AuditLine(
        format_instant(row.at),
        document.event,
        document.who,
        document.address,
        row.owner,
        row.repository,
        document.details,
    )
