"""Reads pull requests and documents from the code-hosting platform, in the form of records."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

import msgspec

from mergecast.errors import FieldError, NotFound, SeveralDocuments
from mergecast.incoming.forge.part_readers import READERS, SHARED, Parts, read_reviews
from mergecast.incoming.forge.session import HeadMoved, NotGiven, Pull, Session, everything
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import (
    OK,
    RAW,
    Calls,
    GitHub,
    NoCallsLeft,
    PlatformCaller,
    decoded,
    links,
    page_number,
)
from mergecast.process.concurrently import run_all, run_both
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.repository import DOCUMENT_PATHS, Repository, several_documents
from mergecast.queues.model.snapshot import Needs, Part

_REVIEWERS = frozenset({Part.REVIEWS.key, Part.PERMISSIONS.key})
_MOST_CALLS = 500  # for one pull request: a safeguard that is never reached normally
_SECONDS = 30.0
_MOST_PULL_REQUESTS = 100
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class PullRequestRead:
    """A pull request as it was read, with its parts by key."""

    pull: Pull
    raw: bytes  # the JSON of the pull request
    parts: Mapping[str, object]

    def record(self, now: int) -> bytes:
        """The pull request and its parts as JSON, in the form in which they can be recorded."""
        return msgspec.json.encode(
            {"pull": msgspec.Raw(self.raw), **self.parts, "recorded_at": format_instant(now)}
        )


async def read(session: Session, number: int, needs: Needs) -> PullRequestRead:
    """Read in two rounds of requests; parts that the platform does not provide are left out."""
    # Permissions are fetched for reviewers, so reviews are needed in the first round.
    if needs.parts >= _REVIEWERS:
        (pull, raw), _ = await run_both(session.pull(number), _reviews(session, number))
    else:
        pull, raw = await session.pull(number)
    parts = Parts(session, pull, needs)
    found = await run_all([_part(parts, key) for key in READERS if key in needs.parts])
    return PullRequestRead(pull, raw, {key: value for given in found for key, value in given})


async def _reviews(session: Session, number: int) -> None:
    """Fetch the reviews into the memory of the session."""
    with suppress(NotGiven):
        await read_reviews(session, number)


async def _part(parts: Parts, key: str) -> tuple[tuple[str, object], ...]:
    """The part with its key, or nothing, because null would be a value."""
    try:
        return ((key, await READERS[key](parts)),)
    except NotGiven:
        return ()


@dataclass(frozen=True, slots=True)
class OpenPullRequests:
    """The records of open pull requests by number, newest first."""

    records: tuple[tuple[int, bytes], ...]
    total: int

    @property
    def not_looked_at(self) -> int:
        """How many exceeded a limit on number, calls or time, or changed while they were read."""
        return self.total - len(self.records)


class LiveForge:
    """Reading one pull request may take `seconds`, and reading a whole repository three times as long."""

    def __init__(self, platform: GitHub, now: Callable[[], int], seconds: float = _SECONDS) -> None:
        self._github = platform
        self._now = now
        self._seconds = seconds

    async def pull_request(
        self,
        repository: Repository,
        number: int,
        needs: Needs,
        token: str,
        may_read: Callable[[Repository], bool] = everything,
    ) -> bytes:
        """The record as JSON, with the needed parts as far as the platform provides them.

        Raises NotFound, HeadMoved, Moved, or PlatformDown.
        """
        session = self._session(repository, token, _MOST_CALLS, may_read)
        async with _in_time(self._seconds):
            found = await read(session, number, needs)
            if found.parts:
                found = await _checked(session, found)
        return found.record(self._now())

    async def open_pull_requests(
        self,
        repository: Repository,
        needs: Needs,
        token: str,
        budget: int,
        may_read: Callable[[Repository], bool] = everything,
    ) -> OpenPullRequests:
        """The newest open pull requests: at most 100, and as many as the budget of calls allows.

        Raises NotFound, Moved, PlatformDown, or NoCallsLeft if the budget is not enough for the list.
        """
        session = self._session(repository, token, budget, may_read)
        # The last third is for the list that shows which of them have not changed meanwhile.
        deadline = asyncio.get_running_loop().time() + 2 * self._seconds
        async with _in_time(3 * self._seconds):
            found, total = await _read_open(session, needs, deadline)
        now = self._now()
        return OpenPullRequests(tuple((result.pull.number, result.record(now)) for result in found), total)

    async def document(self, owner: str, name: str, token: str) -> str | None:
        """The configuration document on the default branch; None if there is none.

        Raises SeveralDocuments, NotFound, Moved, or PlatformDown.
        """
        repository = Repository(owner, name)
        session = self._session(repository, token, _MOST_CALLS)
        session.check_name()
        async with _in_time(self._seconds):
            texts = await run_all([_text(session, path) for path in DOCUMENT_PATHS])
        found = {path: text for path, text in zip(DOCUMENT_PATHS, texts, strict=True) if text is not None}
        if len(found) > 1:
            message = f"in {repository}, {several_documents([*found])}"
            raise SeveralDocuments([FieldError("path", "repository", message)])
        return next(iter(found.values()), None)

    async def find(self, repository: Repository, token: str) -> None:
        """Check that this token may see the repository.

        Raises NotFound, Moved, or PlatformDown.
        """
        session = self._session(repository, token, _MOST_CALLS)
        session.check_name()
        async with _in_time(self._seconds):
            answer = await session.github.get(session.path, session.caller)
            await session.check_place(answer)
        if answer.status != OK:
            raise NotFound(f"the code-hosting platform does not show {repository}")

    def _session(
        self,
        repository: Repository,
        token: str,
        calls: int,
        may_read: Callable[[Repository], bool] = everything,
    ) -> Session:
        return Session(self._github, repository, PlatformCaller(token, Calls(calls)), may_read)


async def _checked(session: Session, found: PullRequestRead) -> PullRequestRead:
    """Read the pull request again: by now the platform has computed late fields such as `mergeable`."""
    last, raw = await session.pull(found.pull.number)
    if last.state != found.pull.state:
        raise HeadMoved(last.number)
    return PullRequestRead(last, raw, found.parts)


async def _text(session: Session, path: str) -> str | None:
    answer = await session.github.get(f"{session.path}/contents/{path}", session.caller, RAW)
    await session.check_place(answer)
    # A folder with that name has a listing instead of raw content.
    if answer.status != OK or "raw" not in answer.headers.get("content-type", ""):
        return None
    return answer.body.decode("utf-8-sig", "replace")


@asynccontextmanager
async def _in_time(seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise PlatformDown(f"the code-hosting platform took longer than {seconds:g} seconds") from None


async def _read_open(session: Session, needs: Needs, deadline: float) -> tuple[list[PullRequestRead], int]:
    """The pull requests that could be read, and how many are open."""
    listed, total = await _list(session)
    last = session.caller.calls.set_aside(1)
    turns = asyncio.Semaphore(_AT_ONCE)

    async def in_turn(number: int) -> PullRequestRead | None:
        async with turns:
            return await _read_within_budget(session, number, needs, deadline)

    found = await run_all([in_turn(pull.number) for pull in listed])
    # A single list shows which of them have changed meanwhile.
    now, _ = await _first_page(_with_budget(session, last))
    states = {pull.number: pull.state for pull in now}
    kept = [result for result in found if result and states.get(result.pull.number) == result.pull.state]
    return kept, total


async def _read_within_budget(
    session: Session, number: int, needs: Needs, deadline: float
) -> PullRequestRead | None:
    """None if it takes too many calls, takes too long, or no longer exists."""
    calls = session.caller.calls
    try:
        share = calls.set_aside(1 + len(needs.parts & READERS.keys() - SHARED))
    except NoCallsLeft:
        return None
    try:
        async with asyncio.timeout_at(deadline):
            return await read(_with_budget(session, share), number, needs)
    except (NoCallsLeft, NotFound, TimeoutError):
        return None
    finally:
        share.give_back()


async def _list(session: Session) -> tuple[list[Pull], int]:
    """The newest pull requests, and how many are open."""
    listed, is_all = await _first_page(session)
    if is_all:
        return listed, len(listed)
    # With one pull request per page, the number of pages is the number of pull requests.
    answer = await session.github.get(f"{session.path}/pulls?state=open&per_page=1", session.caller)
    return listed, max(page_number(links(answer.headers).get("last", "")) or 0, len(listed))


async def _first_page(session: Session) -> tuple[list[Pull], bool]:
    session.check_name()
    path = f"{session.path}/pulls?state=open&sort=created&direction=desc&per_page={_MOST_PULL_REQUESTS}"
    answer = await session.github.get(path, session.caller)
    await session.check_place(answer)
    if answer.status != OK:
        raise NotFound(f"the platform shows no repository {session.repository} to this token")
    return decoded(answer, list[Pull]), "next" not in links(answer.headers)


def _with_budget(session: Session, calls: Calls) -> Session:
    return replace(session, caller=replace(session.caller, calls=calls))
