"""Reads the open pull requests of a repository, within a budget of calls and time."""

import asyncio
from dataclasses import dataclass, replace

from mergecast.errors import NotFound
from mergecast.forge.part_readers import READERS, SHARED
from mergecast.forge.reading import Read, read
from mergecast.forge.session import Pull, Session, run_all
from mergecast.model.snapshot import Needs
from mergecast.platform.github import OK, Calls, NoCallsLeft, decoded, links, page_number

MOST = 100
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class OpenPullRequests:
    """Numbers and records, newest first."""

    records: tuple[tuple[int, bytes], ...]
    total: int

    @property
    def not_looked_at(self) -> int:
        """Those beyond the limits of number, calls or time, and those that changed while they were read."""
        return self.total - len(self.records)


async def read_open(session: Session, needs: Needs, deadline: float) -> tuple[list[Read], int]:
    """The pull requests that could be read, and how many are open."""
    listed, total = await _list(session)
    last = session.caller.calls.set_aside(1)
    turns = asyncio.Semaphore(_AT_ONCE)

    async def in_turn(number: int) -> Read | None:
        async with turns:
            return await _one(session, number, needs, deadline)

    found = await run_all([in_turn(one.number) for one in listed])
    # A single list shows which of them have changed meanwhile.
    now, _ = await _first_page(_with_budget(session, last))
    states = {pull.number: pull.state for pull in now}
    kept = [one for one in found if one is not None and states.get(one.pull.number) == one.pull.state]
    return kept, total


async def _one(session: Session, number: int, needs: Needs, deadline: float) -> Read | None:
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
    path = f"{session.path}/pulls?state=open&sort=created&direction=desc&per_page={MOST}"
    answer = await session.github.get(path, session.caller)
    await session.check_place(answer)
    if answer.status != OK:
        raise NotFound(f"the platform shows no repository {session.repository} to this token")
    return decoded(answer, list[Pull]), "next" not in links(answer.headers)


def _with_budget(session: Session, calls: Calls) -> Session:
    return replace(session, caller=replace(session.caller, calls=calls))
