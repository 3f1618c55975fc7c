"""`mergecast wait`: waits until a pull request is merged, or has left its queue."""

import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect_to, find_target, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, PullRequest, Server, ZoneOptions, parse_pull_request
from mergecast.cli.output import print_json, say
from mergecast.cli.periods import parse_timeout
from mergecast.cli.wait_course import Ends, Found, Outcome, Until, Wait, reason_of
from mergecast.queues.model.instant import duration

if TYPE_CHECKING:
    from mergecast.cli.connection import Target
    from mergecast.queues.answers.pulls import PullState

TIME_IS_OVER = 4


def wait(
    pull_request: PullRequest,
    *,
    until: Annotated[
        Until, typer.Option(help="merged, or left: when it leaves its queue, merged or not")
    ] = Until.MERGED,
    through_removals: Annotated[
        bool, typer.Option("--through-removals", help="Keep waiting after a removal, until it is merged")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="It was removed before: wait until it is queued again, and then")
    ] = False,
    timeout: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long to wait at most: 90s, 40m, 12h")
    ] = None,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> int:
    """Is it merged yet? Waits until it is merged or removed.

    Exit code 0: merged; 1: removed, now or before; 4: the time of --timeout is over; 5: the
    credential has ended. It does not poll: the server says when something has changed.

    Example: mergecast wait demo/harbor#2203 --timeout 40m
    """
    begun, now = time.monotonic(), datetime.now(UTC)
    from mergecast.cli.interruptible import run_until_interrupted
    from mergecast.cli.wait_run import follow

    repository, number = parse_pull_request(pull_request)
    if through_removals and until is Until.LEFT:
        raise WrongUsage(
            "--through-removals needs --until merged: with --until left, a removal ends the wait"
        )
    deadline = None if timeout is None else begun + parse_timeout(timeout)
    asked = Wait(
        repository,
        number,
        Ends(until, through_removals, now, again),
        deadline,
        times.read(),
        is_quiet=as_json,
    )
    target = _target(server)
    with (
        connect_to(target, quiet=True) as client,
        needs_newer_server("know the state of pull requests"),
    ):
        found = run_until_interrupted(follow(client, asked, partial(_token_in_file, target)))
    _print(asked, found, timeout, as_json=as_json)
    if found.outcome is Outcome.TIMEOUT:
        return TIME_IS_OVER
    return int(found.outcome is Outcome.REMOVED and until is Until.MERGED)


def _target(server: Server) -> "Target":
    from mergecast.process.data_folder import DataFolder

    target = find_target(*server)
    if target.url is None and target.database_url is None and not DataFolder(target.data_dir).is_taken():
        raise WrongUsage(
            f"no server is running on `{target.data_dir}`, so nothing can change there; "
            "start `mergecast serve`, or name a server with --url"
        )
    return target


def _token_in_file(target: "Target") -> str | None:
    """That of the server which owns the data folder now; None if the credential was given."""
    from mergecast.process.data_folder import DataFolder

    address = None if target.url or target.database_url else DataFolder(target.data_dir).address()
    return None if address is None else address.token


def _print(asked: Wait, found: Found, timeout: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "repository": asked.repository,
                "pull_request": asked.number,
                "outcome": found.outcome,
                "sentence": f"{asked.name} {_sentence(asked, found, timeout)}",
                "server_answers": found.is_answered,
                "state": found.state and found.state.raw,
                "verdict": found.verdict and found.verdict.raw,
            }
        )
        return
    sentence = _sentence(asked, found, timeout)
    say(asked.zone.translated(f"{asked.name} {sentence}", datetime.now(UTC)))


def _sentence(asked: Wait, found: Found, timeout: str | None) -> str:
    state = found.state.value if found.state else None
    if found.outcome is Outcome.TIMEOUT:
        waited = duration(parse_timeout(timeout or ""))
        done = "merged" if asked.ends.until is Until.MERGED else "out of the queue"
        if state is None:
            return f"is not known to be {done} after {waited}: the server has not answered"
        last = "" if found.is_answered else "; the server has stopped answering"
        return f"is not {done} after {waited}: {_place(state)}{last}"
    if found.outcome is Outcome.MERGED:
        return f"was merged at {asked.zone.shown_text(state.since)}" if state else "was merged"
    removal = state.removal if state else None
    reason = found.verdict.value.sentence if found.verdict else removal and reason_of(removal)
    return f"was removed at {asked.zone.shown_text(removal.at if removal else None)}: {reason}"


def _place(state: "PullState") -> str:
    if state.waiting_for is not None:
        return state.waiting_for.sentence
    if state.state == "unknown":
        return "it has never been in a queue, as far as is known"
    return "it is in the queue" if state.state == "in_queue" else "it is not in a queue"
