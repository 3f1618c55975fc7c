"""The body of a request, never more of it than allowed."""

import asyncio
import zlib
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from mergecast.api.problems import HttpError
from mergecast.errors import Fault, InvalidInput

BODY_LIMIT = 32 << 20
BODY_SECONDS = 60.0


def media_type(request: Request, allowed: tuple[str, ...]) -> str:
    """The media type of the body, which must be one of those allowed."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in allowed:
        raise HttpError(
            415, f"the body must be of type {' or '.join(allowed)}; it came as {given or 'nothing'}"
        )
    return given


def announced_length(request: Request) -> int | None:
    """The Content-Length, checked against the limit before anything is read."""
    text = request.headers.get("content-length")
    if text is None:
        return None
    length = int(text) if text.isascii() and text.isdigit() else BODY_LIMIT + 1
    if length > BODY_LIMIT:
        raise _too_large()
    return length


def is_packed(request: Request) -> bool:
    """Whether the body comes as gzip; no other encoding is taken."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise HttpError(415, f"the body may be encoded as gzip or not at all; it came as {encoding[:40]}")
    return encoding == "gzip"


async def receive(request: Request) -> bytes:
    """The body as it came."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _collect(request.stream())
    except TimeoutError:
        raise HttpError(408, f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
    except ClientDisconnect:
        raise HttpError(408, "the client went away before the body was complete") from None


async def _collect(stream: AsyncIterator[bytes]) -> bytes:
    parts = bytearray()
    async for part in stream:
        parts += part
        if len(parts) > BODY_LIMIT:
            raise _too_large()
    return bytes(parts)


def unpack(packed: bytes) -> bytes:
    """The content of one or several gzip members, given up once it exceeds the limit."""
    unpacked = bytearray()
    rest = packed
    while rest:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            unpacked += member.decompress(rest, BODY_LIMIT + 1 - len(unpacked))
        except zlib.error:
            raise _bad_gzip() from None
        if len(unpacked) > BODY_LIMIT:
            raise _too_large()
        if not member.eof:
            raise _bad_gzip()
        rest = member.unused_data
    if not packed:
        raise _bad_gzip()
    return bytes(unpacked)


def _too_large() -> HttpError:
    return HttpError(413, f"the body may hold {BODY_LIMIT >> 20} MiB at most, unpacked; send it in parts")


def _bad_gzip() -> InvalidInput:
    return InvalidInput([Fault("body", "", "the body is announced as gzip and is not, or is cut short")])
