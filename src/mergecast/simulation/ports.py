"""What a simulation needs from outside. The server and the command line each provide it."""

from typing import Protocol, TypeVar

import msgspec

from mergecast.judge.messages import ForecastFound, Setting
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
