"""Answers of the forms that several handlers give."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response


def json_response(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def head_only(media_type: str) -> Response:
    """What HEAD answers where the work of GET is large and its length not known before."""
    response = Response(media_type=media_type)
    del response.headers["content-length"]
    return response


def matches_etag(request: Request, etag: str) -> bool:
    """Whether If-None-Match names this tag: the client has the answer already."""
    return any(_matches(value, etag) for name, value in request.scope["headers"] if name == b"if-none-match")


def _matches(header: bytes, etag: str) -> bool:
    """Weak comparison with each tag of If-None-Match."""
    tags = [tag.strip() for tag in header.decode("latin-1").split(",")]
    return "*" in tags or etag in tags or etag.removeprefix("W/") in tags
