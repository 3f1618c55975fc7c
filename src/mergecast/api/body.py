"""The body of a request, never more of it than allowed."""

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect, Request

from mergecast.api.problems import HttpError
from mergecast.errors import FieldError, InvalidInput, Unavailable

BODY_LIMIT = 32 << 20
BODY_SECONDS = 60.0
BUFFER_LIMIT = 16 * BODY_LIMIT
_PIECE = 64 << 10
_MOST_MEMBERS = 10_000  # one for each event of the largest delivery


def media_type(request: Request, allowed: tuple[str, ...]) -> str:
    """The media type of the body, which must be one of those allowed, in UTF-8."""
    given, *parameters = (part.strip().lower() for part in request.headers.get("content-type", "").split(";"))
    if given not in allowed:
        came = given[:80] or "nothing"
        raise HttpError(415, f"the body must be of type {' or '.join(allowed)}; it came as {came}")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name == "charset" and value.strip('"') not in ("utf-8", "utf8", "us-ascii"):
            raise HttpError(415, f"the body must be in UTF-8; it came in {value[:40]}")
    return given


def check_announced_length(request: Request, limit: int = BODY_LIMIT) -> None:
    """Refuse a body that is too large before any of it is read."""
    text = request.headers.get("content-length", "0")
    if not (text.isascii() and text.isdigit()) or int(text) > limit:
        raise _too_large(limit)


def is_packed(request: Request) -> bool:
    """Whether the body comes as gzip; no other encoding is taken."""
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise HttpError(415, f"the body may be encoded as gzip or not at all; it came as {encoding[:40]}")
    return encoding == "gzip"


class Buffers:
    """Bodies that are being received or read; together they are bounded, however many clients send."""

    def __init__(self) -> None:
        self._bytes = 0

    @asynccontextmanager
    async def receive(self, request: Request, limit: int = BODY_LIMIT) -> AsyncIterator[bytes]:
        """The body as it came, which counts until the end of the block."""
        parts: list[bytes] = []
        length = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                await self._collect(request.stream(), parts, limit)
            body = b"".join(parts)
            length = len(body)
            parts.clear()
            yield body
        except TimeoutError:
            raise HttpError(408, f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
        except ClientDisconnect:
            raise HttpError(408, "the client went away before the body was complete") from None
        finally:
            self._bytes -= length or sum(map(len, parts))

    async def _collect(self, stream: AsyncIterator[bytes], parts: list[bytes], limit: int) -> None:
        length = 0
        async for part in stream:
            parts.append(part)
            length += len(part)
            self._bytes += len(part)
            if length > limit:
                raise _too_large(limit)
            if self._bytes > BUFFER_LIMIT:
                raise Unavailable("too many large bodies arrive at once; send this one again in a moment")


def unpack(packed: bytes, limit: int = BODY_LIMIT) -> bytes:
    """The content of one or several gzip members, given up once it exceeds the limit."""
    unpacked = bytearray()
    position = members = 0
    while position < len(packed) or not members:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        members += 1
        if members > _MOST_MEMBERS:
            raise _bad_gzip()
        position = _unpack_member(member, packed, position, unpacked, limit)
    return bytes(unpacked)


def _unpack_member(
    member: "zlib._Decompress", packed: bytes, position: int, unpacked: bytearray, limit: int
) -> int:
    """Unpack from `position` to the end of one member, in pieces; returns where the next one begins."""
    while not member.eof:
        piece = packed[position : position + _PIECE]
        if not piece:
            raise _bad_gzip()
        try:
            unpacked += member.decompress(piece, limit + 1 - len(unpacked))
        except zlib.error:
            raise _bad_gzip() from None
        if len(unpacked) > limit:
            raise _too_large(limit)
        position += len(piece) - len(member.unused_data) - len(member.unconsumed_tail)
    return position


def _too_large(limit: int) -> HttpError:
    advice = "; send it in parts" if limit == BODY_LIMIT else ""  # of events, which come in any number
    size = f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
    return HttpError(413, f"the body may hold {size} at most, unpacked{advice}")


def _bad_gzip() -> InvalidInput:
    return InvalidInput([FieldError("body", "", "the body is announced as gzip and is not, or is cut short")])
