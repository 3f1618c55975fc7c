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
from waiting import MOST_SECONDS

pytestmark = pytest.mark.server


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that signed itself."""
    return self_signed(tmp_path / "certificate.pem")


@pytest.fixture
def untrusted(certificate: Path) -> Iterator[LocalServer]:
    """A server with that certificate."""
    server = LocalServer(lambda _: Reply(200, b'{"repositories": []}'))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
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
    with pytest.raises(NoAnswer, match="CERTIFICATE_VERIFY_FAILED"):
        _fetch(untrusted)

    assert [] == untrusted.asked


def test_the_operator_can_trust_it(
    untrusted: LocalServer, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As companies with an authority of their own do, for commands and for servers."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with Client(untrusted.url.replace("http", "https"), "a token") as client:
        assert [] == client.repositories().value

    assert 200 == _fetch(untrusted)


def test_certificates_that_cannot_be_used(
    untrusted: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, empty = tmp_path / "missing.pem", tmp_path / "empty.pem"
    empty.write_text("nothing")
    reasons = {missing: "No such file or directory", empty: "it has no certificate"}
    found = {}
    for file in reasons:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        with pytest.raises(NoAnswer) as error:
            _fetch(untrusted)
        found[file] = str(error.value)

    assert found == {
        file: f"SSL_CERT_FILE is {file}, which cannot be used: {reason}" for file, reason in reasons.items()
    }
    assert [] == untrusted.asked


def _fetch(server: LocalServer) -> int:
    async def fetch() -> int:
        fetcher = Fetcher(MOST_SECONDS)
        try:
            return (await fetcher.get(server.url.replace("http", "https"))).status
        finally:
            await fetcher.close()

    return asyncio.run(fetch())
