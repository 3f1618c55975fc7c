"""What servers answer: this service's own, the one at the public URL, and code-hosting platforms."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import msgspec

from mergecast.doctor.limits import MOST_REPOSITORIES
from mergecast.doctor.observed import Answer, PlatformAnswers, ServerAnswers
from mergecast.incoming.platform.app_tokens import InstallationTokens, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer, PlatformDown
from mergecast.incoming.sources.origin import Account
from mergecast.incoming.sources.registry import SOURCES
from mergecast.process.clock import now_in_microseconds

_OK = 200
_MOST_BYTES = 8 << 20
_NEWEST = f"/v1/repos?order=-last_event_at&limit={MOST_REPOSITORIES}"

T = TypeVar("T")


class Asker:
    """Asks one question after another; each may take this long."""

    def __init__(self, seconds: float) -> None:
        self._fetcher = Fetcher(seconds, _MOST_BYTES)

    async def ask(self, url: str, headers: Mapping[str, str] | None = None) -> Answer:
        try:
            answer = await self._fetcher.get(url, headers)
        except NoAnswer as error:
            return Answer(error=str(error))
        headers = answer.headers
        return Answer(
            answer.status,
            _decoded(answer.body),
            _ahead(headers),
            location=headers.get("location"),
            body=answer.body,
        )

    async def installation_token(self, account: Account, repository: str) -> str:
        """A token of the account's GitHub App; raises UnusableApp or PlatformDown."""
        if account.app is None:
            raise UnusableApp("no GitHub App is set up")
        tokens = InstallationTokens(account.url, account.app, self._fetcher, now_in_microseconds)
        return await tokens.token(repository)

    async def close(self) -> None:
        await self._fetcher.close()


def _ahead(headers: Mapping[str, str]) -> float | None:
    """How far the clock of whoever answered is ahead of this one; HTTP dates have whole seconds."""
    try:
        return parsedate_to_datetime(headers["date"]).timestamp() - time.time()
    except (KeyError, ValueError):
        return None


def _decoded(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def asking(seconds: float, questions: Callable[[Asker], Awaitable[T]]) -> T:
    """What the questions find out; each may take this long."""

    async def ask() -> T:
        asker = Asker(seconds)
        try:
            return await questions(asker)
        finally:
            await asker.close()

    return asyncio.run(ask())


def observe_server(url: str, token: str | None, seconds: float) -> ServerAnswers:
    return asking(seconds, lambda asker: _ask_server(asker, url.rstrip("/"), token))


async def _ask_server(asker: Asker, url: str, token: str | None) -> ServerAnswers:
    ready = await asker.ask(f"{url}/readyz")
    if ready.status is None or ready.get("status") is None:
        return ServerAnswers(url, ready)
    description = await asker.ask(f"{url}/v1/openapi.json")
    if token is None:
        return ServerAnswers(url, ready, description)
    headers = {"Authorization": f"Bearer {token}"}
    listed = await asker.ask(url + _NEWEST, headers)
    if listed.status != _OK:
        return ServerAnswers(url, ready, description, listed)
    names = [f"{row['owner']}/{row['repository']}" for row in listed.get("repositories") or ()]
    sources = {name: await asker.ask(f"{url}/v1/repos/{name}/sources", headers) for name in names}
    places = {name: f"repos/{name}" for name in names}
    places |= {name.partition("/")[0]: f"owners/{name.partition('/')[0]}" for name in names}
    channels = {name: await asker.ask(f"{url}/v1/{path}/channels", headers) for name, path in places.items()}
    return ServerAnswers(
        url, ready, description, listed, _members(sources, "sources"), _members(channels, "channels")
    )


def _members(answers: Mapping[str, Answer], member: str) -> dict[str, Any]:
    return {name: answer.get(member) for name, answer in answers.items() if answer.status == _OK}


def observe_public_url(url: str | None, seconds: float) -> Answer | None:
    """Without a credential: whoever answers there may be anyone."""
    if not url:
        return None
    return asking(seconds, lambda asker: asker.ask(f"{url.rstrip('/')}/healthz"))


def observe_platform(account: Account, repositories: Sequence[str], seconds: float) -> PlatformAnswers:
    """Whether the platform knows the token, and what the token may read of these repositories."""
    return asking(seconds, lambda asker: _ask_platform(asker, account, repositories))


async def _ask_platform(asker: Asker, account: Account, repositories: Sequence[str]) -> PlatformAnswers:
    source, token = SOURCES[account.source], account.token
    credential = f"MERGECAST_{source.token_setting.upper()}" if token else None
    if token is None and account.app is not None and repositories:
        credential = "MERGECAST_GITHUB_APP_KEY_FILE"
        try:
            token = await asker.installation_token(account, repositories[0])
        except (UnusableApp, PlatformDown) as error:
            return PlatformAnswers(account.source, account.url, credential, Answer(error=str(error)))
    root = account.url.removesuffix(source.probe.optional_suffix)
    # Without a token, a platform still says whether it can be reached.
    headers = dict(source.history().headers(token)) if token else {}
    first = await asker.ask(root + source.probe.path, headers)
    rights: dict[str, dict[str, int | None]] = {}
    if first.status == _OK and token is not None:
        for name in repositories:
            urls = source.probe.rights_urls(account.url, name)
            rights[name] = {what: (await asker.ask(url, headers)).status for what, url in urls.items()}
    return PlatformAnswers(account.source, account.url, credential, first, rights)
