"""Expected problem documents."""

from typing import Any

_TITLES = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    412: "Precondition failed",
    413: "Content too large",
    415: "Unsupported media type",
    422: "Unprocessable entity",
    428: "Precondition required",
    429: "Too many requests",
    503: "Service unavailable",
}

Document = dict[str, Any]


def problem(status: int, detail: str, **more: object) -> Document:
    return {"type": "about:blank", "title": _TITLES[status], "status": status, "detail": detail, **more}


def error(place: str, name: str, message: str) -> dict[str, str]:
    return {"in": place, "name": name, "message": message}


def invalid(*errors: dict[str, str], status: int = 422) -> Document:
    """List every error in `errors`, and one line per error in `detail`, with bullets if there are several."""
    lines = [f"{one['name']}: {one['message']}" if one["name"] else one["message"] for one in errors]
    detail = lines[0] if len(lines) == 1 else "\n".join(f"* {line}" for line in lines)
    return problem(status, detail, errors=list(errors))


NO_PATH = problem(404, "there is no such path; /docs lists all paths")
FORBIDDEN = problem(403, "credential missing, invalid or not allowed: send Authorization: Bearer <token>")
_SENTENCE = FORBIDDEN["detail"]
# Of the path for tools: clients of MCP show only errors of JSON-RPC.
UNAUTHORIZED = {
    **problem(401, _SENTENCE), "jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": _SENTENCE}
}  # fmt: skip


def unknown_repository(name: str) -> Document:
    return problem(404, f"the repository {name} is not known here: it has no events")
