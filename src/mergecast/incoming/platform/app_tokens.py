"""Tokens of a GitHub App: made for an installation, valid for an hour, renewed in time."""

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import msgspec

from mergecast.errors import MergecastError
from mergecast.incoming.platform.fetch import (
    Fetched,
    Fetcher,
    NoAnswer,
    PlatformDown,
    answered,
    is_busy,
    is_limit,
    pause_seconds,
)
from mergecast.incoming.platform.github import decoded, headers_for
from mergecast.queues.model.instant import MINUTE, SECOND, NotAnInstant, parse_instant

# GitHub rejects a JWT that is valid for longer than ten minutes, or from a clock that is ahead.
_JWT_SECONDS, _SKEW_SECONDS = 540, 60
_RENEW_BEFORE = 5 * MINUTE
_OK, _CREATED, _UNAUTHORIZED, _NOT_FOUND = 200, 201, 401, 404


class UnusableApp(MergecastError):
    """The credentials of the GitHub App do not work."""


@dataclass(frozen=True, slots=True)
class AppKey:
    """The id of an App, and the private key that proves it."""

    id: str
    key: str = field(repr=False)  # PEM
    # What to do if GitHub does not accept them.
    advice: str = field(default="check MERGECAST_GITHUB_APP_ID and MERGECAST_GITHUB_APP_KEY_FILE", repr=False)

    def signed(self, now: int) -> str:
        """A token that identifies the App; it is only good for getting other tokens."""
        import jwt  # noqa: PLC0415 - the command line is also installed without it

        second = now // SECOND
        claims = {"iss": self.id, "iat": second - _SKEW_SECONDS, "exp": second + _JWT_SECONDS}
        try:
            return jwt.encode(claims, _rsa_key(self.key), algorithm="RS256")
        except (ValueError, TypeError, jwt.PyJWTError) as error:
            raise UnusableApp(
                f"the key of the GitHub App is not an RSA private key in PEM: {error}"
            ) from None


@lru_cache(maxsize=4)
def _rsa_key(pem: str) -> Any:
    """Reading and checking a key takes 0.2 s of CPU time, and signing with it 4 ms."""
    from jwt.algorithms import RSAAlgorithm  # noqa: PLC0415

    return RSAAlgorithm(RSAAlgorithm.SHA256).prepare_key(pem)


def can_sign() -> bool:
    """Whether the library that signs is installed; the command line does without it otherwise."""
    try:
        return find_spec("jwt") is not None
    except ModuleNotFoundError:
        return False


class _Installation(msgspec.Struct, frozen=True):
    id: int


class _Made(msgspec.Struct, frozen=True):
    token: str
    expires_at: str


class Token(NamedTuple):
    text: str
    renew_at: int


class AppApi:
    """What an App may ask GitHub for as itself, and not as one of its installations."""

    def __init__(self, url: str, app: AppKey, fetcher: Fetcher, now: Callable[[], int]) -> None:
        self.url, self.app, self.fetcher, self.now = url, app, fetcher, now

    async def installation_on(self, repository: str) -> int:
        """The id of the installation that can read a repository."""
        found = await self._ask("GET", f"/repos/{repository}/installation")
        if found.status == _NOT_FOUND:
            raise UnusableApp(
                f"the GitHub App {self.app.id} is not installed on {repository}; install it on that "
                "repository in the settings of its owner"
            )
        return decoded(self._checked(found), _Installation).id

    async def make_token(self, installation: int) -> Token:
        """A token for what an installation can read."""
        made = decoded(
            self._checked(await self._ask("POST", f"/app/installations/{installation}/access_tokens")), _Made
        )
        try:
            return Token(made.token, parse_instant(made.expires_at) - _RENEW_BEFORE)
        except NotAnInstant as error:
            raise PlatformDown(f"GitHub made a token that expires at an unreadable time: {error}") from None

    async def get(self, path: str) -> Fetched:
        return self._checked(await self._ask("GET", path))

    async def get_with(self, token: Token, path: str) -> Fetched:
        """Ask for something with the token of an installation."""
        return self._checked(await self._sent(self.fetcher.get(self.url + path, headers_for(token.text))))

    async def _ask(self, method: str, path: str) -> Fetched:
        headers: Mapping[str, str] = headers_for(self.app.signed(self.now()))
        if method == "GET":
            return await self._sent(self.fetcher.get(self.url + path, headers))
        return await self._sent(self.fetcher.post(self.url + path, headers, b""))

    async def _sent(self, request: Awaitable[Fetched]) -> Fetched:
        try:
            answer = await request
        except NoAnswer as error:
            raise PlatformDown(f"GitHub gives no token for the App: {error}") from error
        if is_limit(answer) or is_busy(answer):
            seconds = max(1, math.ceil(pause_seconds(answer, 1, self.now())))
            raise PlatformDown("GitHub gives no token for the App at the moment", seconds)
        return answer

    def _checked(self, answer: Fetched) -> Fetched:
        if answer.status == _UNAUTHORIZED:
            raise UnusableApp(f"GitHub does not accept the credentials of the App; {self.app.advice}")
        if answer.status not in (_OK, _CREATED):
            raise PlatformDown(f"when asked for a token for the App, GitHub {answered(answer)}")
        return answer


class InstallationTokens:
    """One token per repository, made when it is first needed."""

    def __init__(self, url: str, app: AppKey, fetcher: Fetcher, now: Callable[[], int]) -> None:
        self._api = AppApi(url, app, fetcher, now)
        self._tokens: dict[str, Token] = {}

    async def token(self, repository: str) -> str:
        """A token that can read the repository now."""
        kept = self._tokens.get(repository)
        if kept is None or kept.renew_at <= self._api.now():
            made = await self._api.make_token(await self._api.installation_on(repository))
            kept = self._tokens[repository] = made
        return kept.text
