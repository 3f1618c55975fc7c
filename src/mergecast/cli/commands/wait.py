"""`mergecast wait`: waits until a pull request is merged, or has left its queue."""

import asyncio
import sys
import time
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect_to, find_target, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.interruptible import abandon_threads, run_until_interrupted
from mergecast.cli.options import HERE, LOCAL, AsJson, PullRequest, Server, ZoneOptions, parse_pull_request
from mergecast.cli.output import escape, print_json
from mergecast.cli.periods import Zone, parse_timeout
from mergecast.cli.wait_course import Course, Ends, Outcome, Until, noted, reason_of
from mergecast.errors import MergecastError
from mergecast.process.data_folder import DataFolder
from mergecast.queues.model.instant import duration

if TYPE_CHECKING:
    from mergecast.answers import RemovalVerdict
    from mergecast.cli.connection import Target
    from mergecast.client.answers import Answer, PullState
    from mergecast.client.client import Client
    from mergecast.client.pull_watch import PullWatch

TIME_IS_OVER = 4
_UNKNOWN = 404
# A verdict usually takes less: the result should be there within 5 seconds after the event.
_VERDICT_SECONDS = 2.5


@dataclass(frozen=True, slots=True)
class _Wait:
    """What is waited for, and where lines go."""

    repository: str
    number: int
    ends: Ends
    deadline: float | None  # of the monotonic clock
    zone: Zone
    is_quiet: bool

    @property
    def name(self) -> str:
        return f"{self.repository}#{self.number}"

    def tell(self, line: str) -> None:
        if not self.is_quiet:
            now = datetime.now(UTC)
            clock = now.astimezone(self.zone.tz).strftime("%H:%M:%S")
            print(f"{clock} {escape(self.zone.translated(line, now))}", file=sys.stderr, flush=True)


@dataclass(slots=True)
class _Found:
    outcome: Outcome = Outcome.TIMEOUT
    state: "Answer[PullState] | None" = None
    verdict: "Answer[RemovalVerdict] | None" = None


def wait(
    pull_request: PullRequest,
    until: Annotated[
        Until, typer.Option(help="merged, or left: when it leaves its queue, merged or not")
    ] = Until.MERGED,
    through_removals: Annotated[
        bool, typer.Option("--through-removals", help="Go on after a removal, until it is merged")
    ] = False,
    timeout: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long to wait at most: 90s, 40m, 12h")
    ] = None,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> int:
    """Wait until a pull request is merged (exit code 0) or removed (1). 4: the time is over.

    It does not poll: the server says when something has changed.
    """
    begun, now = time.monotonic(), datetime.now(UTC)
    repository, number = parse_pull_request(pull_request)
    if through_removals and until is Until.LEFT:
        raise WrongUsage(
            "--through-removals needs --until merged: a removal ends the waiting with --until left"
        )
    deadline = None if timeout is None else begun + parse_timeout(timeout)
    asked = _Wait(
        repository, number, Ends(until, through_removals, now), deadline, times.read(), is_quiet=as_json
    )
    with (
        connect_to(_target(server), quiet=True) as client,
        needs_newer_server("know the state of pull requests"),
    ):
        found = run_until_interrupted(_follow(client, asked))
    _print(asked, found, timeout, as_json=as_json)
    if found.outcome is Outcome.TIMEOUT:
        return TIME_IS_OVER
    return int(found.outcome is Outcome.REMOVED and until is Until.MERGED)


def _target(server: Server) -> "Target":
    target = find_target(*server)
    if target.url is None and target.database_url is None and not DataFolder(target.data_dir).is_taken():
        raise WrongUsage(
            f"no server is running on `{target.data_dir}`, so nothing can change there; "
            "start `mergecast serve`, or name a server with --url"
        )
    return target


async def _follow(client: "Client", asked: _Wait) -> _Found:
    from mergecast.client.errors import ErrorResponse
    from mergecast.client.pull_watch import PullWatch

    abandon_threads()
    found = _Found()
    try:
        async with client.at_once() as http, asyncio.timeout_at(asked.deadline):
            watch = PullWatch(client, http, (asked.repository, asked.number), asked.tell)
            await _until_the_end(watch, asked, found)
    except TimeoutError:
        pass
    except ErrorResponse as error:
        if error.status == _UNKNOWN and "is not known here" in str(error):
            raise WrongUsage(str(error)) from error
        raise
    return found


async def _until_the_end(watch: "PullWatch", asked: _Wait, found: _Found) -> None:
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


def _print(asked: _Wait, found: _Found, timeout: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "repository": asked.repository,
                "pull_request": asked.number,
                "outcome": found.outcome,
                "state": found.state and found.state.raw,
                "verdict": found.verdict and found.verdict.raw,
            }
        )
        return
    sentence = _sentence(asked, found, timeout)
    print(escape(asked.zone.translated(f"{asked.name} {sentence}", datetime.now(UTC))))


def _sentence(asked: _Wait, found: _Found, timeout: str | None) -> str:
    state = found.state.value if found.state else None
    if found.outcome is Outcome.TIMEOUT:
        waited = duration(parse_timeout(timeout or ""))
        place = "nothing is known about it" if state is None else _place(state)
        done = "merged" if asked.ends.until is Until.MERGED else "out of the queue"
        return f"is not {done} after {waited}: {place}"
    if found.outcome is Outcome.MERGED:
        return f"was merged at {asked.zone.shown_text(state.since)}" if state else "was merged"
    removal = state.removal if state else None
    reason = found.verdict.value.sentence if found.verdict else removal and reason_of(removal)
    return f"was removed at {asked.zone.shown_text(removal.at if removal else None)}: {reason}"


def _place(state: "PullState") -> str:
    if state.waiting_for is not None:
        return state.waiting_for.sentence
    return "it is in the queue" if state.state == "in_queue" else "it is not in a queue"
