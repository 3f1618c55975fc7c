"""Responses and headers that several handlers use."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response


def json_response(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def head_only(media_type: str) -> Response:
    """The answer to HEAD if GET is expensive and its length is not known in advance."""
    response = Response(media_type=media_type)
    del response.headers["content-length"]
    return response


def matches_etag(request: Request, etag: str) -> bool:
    """Whether If-None-Match contains this tag: the client already has the answer."""
    return any(_matches(value, etag) for name, value in request.scope["headers"] if name == b"if-none-match")


def _matches(header: bytes, etag: str) -> bool:
    """Weak comparison with each tag of If-None-Match."""
    tags = [tag.strip() for tag in header.decode("latin-1").split(",")]
    return "*" in tags or etag in tags or etag.removeprefix("W/") in tags
