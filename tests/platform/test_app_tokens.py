"""Tokens of a GitHub App: made once per repository, renewed before they expire."""

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from access.token_issuer import private_key
from mergecast.incoming.platform.app_tokens import AppKey, InstallationTokens, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, format_instant, parse_instant
from sources.faulty_server import FaultyServer, Reply, Request, faulty_server
from waiting import MOST_SECONDS

NOW = parse_instant("2026-09-14T10:00:00Z")


@cache
def _private_key(name: str) -> rsa.RSAPrivateKey:
    """Making one takes longer than all these tests."""
    if name == "of the App":
        of_the_issuer: rsa.RSAPrivateKey = private_key("rsa-1")
        return of_the_issuer
    return rsa.generate_private_key(65537, 2048)


def _pem(name: str) -> str:
    return (
        _private_key(name)
        .private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        .decode()
    )


class _Platform:
    """Knows one App, which is installed on acme/web."""

    def __init__(self) -> None:
        self.now, self.made = NOW, 0

    def __call__(self, request: Request) -> Reply:
        signed = request.headers["Authorization"].removeprefix("Bearer ")
        try:
            claims: dict[str, Any] = jwt.decode(
                signed,
                _private_key("of the App").public_key(),
                ["RS256"],
                options={"verify_exp": False, "verify_iat": False},
            )
        except jwt.PyJWTError:
            return Reply({"message": "A JSON web token could not be decoded"}, 401)
        second = self.now // SECOND
        assert ("42", True) == (claims["iss"], claims["iat"] <= second < claims["exp"] <= claims["iat"] + 600)
        if request.path == "/repos/acme/web/installation":
            return Reply({"id": 7})
        if (request.method, request.path) != ("POST", "/app/installations/7/access_tokens"):
            return Reply({"message": "Not Found"}, 404)
        self.made += 1
        return Reply({"token": f"ghs_{self.made}", "expires_at": format_instant(self.now + HOUR)}, 201)


@pytest.fixture
def platform() -> Iterator[tuple[_Platform, FaultyServer]]:
    made = _Platform()
    with faulty_server(made) as server:
        yield made, server


def _tokens(server: FaultyServer, now: Callable[[], int], key: str, *repositories: str) -> list[str]:
    async def main() -> list[str]:
        fetcher = Fetcher(MOST_SECONDS)
        tokens = InstallationTokens(server.url, AppKey("42", key), fetcher, now)
        try:
            return [await tokens.token(repository) for repository in repositories]
        finally:
            await fetcher.close()

    return asyncio.run(main())


def test_a_token_is_made_once_and_renewed_in_time(platform: tuple[_Platform, FaultyServer]) -> None:
    """GitHub's tokens last an hour; one that is about to expire is replaced."""
    github, server = platform
    instants = iter([NOW, NOW, NOW + 54 * MINUTE, *[NOW + 56 * MINUTE] * 10])

    def now() -> int:
        github.now = next(instants)
        return github.now

    assert ["ghs_1", "ghs_1", "ghs_2"] == _tokens(server, now, _pem("of the App"), *["acme/web"] * 3)


@pytest.mark.parametrize(
    ("repository", "key", "message"),
    [
        (
            "acme/other",
            lambda: _pem("of the App"),
            "the GitHub App 42 is not installed on acme/other; install it",
        ),
        ("acme/web", lambda: "no key", "the key of the GitHub App is not an RSA private key in PEM"),
        (
            "acme/web",
            lambda: _pem("another"),
            "GitHub does not accept the credentials of the App; check MERGECAST_GITHUB_APP_ID",
        ),
    ],
    ids=["not installed", "not a key", "another key"],
)
def test_an_app_that_cannot_be_used_says_why(
    platform: tuple[_Platform, FaultyServer], repository: str, key: Callable[[], str], message: str
) -> None:
    """What to do is part of the message."""
    with pytest.raises(UnusableApp, match=message):
        _tokens(platform[1], lambda: NOW, key(), repository)


def test_the_key_is_not_shown() -> None:
    """Neither in logs nor in tracebacks."""
    assert "AppKey(id='42')" == repr(AppKey("42", _pem("of the App")))
