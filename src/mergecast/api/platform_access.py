"""Access of handlers to the code-hosting platform; without it, they use recorded snapshots."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from starlette.requests import Request

from mergecast.access.rights import CredentialKind
from mergecast.api.routing import admission_of
from mergecast.judge.pool import extended_document
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs

CALLS = 300

MayRead = Callable[[Repository], bool]


class OpenRecords(Protocol):
    """Records of open pull requests by number, and how many pull requests were left out."""

    @property
    def records(self) -> tuple[tuple[int, bytes], ...]: ...

    @property
    def not_looked_at(self) -> int: ...


class Forge(Protocol):
    """The platform's current data, in the form of recorded snapshots."""

    async def find(self, repository: Repository, token: str) -> None: ...

    async def pull_request(
        self, repository: Repository, number: int, needs: Needs, token: str, may_read: MayRead
    ) -> bytes: ...

    async def open_pull_requests(
        self, repository: Repository, needs: Needs, token: str, budget: int, may_read: MayRead
    ) -> OpenRecords: ...

    async def document(self, owner: str, name: str, token: str) -> str | None: ...


async def _nothing_to_close() -> None: ...


async def _no_token(_: Repository) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Platform:
    """The platform as configured: how to reach it, and the token for callers without a platform token."""

    forge: Forge
    token: str | None = None
    calls: int = CALLS  # for all open pull requests of a repository
    close: Callable[[], Awaitable[None]] = _nothing_to_close
    # Without a token: one that is made for a repository, or None if it cannot be read.
    make_token: Callable[[Repository], Awaitable[str | None]] = _no_token


@dataclass(frozen=True, slots=True)
class Access:
    """The platform, with the token to use for one request."""

    forge: Forge
    token: str
    calls: int
    may_read: MayRead  # whether the caller may see what the token can read

    async def pull_request(self, repository: Repository, number: int, needs: Needs) -> bytes:
        return await self.forge.pull_request(repository, number, needs, self.token, self.may_read)

    async def open_pull_requests(self, repository: Repository, needs: Needs) -> OpenRecords:
        return await self.forge.open_pull_requests(repository, needs, self.token, self.calls, self.may_read)

    async def remotes(self, owner: str, name: str) -> dict[str, str]:
        """The extended document; if it cannot be read, the simulation continues and says so."""
        if not self.may_read(Repository(owner, name)):
            return {}
        return await extended_document(partial(self.forge.document, token=self.token), owner, name)


async def access_for(platform: Platform | None, request: Request, repository: Repository) -> Access | None:
    """Access with the caller's token if it is a platform token, else with the configured one."""
    if platform is None:
        return None
    if own := _own_token(request):
        return Access(platform.forge, own, platform.calls, lambda _: True)
    token = platform.token or await platform.make_token(repository)
    if token is None:
        return None
    return Access(platform.forge, token, platform.calls, admission_of(request).caller.reaches)


def _own_token(request: Request) -> str | None:
    admission = admission_of(request)
    if admission.caller.kind is not CredentialKind.PLATFORM or admission.credential is None:
        return None
    return admission.credential.token.decode("ascii")
