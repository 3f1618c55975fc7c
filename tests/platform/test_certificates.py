"""Over HTTPS, a server whose certificate is not trusted gets no request."""

import asyncio
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from certificates import self_signed
from local_http import LocalServer, Reply
from mergecast.client.client import Client
from mergecast.client.errors import Unreachable
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer

pytestmark = pytest.mark.server


@pytest.fixture
def untrusted(tmp_path: Path) -> Iterator[LocalServer]:
    """A server with a certificate for 127.0.0.1 that it signed itself."""
    server = LocalServer(lambda _: Reply(200, b'{"repositories": []}'))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed(tmp_path / "certificate.pem"))
    server.encrypt(context)
    with server:
        yield server


@pytest.mark.parametrize("scheme", ["https", "HTTPS"])
def test_a_command_sends_it_no_token(untrusted: LocalServer, scheme: str) -> None:
    """However the scheme is written."""
    url = untrusted.url.replace("http", scheme)

    with Client(url, "a token") as client, pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
        client.repositories()

    assert [] == untrusted.asked


def test_the_server_fetches_nothing_from_it(untrusted: LocalServer) -> None:
    """A platform at this address does not get the callers' tokens."""

    async def fetch() -> None:
        fetcher = Fetcher()
        try:
            await fetcher.get(untrusted.url.replace("http", "https"))
        finally:
            await fetcher.close()

    with pytest.raises(NoAnswer, match="CERTIFICATE_VERIFY_FAILED"):
        asyncio.run(fetch())

    assert [] == untrusted.asked
