"""Reads one repository of the platform with one token."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast
from urllib.parse import quote

import msgspec

from mergecast.errors import Conflict, FieldError, MergecastError, NotFound
from mergecast.incoming.platform.fetch import Fetched, PlatformDown
from mergecast.incoming.platform.github import (
    OK,
    REDIRECTS,
    UNLIKE_GITHUB,
    GitHub,
    PlatformCaller,
    TooManyPages,
    decoded,
)
from mergecast.queues.model.repository import Repository, is_name, is_owner


class NotGiven(MergecastError):
    """The platform does not provide this: it does not exist, or this token may not see it."""

    def __init__(self, message: str, *, is_missing: bool = False) -> None:
        super().__init__(message)
        self.is_missing = is_missing  # the platform answers that it does not exist


class HeadMoved(Conflict):
    """The pull request changed while it was being read."""

    def __init__(self, number: int) -> None:
        message = f"pull request {number} changed while it was being read; try again"
        super().__init__([FieldError("path", "number", message)])


class Moved(Conflict):
    """The repository was renamed."""

    def __init__(self, repository: Repository, name: str) -> None:
        message = f"the repository {repository} is now called {name}; use that name"
        super().__init__([FieldError("path", "repository", message)])
        self.name = name


T = TypeVar("T")
Item = dict[str, Any]

_NOT_FOUND = 404
_STEPS = ("", ".", "..")  # in a path they would change its meaning


class Account(msgspec.Struct, frozen=True):
    login: str
    type: str = "User"

    @property
    def is_bot(self) -> bool:
        return self.type == "Bot"


class _Named(msgspec.Struct, frozen=True):
    full_name: str


class Head(msgspec.Struct, frozen=True):
    ref: str
    sha: str
    repo: _Named | None = None  # None: the fork was deleted


class Base(msgspec.Struct, frozen=True):
    ref: str
    repo: _Named


class Pull(msgspec.Struct, frozen=True):
    """The fields that further requests need; all others are passed on without being read."""

    number: int
    head: Head
    base: Base
    created_at: str
    closed_at: str | None = None
    body: str | None = None
    requested_reviewers: tuple[Account, ...] = ()

    @property
    def state(self) -> tuple[str, str]:
        """While this does not change, all parts that were read belong together."""
        return self.head.sha, self.base.ref


class Memory:
    """Answers that are fetched once for all pull requests of a session."""

    def __init__(self) -> None:
        self._answers: dict[str, object] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def once(self, key: str, read: Callable[[], Awaitable[T]]) -> T:
        async with self._locks.setdefault(key, asyncio.Lock()):
            if key not in self._answers:
                try:
                    self._answers[key] = await read()
                except NotGiven as error:
                    self._answers[key] = error
        answer = self._answers[key]
        if isinstance(answer, NotGiven):
            raise answer
        return cast("T", answer)


def everything(_: Repository) -> bool:
    """A caller with a platform token may read everything that the token shows."""
    return True


@dataclass(frozen=True, slots=True)
class Session:
    github: GitHub
    repository: Repository
    caller: PlatformCaller
    may_read: Callable[[Repository], bool] = everything  # whether another repository may be read
    memory: Memory = field(default_factory=Memory)

    @property
    def path(self) -> str:
        return f"/repos/{segment(self.repository.owner)}/{segment(self.repository.name)}"

    async def pull(self, number: int) -> tuple[Pull, bytes]:
        """The fields of the pull request that further requests need, and its JSON."""
        self.check_name()
        answer = await self.github.get(f"{self.path}/pulls/{number}", self.caller)
        await self.check_place(answer)
        if answer.status != OK:
            raise NotFound(f"the platform shows no pull request {number} of {self.repository} to this token")
        pull = decoded(answer, Pull)
        owner, _, name = pull.base.repo.full_name.partition("/")
        if is_owner(owner) and is_name(name) and Repository(owner, name) != self.repository:
            raise Moved(self.repository, pull.base.repo.full_name)
        return pull, answer.body

    def check_name(self) -> None:
        if self.repository.name in _STEPS:
            raise NotFound(f"no repository is called `{self.repository.name}`")

    async def check_place(self, answer: Fetched) -> None:
        """Raise Moved if the repository was renamed; redirects are not followed."""
        if answer.status in REDIRECTS:
            name = await self.github.new_name(answer, self.caller)
            if name is None:
                raise NotFound(f"the platform shows no repository {self.repository} to this token")
            raise Moved(self.repository, name)

    async def item(self, path: str, form: type[T]) -> T:
        """What the platform answers to a path, as this type. Raises NotGiven."""
        answer = await self.github.get(path, self.caller)
        return decoded(_given(answer, path), form)

    async def every(self, path: str, form: type[list[T]], member: str | None = None) -> list[T]:
        """All items of a paginated list, which may be a member of each answer."""
        return [item async for page in self.pages(path, form, member) for item in page]

    async def pages(
        self, path: str, form: type[list[T]], member: str | None = None
    ) -> AsyncIterator[list[T]]:
        mark = "&" if "?" in path else "?"
        try:
            async for answer in self.github.pages(f"{path}{mark}per_page=100", self.caller):
                yield _items(_given(answer, path), form, member)
        except TooManyPages as error:
            # A part of a list would be mistaken for the whole list.
            raise NotGiven(str(error)) from None

    async def once(self, key: str, read: Callable[[], Awaitable[T]]) -> T:
        return await self.memory.once(key, read)


def segment(text: str) -> str:
    """A path segment, escaped, because it may come from a document or a name."""
    if text in _STEPS:
        raise NotGiven(f"`{text}` is not a name")
    return quote(text, safe="")


def converted(value: object, form: type[T]) -> T:
    """Part of an answer, converted to a type."""
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise PlatformDown(UNLIKE_GITHUB) from error


def _given(answer: Fetched, path: str) -> Fetched:
    if answer.status != OK:
        message = f"the platform answered {answer.status} to {path}"
        raise NotGiven(message, is_missing=answer.status == _NOT_FOUND)
    return answer


def _items(answer: Fetched, form: type[list[T]], member: str | None) -> list[T]:
    if member is None:
        return decoded(answer, form)
    members = decoded(answer, dict[str, msgspec.Raw])
    return decoded(replace(answer, body=bytes(members.get(member, b"null"))), form)
