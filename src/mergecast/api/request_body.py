"""Request bodies: their media types, sizes and encodings.

A handler declares a `RequestBody` and asks it for the bytes. `body_buffers.py` reads from the connection;
nothing else does.
"""

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import msgspec
from starlette.requests import Request

from mergecast.access.rights import Admission, CredentialKind
from mergecast.api.body_buffers import LARGEST_BODY, BodyBuffers, BufferLimits, too_large
from mergecast.api.fair_shares import FairShare
from mergecast.api.problems import HttpError
from mergecast.api.routing import admission_of
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Fields, read_field
from mergecast.inputs.json_object import NOT_JSON, JsonObject

JSON = "application/json"
CALLER_LIMIT = 4 * LARGEST_BODY
CALLERS = BufferLimits(
    "credential", 16 * LARGEST_BODY, CALLER_LIMIT, most_arriving=100, seconds=60.0, keeps_oldest=True
)
# Anyone may begin a request without a credential, so the time is short: webhooks and tokens arrive at once.
VISITORS = BufferLimits("address", 4 * LARGEST_BODY, 2 * LARGEST_BODY, most_arriving=50, seconds=10.0)
_SMALL_BODY = 256 << 10
_CHUNK = 64 << 10
_MOST_MEMBERS = 10_000  # one for each event of the largest delivery


class Buffers:
    """The bodies in memory. Callers with a credential and visitors without one have separate limits."""

    def __init__(self, admit_again: Callable[[Admission], Awaitable[None]]) -> None:
        """`admit_again` raises the refusal of a request that would not be admitted any more."""
        self._admit_again = admit_again
        self._of_callers, self._of_visitors = BodyBuffers(CALLERS), BodyBuffers(VISITORS)
        # A large body takes many times its size in memory while it is decoded: one at a time.
        self._large_bodies = FairShare(1, 1, most_waiting=100, what="the reading of large bodies")

    @asynccontextmanager
    async def large_body(self, request: Request) -> AsyncIterator[None]:
        """Surrounds the decoding of a large body; callers take turns, and must still be admitted then."""
        admission = admission_of(request)
        async with self._large_bodies.turn(admission.caller.identity):
            await self._admit_again(admission)
            yield

    @asynccontextmanager
    async def receive(self, request: Request, limit: int) -> AsyncIterator[bytes]:
        """The body as sent; it counts as in memory until the block ends.

        A body may take a minute to arrive, so whoever sends it must still be admitted then.
        """
        admission = admission_of(request)
        caller = admission.caller
        buffers = self._of_visitors if caller.kind is CredentialKind.NONE else self._of_callers
        async with buffers.receive(request, caller.identity, limit) as body:
            await self._admit_again(admission)
            yield body


class RequestBody:
    """What one endpoint accepts as a body."""

    def __init__(
        self, limit: int, media_types: tuple[str, ...] = (JSON,), *, may_be_gzip: bool = True
    ) -> None:
        self.limit, self._media_types, self._may_be_gzip = limit, media_types, may_be_gzip

    def check_head(self, request: Request) -> str:
        """Returns the media type. Refuses a body of the wrong type or encoding, or a large one, unread."""
        media_type = _media_type(request, self._media_types)
        if is_gzip(request) and not self._may_be_gzip:
            raise HttpError(415, "the body of this request may not be encoded")
        self.check_length(request)
        return media_type

    def check_length(self, request: Request) -> None:
        """Refuses a body before it is read if its declared length is over the limit or not a number."""
        declared = request.headers.get("content-length", "0")
        if not (declared.isascii() and declared.isdigit()) or int(declared) > self.limit:
            raise too_large(self.limit)

    @asynccontextmanager
    async def read(self, buffers: Buffers, request: Request) -> AsyncIterator[bytes]:
        """The body, decompressed; it counts as in memory until the block ends."""
        async with buffers.receive(request, self.limit) as body:
            small = await self._unpack_small(body) if is_gzip(request) else body
            if small is not None:
                yield small
                return
            async with buffers.large_body(request):
                yield await asyncio.to_thread(unpack, body, self.limit)

    async def _unpack_small(self, packed: bytes) -> bytes | None:
        """The content, unless it is large: a small body does not wait for a turn."""
        limit = min(_SMALL_BODY, self.limit)
        if len(packed) > limit:
            return None
        try:
            return await asyncio.to_thread(unpack, packed, limit)
        except HttpError:
            return None

    @asynccontextmanager
    async def read_in_turn(self, buffers: Buffers, request: Request) -> AsyncIterator[bytes]:
        """The same for a body that is decoded as a whole: large ones are decoded one at a time."""
        async with self.read(buffers, request) as body:
            # A large compressed body has its turn already.
            needs_turn = len(body) > _SMALL_BODY and not is_gzip(request)
            async with buffers.large_body(request) if needs_turn else nullcontext():
                yield body


class ObjectBody(RequestBody):
    """A JSON object with a few declared fields; unknown fields are refused."""

    def __init__(self, fields: Fields, limit: int) -> None:
        super().__init__(limit)
        self.fields = fields
        self._object = JsonObject(tuple(fields))

    async def texts(self, buffers: Buffers, request: Request) -> Mapping[str, bytes]:
        """The JSON text of every field that was sent."""
        async with self.read(buffers, request) as body:
            return self._object.split(body)

    def value(self, name: str, text: bytes) -> Any:
        """The value of a short field."""
        return read_field(self.fields, name, _decoded(text))

    def content(self, texts: Mapping[str, bytes]) -> dict[str, Any]:
        """What all fields hold, not yet checked."""
        return {name: _decoded(text) for name, text in texts.items()}


def _decoded(text: bytes) -> Any:
    """Text that is not JSON, for example because it is not UTF-8, stays bytes: every field refuses these."""
    try:
        return msgspec.json.decode(text)
    except NOT_JSON:
        return text


def is_gzip(request: Request) -> bool:
    """Whether the body is compressed; gzip is the only encoding that is accepted."""
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise HttpError(415, f"the body may be encoded as gzip or not at all; got {encoding[:40]}")
    return encoding == "gzip"


def _media_type(request: Request, allowed: tuple[str, ...]) -> str:
    given, *parameters = (part.strip().lower() for part in request.headers.get("content-type", "").split(";"))
    if given not in allowed:
        came = given[:80] or "nothing"
        raise HttpError(415, f"the body must be of type {' or '.join(allowed)}; got {came}")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name == "charset" and value.strip('"') not in ("utf-8", "utf8", "us-ascii"):
            raise HttpError(415, f"the body must be in UTF-8; got {value[:40]}")
    return given


def unpack(packed: bytes, limit: int = LARGEST_BODY) -> bytes:
    """The content of one or several gzip members; decompression stops at the limit."""
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
    """Decompress one member in chunks, starting at `position`; returns where the next member starts."""
    while not member.eof:
        chunk = packed[position : position + _CHUNK]
        if not chunk:
            raise _bad_gzip()
        try:
            unpacked += member.decompress(chunk, limit + 1 - len(unpacked))
        except zlib.error:
            raise _bad_gzip() from None
        if len(unpacked) > limit:
            raise too_large(limit)
        position += len(chunk) - len(member.unused_data) - len(member.unconsumed_tail)
    return position


def _bad_gzip() -> InvalidInput:
    return InvalidInput(
        [FieldError("body", "", "the body is declared as gzip but is not gzip, or is cut short")]
    )
