"""The code-hosting platform as handlers ask it; without access, they fall back on what was recorded."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from starlette.requests import Request

from mergecast.access.rights import CredentialKind
from mergecast.api.routing import admission_of
from mergecast.errors import Conflict, NotFound
from mergecast.model.repository import Repository
from mergecast.model.snapshot import Needs

CALLS = 300

MayRead = Callable[[Repository], bool]


class OpenRecords(Protocol):
    """Recorded documents of open pull requests by number, and how many nobody looked at."""

    @property
    def records(self) -> tuple[tuple[int, bytes], ...]: ...

    @property
    def not_looked_at(self) -> int: ...


class Forge(Protocol):
    """What the platform says now, in the form of the recorded document."""

    async def find(self, repository: Repository, token: str) -> None: ...

    async def pull_request(
        self, repository: Repository, number: int, needs: Needs, token: str, may_read: MayRead
    ) -> bytes: ...

    async def open_pull_requests(
        self, repository: Repository, needs: Needs, token: str, budget: int, may_read: MayRead
    ) -> OpenRecords: ...

    async def document(self, owner: str, name: str, token: str) -> str | None: ...


async def _nothing_to_close() -> None: ...


@dataclass(frozen=True, slots=True)
class Platform:
    """How the platform is asked, and with which token when the caller has none of it."""

    forge: Forge
    token: str | None = None
    calls: int = CALLS  # for all open pull requests of a repository
    close: Callable[[], Awaitable[None]] = _nothing_to_close


@dataclass(frozen=True, slots=True)
class Access:
    """The platform with the token that counts for one request."""

    forge: Forge
    token: str
    calls: int
    may_read: MayRead  # whether the caller may see what the token shows of it

    async def pull_request(self, repository: Repository, number: int, needs: Needs) -> bytes:
        return await self.forge.pull_request(repository, number, needs, self.token, self.may_read)

    async def open_pull_requests(self, repository: Repository, needs: Needs) -> OpenRecords:
        return await self.forge.open_pull_requests(repository, needs, self.token, self.calls, self.may_read)

    async def remotes(self, owner: str, name: str) -> dict[str, str]:
        """The document that is extended; without it, the simulation goes on and says so."""
        if not self.may_read(Repository(owner, name)):
            return {}
        try:
            text = await self.forge.document(owner, name, self.token)
        except (NotFound, Conflict):
            return {}
        return {} if text is None else {f"{owner}/{name}": text}


def access_for(platform: Platform | None, request: Request) -> Access | None:
    """With the caller's token if it is one of the platform, else with that of the settings."""
    if platform is None:
        return None
    if own := _own_token(request):
        return Access(platform.forge, own, platform.calls, lambda _: True)
    if platform.token is None:
        return None
    return Access(platform.forge, platform.token, platform.calls, admission_of(request).caller.reaches)


def _own_token(request: Request) -> str | None:
    if admission_of(request).caller.kind is not CredentialKind.PLATFORM:
        return None
    _, _, token = request.headers["authorization"].partition(" ")
    return token.strip()
