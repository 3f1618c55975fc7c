"""What a simulation needs from outside. The server and the command line each provide it.

`Access` is the code-hosting platform, for one repository and with one token.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from mergecast.errors import Conflict, NotFound, SeveralDocuments
from mergecast.judge.messages import ForecastFound, Setting
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs

T = TypeVar("T")


class AskChild(Protocol):
    """Asks a child process. Raises LimitReached if the document of the question exceeds a limit."""

    async def __call__(self, task: str, question: msgspec.Struct, answer: type[T], /) -> T: ...


class OpenRecords(Protocol):
    """Records of open pull requests by number, and how many pull requests were left out."""

    @property
    def records(self) -> tuple[tuple[int, bytes], ...]: ...

    @property
    def not_looked_at(self) -> int: ...


class Live(Protocol):
    """What the code-hosting platform shows of one repository now. Raises NotFound if it does not show it."""

    async def current_document(self) -> str | None: ...

    async def extended_document(self, owner: str, name: str) -> dict[str, str]:
        """The document of another repository, by `owner/name`; empty if it cannot be read."""

    async def pull_request(self, number: int, needs: Needs) -> bytes: ...

    async def open_pull_requests(self, needs: Needs) -> OpenRecords: ...


class Recorded(Protocol):
    """What was recorded of one repository."""

    async def pull_request(self, number: int) -> bytes | None: ...

    async def open_pull_requests(self) -> OpenRecords: ...


class Forecast(Protocol):
    async def __call__(self, setting: Setting, current: str | None, /) -> ForecastFound | None:
        """The forecast for the document of this setting, compared with the current document if there is one.

        None if the history is too short.
        """


CALLS = 300

MayRead = Callable[[Repository], bool]


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


@dataclass(frozen=True, slots=True)
class Access:
    """The platform, with the repository and the token of one simulation."""

    forge: Forge
    repository: Repository
    token: str
    calls: int  # at most, for all open pull requests of the repository
    may_read: MayRead  # whether the caller may see another repository that the token can read

    async def find(self) -> None:
        """Raises NotFound if the token does not show the repository."""
        await self.forge.find(self.repository, self.token)

    async def pull_request(self, number: int, needs: Needs) -> bytes:
        return await self.forge.pull_request(self.repository, number, needs, self.token, self.may_read)

    async def open_pull_requests(self, needs: Needs) -> OpenRecords:
        return await self.forge.open_pull_requests(
            self.repository, needs, self.token, self.calls, self.may_read
        )

    async def current_document(self) -> str | None:
        return await self.forge.document(self.repository.owner, self.repository.name, self.token)

    async def extended_document(self, owner: str, name: str) -> dict[str, str]:
        """The document of another repository, by `owner/name`; empty if it cannot be read.

        Raises SeveralDocuments, because that repository must be corrected first.
        """
        if not self.may_read(Repository(owner, name)):
            return {}
        try:
            text = await self.forge.document(owner, name, self.token)
        except SeveralDocuments:
            raise
        except (NotFound, Conflict):
            return {}
        return {} if text is None else {f"{owner}/{name}": text}
