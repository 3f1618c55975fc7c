"""Large bodies are decoded one at a time; small ones do not wait for them."""

import asyncio
import gzip
import os
from typing import Any

import pytest
from starlette.requests import Request

from mergecast.access.errors import Forbidden
from mergecast.access.rights import Admission, Caller, CredentialKind
from mergecast.api.request_body import Buffers, RequestBody
from mergecast.api.routing import ADMISSION
from waiting import MOST_SECONDS

_BODY = RequestBody(32 << 20)
_SMALL = b"[1]" * 1000
_BOMB = b" " * (1 << 20)
_SCATTERED = os.urandom(300 << 10)


def _request(name: str, body: bytes) -> Request:
    async def receive() -> Any:
        return {"type": "http.request", "body": gzip.compress(body)}

    caller = Caller(CredentialKind.APPLICATION, name, name, frozenset())
    headers = [(b"content-encoding", b"gzip")]
    scope = {"type": "http", "method": "POST", "headers": headers, ADMISSION: Admission(caller, "192.0.2.1")}
    return Request(scope, receive)


async def _admit(_: Admission) -> None:
    """Every caller may still call."""


async def _read(buffers: Buffers, request: Request) -> bytes:
    async with _BODY.read_in_turn(buffers, request) as body:
        return body


def test_a_small_compressed_body_does_not_wait_for_a_large_one() -> None:
    """Clients compress small deliveries too, and another key's large one may take a second."""

    async def scenario() -> bytes:
        buffers = Buffers(_admit)
        async with buffers.large_body(_request("heavy", b"")), asyncio.timeout(MOST_SECONDS):
            return await _read(buffers, _request("light", _SMALL))

    assert _SMALL == asyncio.run(scenario())


@pytest.mark.parametrize("large", [_BOMB, _SCATTERED], ids=["packed well", "packed badly"])
def test_a_large_compressed_body_waits_for_its_turn(large: bytes) -> None:
    """What counts is its length when it is decompressed."""

    async def scenario() -> tuple[bool, bytes]:
        buffers = Buffers(_admit)
        async with buffers.large_body(_request("heavy", b"")), asyncio.timeout(MOST_SECONDS):
            reading = asyncio.create_task(_read(buffers, _request("light", large)))
            small = await _read(buffers, _request("light", _SMALL))
            assert _SMALL == small
            was_waiting = not reading.done()
        return was_waiting, await reading

    assert (True, large) == asyncio.run(scenario())


def test_a_credential_that_is_revoked_while_its_body_waits_for_a_turn() -> None:
    """The body has arrived, but others are decoded before it."""
    revoked: set[str] = set()

    async def admit(admission: Admission) -> None:
        if admission.caller.name in revoked:
            raise Forbidden

    async def scenario() -> bytes:
        buffers = Buffers(admit)
        async with buffers.large_body(_request("heavy", b"")), asyncio.timeout(MOST_SECONDS):
            reading = asyncio.create_task(_read(buffers, _request("light", _BOMB)))
            await _read(buffers, _request("light", _SMALL))
            revoked.add("light")
        return await reading

    with pytest.raises(Forbidden):
        asyncio.run(scenario())
