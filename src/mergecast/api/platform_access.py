"""Access of handlers to the code-hosting platform; without it, they use recorded snapshots."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request

from mergecast.access.rights import CredentialKind
from mergecast.api.routing import admission_of
from mergecast.queues.model.repository import Repository
from mergecast.simulation.ports import CALLS, Access, Forge


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


async def access_for(platform: Platform | None, request: Request, repository: Repository) -> Access | None:
    """Access with the caller's token if it is a platform token, else with the configured one."""
    if platform is None:
        return None
    if own := _own_token(request):
        return Access(platform.forge, repository, own, platform.calls, lambda _: True)
    token = platform.token or await platform.make_token(repository)
    if token is None:
        return None
    return Access(platform.forge, repository, token, platform.calls, admission_of(request).caller.reaches)


def _own_token(request: Request) -> str | None:
    admission = admission_of(request)
    if admission.caller.kind is not CredentialKind.PLATFORM or admission.credential is None:
        return None
    return admission.credential.token.decode("ascii")
