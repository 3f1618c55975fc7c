"""The requests behind a tool, and what a model reads when one of them fails."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec

from mergecast.errors import MergecastError
from mergecast.queues.answers.repositories import Repositories
from mergecast.queues.model.repository import Repository
from mergecast.tools.strangers import cleaned, marked

T = TypeVar("T")
_REFUSED, _NOT_FOUND, _CONFLICT, _TOO_LARGE, _UNPROCESSABLE = 403, 404, 409, 413, 422
_BUSY = (408, 429, 503)
_USUAL_WAIT = 20
_OTHER_FORM = "This server is of another version and answers in another form. Ask a person to upgrade it."
_NO_PATH = "there is no such path"
# How the message about an unknown repository begins, whatever else is unknown.
_NO_REPOSITORY = "the repository "
_MOST_ERRORS = 5


class Asked(NamedTuple):
    """A request to the HTTP API."""

    method: str
    path: str
    query: Mapping[str, str | int]
    body: object = None


class Replied(NamedTuple):
    status: int
    body: bytes
    retry_seconds: int | None = None


Send = Callable[[Asked], Awaitable[Replied]]


class ToolError(MergecastError):
    """Why a tool has no answer, and what the model should do now."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks the API with the credential of whoever calls a tool."""

    send: Send
    now: Callable[[], int]

    async def about(self, repository: Repository, rest: str, **query: str | int) -> dict[str, Any]:
        """`GET` what is below the path of a repository."""
        return await self.read(repository, rest, dict[str, Any], **query)

    async def read(self, repository: Repository, rest: str, type: type[T], **query: str | int) -> T:
        """The same as the answer that is declared."""
        return self.answer(await self.reply(repository, rest, **query), repository, type)

    async def reply(
        self, repository: Repository, rest: str, body: object = None, **query: str | int
    ) -> Replied:
        """The answer as it is, errors included; with a body, of a `POST`."""
        path = f"/v1/repos/{repository}{rest}"
        return await self._sent(Asked("GET" if body is None else "POST", path, query, body))

    async def repositories(self, **query: str | int) -> Repositories:
        return self.answer(await self._sent(Asked("GET", "/v1/repos", query)), None, Repositories)

    async def _sent(self, asked: Asked) -> Replied:
        try:
            return await self.send(asked)
        except MergecastError as error:  # of a command whose server does not answer
            raise ToolError(f"{cleaned(str(error))}. {_later(None)}") from error

    @staticmethod
    def answer(replied: Replied, repository: Repository | None, type: type[T]) -> T:
        """What a successful answer contains; otherwise the error for the model."""
        if replied.status >= 400:  # noqa: PLR2004 - everything from there on is an error
            raise error_of(replied, repository)
        try:
            return msgspec.json.decode(replied.body, type=type)
        except msgspec.ValidationError as error:
            raise ToolError(_OTHER_FORM) from error


class Caller(NamedTuple):
    """Who calls a tool, and the arguments that were too long for the message."""

    asker: Asker
    long_arguments: Mapping[str, Any] = MappingProxyType({})


def error_of(replied: Replied, repository: Repository | None) -> ToolError:
    detail = detail_of(replied)
    if replied.status == _REFUSED or (replied.status == _NOT_FOUND and detail.startswith(_NO_REPOSITORY)):
        return no_access(repository)
    if replied.status in _BUSY:
        return ToolError(f"The server is busy. {_later(replied.retry_seconds)}")
    if replied.status == _NOT_FOUND and detail.startswith(_NO_PATH):
        return ToolError("This server is older and cannot answer this. Ask a person to upgrade it.")
    if replied.status in {_NOT_FOUND, _CONFLICT, _TOO_LARGE, _UNPROCESSABLE}:
        lines = [line.removeprefix("* ") for line in detail.splitlines()]
        said = " ".join(marked(line) for line in lines[:_MOST_ERRORS])
        return ToolError(f"The server refused this: {said}. Correct the input before you call again.")
    return ToolError(f"The server failed: {marked(detail)}. Tell a person; do not call again.")


def no_access(repository: Repository | None) -> ToolError:
    """The same whether the repository is unknown or the credential may not read it."""
    if repository is None:
        return ToolError("This credential may not do this. Ask a person for a key; do not try others.")
    return ToolError(
        f"{repository} is not known here, or this credential may not read it. list_repositories has the "
        "names that it may read. If the name is not there, ask a person for a key; do not try other names."
    )


def _later(seconds: int | None) -> str:
    return f"Call once more after {max(seconds or 0, _USUAL_WAIT)} s, not in a loop."


def detail_of(replied: Replied) -> str:
    try:
        document = msgspec.json.decode(replied.body, type=dict[str, Any])
    except msgspec.MsgspecError:
        return f"status {replied.status}"
    return str(document.get("detail", f"status {replied.status}"))
