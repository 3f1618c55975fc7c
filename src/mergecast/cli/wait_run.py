"""Waits for a pull request, with requests that end together with the time."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress

from mergecast.cli.errors import WrongUsage
from mergecast.cli.interruptible import abandon_threads
from mergecast.cli.wait_course import Course, Found, Outcome, Wait, noted
from mergecast.client.client import Client
from mergecast.client.errors import ErrorResponse
from mergecast.client.pull_watch import PullWatch
from mergecast.errors import MergecastError
from mergecast.process.concurrently import abandon

_UNKNOWN = 404
# A verdict usually takes less: the result should be there within 5 seconds after the event.
_VERDICT_SECONDS = 2.5
DOUBT_SECONDS = 60.0


async def follow(client: Client, asked: Wait, renewed: Callable[[], str | None]) -> Found:
    """What came of it; the deadline ends every read. `renewed` reads the credential from its file."""
    abandon_threads()
    found = Found()
    try:
        async with client.at_once() as http, asyncio.timeout_at(asked.deadline):
            watch = PullWatch(client, http, (asked.repository, asked.number), asked.tell, renewed)
            doubting = asyncio.create_task(_doubt(asked, found))
            try:
                await _until_the_end(watch, asked, found)
            finally:
                found.is_answered = watch.is_answered
                abandon(doubting)
    except TimeoutError:
        pass
    except ErrorResponse as error:
        if error.status == _UNKNOWN and "is not known here" in str(error):
            raise WrongUsage(str(error)) from error
        raise
    return found


async def _doubt(asked: Wait, found: Found) -> None:
    """Say so if the pull request has still never been in a queue: its number may be wrong."""
    await asyncio.sleep(DOUBT_SECONDS)
    if found.state is not None and found.state.value.state == "unknown":
        asked.tell(f"{asked.name} has never been in a queue, as far as is known: is the number right?")


async def _until_the_end(watch: PullWatch, asked: Wait, found: Found) -> None:
    course = Course()
    async with aclosing(watch.states()) as states:
        async for state in states:
            found.state = state
            before = course
            course, outcome = course.after(state.value, asked.ends)
            course = noted(course)
            if outcome is not None:
                found.outcome = outcome
                if outcome is Outcome.REMOVED:
                    with suppress(TimeoutError, MergecastError):
                        async with asyncio.timeout(_VERDICT_SECONDS):
                            found.verdict = await watch.verdict()
                return
            for line in course.lines(before, asked.zone):
                asked.tell(line)
