"""Bodies of requests while they arrive and until they are handled: bounded in bytes, number and time.

Only bytes that have arrived count: a request that announces a large body and does not send it takes nothing
from others. When the bodies of all senders together are too large, the sender with the most bytes loses the
body that has been arriving for longest, and a sender that begins too many bodies loses its oldest one. So a
body that arrives quickly is received, whatever else is being sent.
"""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request

from mergecast.access.errors import TooManyRequests
from mergecast.api.problems import HttpError
from mergecast.errors import MergecastError, Unavailable
from mergecast.process.counts import Counts

LARGEST_BODY = 32 << 20


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """Limits for all senders together, and for each of them."""

    who: str  # what a sender is called in messages
    total: int
    per_sender: int
    most_arriving: int  # bodies of one sender that have begun to arrive and have not ended
    seconds: float  # in which a body must arrive
    # What goes when one sender has too much: its newest body, or its oldest. Many clients may share an
    # address, and there the oldest is the one that arrives too slowly.
    keeps_oldest: bool = False


@dataclass(eq=False, slots=True)
class _Body:
    sender: Hashable
    timeout: asyncio.Timeout
    length: int = 0
    is_arriving: bool = True
    refusal: MergecastError | None = None  # why it was dropped


class BodyBuffers:
    def __init__(self, limits: BufferLimits) -> None:
        self._limits = limits
        self._bodies: dict[_Body, None] = {}  # the oldest first
        self._bytes: Counts[Hashable] = Counts()
        self._arriving: Counts[Hashable] = Counts()

    @asynccontextmanager
    async def receive(self, request: Request, sender: Hashable, limit: int) -> AsyncIterator[bytes]:
        """The body as sent; it counts as in memory until the block ends. One over the limit is refused."""
        if self._arriving[sender] >= self._limits.most_arriving:
            self._drop_oldest(sender, _too_much())
        body = _Body(sender, asyncio.timeout(self._limits.seconds))
        self._bodies[body] = None
        self._arriving[sender] += 1
        try:
            content = await self._arrive(request, body, limit)
            self._note_end(body)
            yield content
        finally:
            self._note_end(body)
            self._forget_bytes(body)
            del self._bodies[body]

    async def _arrive(self, request: Request, body: _Body, limit: int) -> bytes:
        parts: list[bytes] = []
        try:
            async with body.timeout:
                async for part in request.stream():
                    parts.append(part)
                    self._count(body, len(part), limit)
        except TimeoutError:
            if body.refusal is None:
                seconds = f"{self._limits.seconds:g} seconds"
                raise HttpError(408, f"the body did not arrive within {seconds}") from None
        except ClientDisconnect:
            raise HttpError(408, "the client disconnected before the body was complete") from None
        if body.refusal is not None:
            raise body.refusal
        return b"".join(parts)

    def _count(self, body: _Body, length: int, limit: int) -> None:
        if body.refusal is not None:
            raise body.refusal
        body.length += length
        self._bytes[body.sender] += length
        if body.length > limit:
            raise too_large(limit)
        while self._bytes[body.sender] > self._limits.per_sender:
            if self._limits.keeps_oldest:
                raise self._too_much_of_one()
            self._drop_oldest(body.sender, self._too_much_of_one())
        while self._bytes.total() > self._limits.total:
            self._drop_one()

    def _drop_one(self) -> None:
        """Drop a body of the sender that has the most bytes, among those with a body that is arriving."""
        senders = [sender for sender, _ in self._bytes.most_common() if self._arriving[sender]]
        if not senders:
            raise _too_much()  # all bodies have arrived and are being handled
        self._drop_oldest(senders[0], _too_much())

    def _drop_oldest(self, sender: Hashable, refusal: MergecastError) -> None:
        """Stop receiving the body of this sender that has been arriving for longest."""
        body = next((body for body in self._bodies if body.sender == sender and body.is_arriving), None)
        if body is None:
            raise refusal
        body.refusal = refusal
        self._note_end(body)
        self._forget_bytes(body)
        if not body.timeout.expired():
            body.timeout.reschedule(0.0)

    def _too_much_of_one(self) -> TooManyRequests:
        return TooManyRequests(
            f"the bodies that this {self._limits.who} is sending take more than "
            f"{self._limits.per_sender >> 20} MiB; send this one again when another is done",
            1,
        )

    def _note_end(self, body: _Body) -> None:
        if body.is_arriving:
            body.is_arriving = False
            self._arriving.release(body.sender)

    def _forget_bytes(self, body: _Body) -> None:
        self._bytes.release(body.sender, body.length)
        body.length = 0


def _too_much() -> Unavailable:
    return Unavailable(
        "too many bodies are arriving, or this one arrives too slowly; send it again in a moment"
    )


def too_large(limit: int) -> HttpError:
    advice = "; send it in parts" if limit == LARGEST_BODY else ""  # only events can be split
    size = f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
    return HttpError(413, f"the body may be at most {size}, decompressed{advice}")
