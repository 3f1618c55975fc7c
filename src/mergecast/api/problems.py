"""Errors as problem documents (RFC 9457): the only place that maps errors to statuses."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from mergecast.access.errors import Forbidden, TooManyRequests, Unauthorized
from mergecast.errors import Conflict, FieldError, InvalidInput, MergecastError, NotFound, Unavailable
from mergecast.judge.messages import ReportedError
from mergecast.prediction.history import TooManyEvents
from mergecast.queues.model.repository import Repository

PROBLEM = "application/problem+json"
_SERVER_ERROR = -32000  # of JSON-RPC: the first code that servers may use as they like
TITLES = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    409: "Conflict",
    412: "Precondition failed",
    413: "Content too large",
    415: "Unsupported media type",
    422: "Unprocessable entity",
    428: "Precondition required",
    429: "Too many requests",
    500: "Internal server error",
    503: "Service unavailable",
}


class InvalidDocument(MergecastError):
    """A configuration document is invalid; `field` is the body's field that held it."""

    def __init__(self, field: str, errors: Sequence[ReportedError], more: int = 0) -> None:
        super().__init__("; ".join(error.text for error in errors))
        self.field, self.errors, self.more = field, errors, more


class Renamed(Conflict):
    """The repository has another name by now; only callers that reach it there may learn that name."""

    def __init__(self, former: Repository, name: Repository) -> None:
        message = f"the repository {former} has been renamed to {name}; use that name"
        super().__init__([FieldError("path", "repository", message)])
        self.former, self.name = former, name


class HttpError(MergecastError):
    """An error that exists only in HTTP, such as a wrong method."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, dict(headers or {})


class UnknownRepository(NotFound):
    """Nothing is stored under this name; `meant` is a similar one that the caller may read."""

    def __init__(self, repository: Repository, meant: Repository | None = None) -> None:
        suggestion = f"; did you mean {meant}?" if meant else ""
        super().__init__(f"the repository {repository} is not known here: it has no events{suggestion}")
        self.repository = repository


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None, **more: object) -> Response:
    document = {"type": "about:blank", "title": TITLES[status], "status": status, "detail": detail, **more}
    return Response(msgspec.json.encode(document), status, headers, PROBLEM)


def problem_for(error: MergecastError) -> Response:
    """The response for an expected error."""
    match error:
        case HttpError():
            return problem(error.status, error.detail, error.headers)
        case Forbidden():
            status = 401 if isinstance(error, Unauthorized) else 403
            return problem(status, str(error), {"WWW-Authenticate": "Bearer"})
        case InvalidDocument():
            return _with_document_errors(error)
        case InvalidInput() | Conflict():
            status = 409 if isinstance(error, Conflict) else 422
            return _with_errors(status, error.errors, error.more)
        case NotFound() | TooManyEvents():
            return problem(404 if isinstance(error, NotFound) else 422, str(error))
        case TooManyRequests() | Unavailable():
            status = 503 if isinstance(error, Unavailable) else 429
            return problem(status, str(error), {"Retry-After": str(error.retry_seconds)})
    raise TypeError(f"no status for {type(error).__name__}")


def as_protocol_error(response: Response) -> Response:
    """A problem document that is an error of JSON-RPC as well: clients of MCP show no other errors."""
    if response.media_type != PROBLEM:
        return response
    document = msgspec.json.decode(response.body, type=dict[str, Any])
    error = {"code": _SERVER_ERROR, "message": document["detail"]}
    body = msgspec.json.encode({"jsonrpc": "2.0", "id": None, "error": error, **document})
    kept = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
    return Response(body, response.status_code, kept, "application/json")


def _with_document_errors(invalid: InvalidDocument) -> Response:
    listed = [
        {
            "in": "body",
            "name": invalid.field,
            "message": error.message,
            "path": error.path,
            "line": error.line,
            "column": error.column,
        }
        for error in invalid.errors
    ]
    more: dict[str, Any] = {"more_errors": invalid.more} if invalid.more else {}
    detail = "\n".join(_bulleted([error.text for error in invalid.errors], invalid.more))
    return problem(422, detail, errors=listed, **more)


def _with_errors(status: int, errors: list[FieldError], more: int) -> Response:
    listed = [{"in": error.place, "name": error.name, "message": error.message} for error in errors]
    detail = "\n".join(_lines(errors, more))
    if more:
        return problem(status, detail, errors=listed, more_errors=more)
    return problem(status, detail, errors=listed)


def _lines(errors: list[FieldError], more: int) -> list[str]:
    lines = [f"{error.name}: {error.message}" if error.name else error.message for error in errors]
    return _bulleted(lines, more)


def _bulleted(lines: list[str], more: int) -> list[str]:
    if len(lines) == 1 and not more:
        return lines
    bullets = [f"* {line}" for line in lines]
    return [*bullets, f"* and {more} more"] if more else bullets
