"""The document of an OpenID Connect provider, and what a provider may do to this server with it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from access.oidc_provider import OidcProvider, oidc_provider, settings_of
from live_server import NO_LIMITS, LiveServer, live_server
from local_client import get
from local_http import Asked, LocalServer, Reply, refusing_url
from mergecast.access.oidc import OidcSignIn, UnusableDocument, read_provider_document
from mergecast.access.web_sign_in import SignInAttempt
from mergecast.incoming.platform.fetch import Fetched, Fetcher, PlatformDown
from mergecast.queues.model.instant import HOUR, SECOND
from waiting import MOST_SECONDS

_ISSUER = "https://login.acme.example"
_PATH = "/.well-known/openid-configuration"
_ATTEMPT = SignInAttempt("state", "verifier")


def _document(**changes: Any) -> bytes:
    return json.dumps(
        {
            "issuer": _ISSUER,
            "authorization_endpoint": f"{_ISSUER}/authorize",
            "token_endpoint": "https://tokens.acme.example/token?tenant=1",
            "jwks_uri": "https://keys.acme.example/",
            **changes,
        }
    ).encode()


def test_endpoints_on_other_hosts() -> None:
    """Large providers have them, and some have a query."""
    read = read_provider_document(_document(), _ISSUER)

    assert "https://tokens.acme.example/token?tenant=1" == read.token_endpoint


@pytest.mark.parametrize(
    ("document", "issuer", "message"),
    [
        (b"<html>", _ISSUER,
         "is not the document of an OpenID Connect provider: JSON is malformed: invalid character (byte 0)"),
        (b"{}", _ISSUER,
         "is not the document of an OpenID Connect provider: Object missing required field `issuer`"),
        (b"[" * 100_000, _ISSUER, None),
        (_document(issuer=f"{_ISSUER}/"), _ISSUER,
         "is of the issuer `https://login.acme.example/`, not of `https://login.acme.example`"),
        (_document(issuer="https://evil.example"), _ISSUER,
         "is of the issuer `https://evil.example`, not of `https://login.acme.example`"),
        (_document(jwks_uri="http://keys.acme.example/"), _ISSUER,
         "jwks_uri `http://keys.acme.example/` must begin with https://"),
        (_document(token_endpoint="http://127.0.0.1:9200/"), _ISSUER,
         "token_endpoint `http://127.0.0.1:9200/` must begin with https://"),
        (_document(jwks_uri="file:///etc/passwd"), _ISSUER,
         "jwks_uri `file:///etc/passwd` must begin with https://"),
        (_document(authorization_endpoint="javascript:alert(1)"), _ISSUER,
         "authorization_endpoint `javascript:alert(1)` must begin with https://"),
        (_document(authorization_endpoint="https://a\r\nSet-Cookie: b"), _ISSUER,
         "authorization_endpoint `https://a\r\nSet-Cookie: b` is not a URL"),
        (_document(token_endpoint="https://user@acme.example/"), _ISSUER,
         "token_endpoint `https://user@acme.example/` must have no user and no fragment"),
        (_document(token_endpoint="https://acme.example:port/"), _ISSUER,
         "token_endpoint `https://acme.example:port/` is not a URL"),
        (_document(issuer="http://127.0.0.1:8080", jwks_uri="http://10.0.0.7/"), "http://127.0.0.1:8080",
         "jwks_uri `http://10.0.0.7/` must begin with https://"),
    ],
)  # fmt: skip
def test_a_document_that_is_not_used(document: bytes, issuer: str, message: str | None) -> None:
    """It must be that of the issuer, and name only addresses with TLS."""
    with pytest.raises(UnusableDocument) as raised:
        read_provider_document(document, issuer)

    assert message is None or message == str(raised.value)


class _ImpatientFetcher(Fetcher):
    """Waits long for all answers but those of one path."""

    def __init__(self, path: str) -> None:
        super().__init__(MOST_SECONDS)
        self._path, self._impatient = path, Fetcher(0.5)

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> Fetched:
        return await (self._impatient.get if url.endswith(self._path) else super().get)(url, headers)

    async def send(self, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Fetched:
        send = self._impatient.send if url.endswith(self._path) else super().send
        return await send(method, url, headers, content)


def _run(
    provider: OidcProvider,
    ask: Callable[[OidcSignIn], Awaitable[object]],
    make_fetcher: Callable[[], Fetcher] = lambda: Fetcher(MOST_SECONDS),
) -> object:
    """Ask about a sign-in at this provider; a failure is its message."""

    async def run() -> object:
        fetcher = make_fetcher()
        try:
            return await ask(OidcSignIn(settings_of(provider.url), fetcher, lambda: 0))
        except PlatformDown as down:
            return str(down)
        finally:
            await fetcher.close()

    return asyncio.run(run())


@pytest.mark.server
@pytest.mark.parametrize(
    "reply",
    [
        Reply(404),
        Reply(200, b" " * (2 << 20)),
        Reply(302, b"", {"Location": "/"}),
        Reply(200, _document()),
    ],
)
def test_no_document(reply: Reply) -> None:
    """Missing, huge, elsewhere, or of another issuer."""
    with oidc_provider() as provider:
        provider.replies[_PATH] = reply
        failure = _run(provider, lambda oidc: oidc.address(_ATTEMPT, "http://127.0.0.1/return"))

    assert "signing in with Acme does not work right now" == failure


@pytest.mark.server
@pytest.mark.parametrize("path", [_PATH, "/token"])
def test_a_slow_provider(path: str) -> None:
    """No request waits longer than the limit, whichever answer does not come."""
    has_failed = Event()
    with oidc_provider() as provider:
        right = provider.answer

        def slowly(asked: Asked) -> Reply:
            if asked.path == path:
                has_failed.wait(MOST_SECONDS)
            return right(asked)

        with LocalServer(slowly) as slow:
            provider.url = slow.url
            impatient = partial(_ImpatientFetcher, path)
            failure = _run(provider, lambda oidc: oidc.credential("code", _ATTEMPT, ""), impatient)
            has_failed.set()

    assert "signing in with Acme does not work right now" == failure


@pytest.mark.server
def test_a_provider_that_fails_is_spared() -> None:
    """One request for many people, the next after some seconds; what was read before is still used."""
    now = 0
    down = Reply(503)

    async def ask(provider: OidcProvider, oidc: OidcSignIn, times: int) -> tuple[set[str], int]:
        before = len(provider.asked)
        attempts = (oidc.address(_ATTEMPT, "https://mergecast.example/return") for _ in range(times))
        found = await asyncio.gather(*attempts, return_exceptions=True)
        # A document that is read again arrives after the answers.
        await asyncio.sleep(0)
        return {type(one).__name__ for one in found}, len(provider.asked) - before

    async def run(provider: OidcProvider) -> list[tuple[set[str], int]]:
        nonlocal now
        fetcher, seen = Fetcher(MOST_SECONDS), []
        oidc = OidcSignIn(settings_of(provider.url), fetcher, lambda: now)
        for seconds, replies in ((0, {_PATH: down}), (4, {_PATH: down}), (1, {}), (1, {_PATH: down})):
            now, provider.replies = now + seconds * SECOND, replies
            seen.append(await ask(provider, oidc, 20))
        now += HOUR
        assert {"str"} == (await ask(provider, oidc, 20))[0]
        await fetcher.close()
        return seen

    with oidc_provider() as provider:
        seen = asyncio.run(run(provider))

    assert [({"PlatformDown"}, 1), ({"PlatformDown"}, 0), ({"str"}, 1), ({"str"}, 0)] == seen


@pytest.mark.server
@pytest.mark.parametrize(
    "methods", [None, ["client_secret_post"], ["client_secret_post", "client_secret_basic"]]
)
def test_how_the_server_proves_who_it_is(methods: list[str] | None) -> None:
    """In the way that the provider wants, by default with a header; so it is the code that is refused."""
    with oidc_provider() as provider:
        provider.document = {"token_endpoint_auth_methods_supported": methods}
        with pytest.raises(Exception, match="the provider refuses the code: invalid_grant"):
            _run(provider, lambda oidc: oidc.credential("code", _ATTEMPT, ""))


@pytest.mark.server
def test_the_server_starts_while_the_provider_is_down(tmp_path: Path) -> None:
    """It offers to sign in, and sends people back to a page that asks to try again."""
    with refusing_url() as issuer:
        policy = replace(NO_LIMITS, oidc=settings_of(issuer, name="", contact=""))
        with live_server(tmp_path, policy) as server:
            offered = get(f"{server.url}/v1/session").json()["oidc"]
            answer = get(f"{server.url}/v1/session/oidc")

    assert {"name": "127.0.0.1", "contact": None} == offered
    assert (303, "/#sign-in=unavailable&with=oidc") == (answer.status_code, answer.headers["location"])


@pytest.mark.server
def test_turned_off(server: LiveServer) -> None:
    """The paths say which setting is missing."""
    answers = [get(f"{server.url}/v1/session/oidc{path}") for path in ("", "/return?code=a&state=b")]

    message = "signing in with OpenID Connect is turned off: the operator has not set MERGECAST_OIDC_ISSUER"
    assert [(404, message)] * 2 == [(answer.status_code, answer.json()["detail"]) for answer in answers]
