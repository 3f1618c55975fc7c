"""`mergecast queue`: what is in the queues now and what is wrong; `mergecast problems`: what was wrong."""

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import PENDING, connect, once_computed
from mergecast.cli.options import (
    HERE,
    LOCAL,
    AsJson,
    End,
    RepositoryName,
    Server,
    Start,
    ZoneOptions,
    check_repository,
)
from mergecast.cli.output import escape, print_found, print_json, print_table
from mergecast.cli.periods import Zone, read_period
from mergecast.errors import MergecastError
from mergecast.queues.model.instant import duration
from mergecast.queues.model.words import percentage

if TYPE_CHECKING:
    from mergecast.client.answers import Eta, ExpectedMerge, QueueContents, QueueEntry, QueueProblem, Queues


_COLUMNS = ("", "pull request", "priority", "waited", "batch", "expected", "at the latest", "merges")
_WHY_MISSING = {
    PENDING: "they are still being computed; repeat the command in a moment",
    "too_little_history": "a forecast needs 14 days and 200 merges on this branch within the last 60 days",
    "too_many_events": "this branch has more events than a forecast reads",
    "failed": "they could not be computed; the server's log says why",
    "silent": "no event has arrived for unusually long, so the queue may have changed",
    "known": "these pull requests merged in none of the replays",
}


def queue(
    repository: RepositoryName,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with code 1 if a queue has a problem; for scripts")
    ] = False,
    server: Server = HERE,
) -> int:
    """Show what is in the queues now; nine out of ten pull requests merge before `at the latest`."""
    check_repository(repository)
    zone = times.read()
    with connect(*server) as client:
        answer = once_computed(lambda: client.queue(repository), _is_pending)
    found = answer.value
    if check and found.queue_problems is None:
        raise MergecastError("this server is older and does not diagnose queues; upgrade it")
    status = 1 if check and found.queue_problems else 0
    if as_json:
        print_json(answer.raw)
        return status
    _print_problems(found, zone)
    if not found.queues:
        print("the queues are empty")
    for queue in found.queues:
        _print_queue(queue, zone)
    return status


def _print_problems(answer: "Queues", zone: Zone) -> None:
    """What is wrong comes first, then the queues for which that is unknown. Older servers say neither."""
    for problem in answer.queue_problems or ():
        where = f"{problem.base_ref} · {problem.queue_name}"
        since = zone.shown_text(problem.since)
        print(escape(f"{where}: {problem.name} since {since}: {problem.sentence}"))
        print(f"  {problem.advice}")
    for queue in answer.undiagnosed:
        print(escape(f"{queue.base_ref} · {queue.queue_name}: {queue.sentence}"))


def _print_queue(queue: "QueueContents", zone: Zone) -> None:
    print(escape(f"{queue.base_ref} · {queue.queue_name}"))
    print_table(_COLUMNS, [_entry_row(entry, zone) for entry in queue.entries])
    for entry in queue.entries:
        if entry.failed is not None:
            print(escape(f"#{entry.pull_request}: {entry.failed.sentence}"))
    if any(entry.expected_merge is None for entry in queue.entries):
        print(f"no expected time: {_WHY_MISSING[queue.expected_merges or 'too_little_history']}")
    elif queue.trust is not None:
        print(_trust(queue.trust.eta))


def _is_pending(answer: "Queues") -> bool:
    return any(queue.expected_merges == PENDING for queue in answer.queues)


def _trust(eta: "Eta") -> str:
    p50, p90 = eta.p50_range, eta.p90_range
    weeks = (
        f"; depending on the weeks, {p50.low:.0%} to {p50.high:.0%} and {p90.low:.0%} to {p90.high:.0%}"
        if p50 and p90
        else ""
    )
    return (
        f"of {eta.cases} past cases, {eta.p50:.0%} merged before the expected time "
        f"and {eta.p90:.0%} before the latest{weeks}"
    )


def _entry_row(entry: "QueueEntry", zone: Zone) -> tuple[str, ...]:
    return (
        str(entry.position),
        f"#{entry.pull_request}",
        entry.priority_rule_name or "-",
        duration(entry.waited_seconds),
        entry.batch_id or "-",
        *_expected(entry.expected_merge, zone),
    )


def _expected(expected: "ExpectedMerge | None", zone: Zone) -> tuple[str, str, str]:
    if expected is None:
        return "-", "-", "-"
    return zone.shown_text(expected.p50), zone.shown_text(expected.p90), percentage(expected.chance)


_USUAL = "28d"


def problems(
    repository: RepositoryName,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w; 28d by default")
    ] = None,
    start: Start = None,
    end: End = None,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Show the problems that queues had in a period; `mergecast queue` shows only those that hold now."""
    check_repository(repository)
    zone = times.read()
    length = _USUAL if since is None and start is None else since
    period = read_period(length, start, end, zone.tz, datetime.now(UTC))
    with connect(*server) as client:
        found = client.queue_problems(repository, period.query())
    show = partial(_print_past_problems, zone=zone)
    print_found(found, "no problems in this period", show, as_json=as_json)


def _print_past_problems(problems: "list[QueueProblem]", zone: Zone) -> None:
    columns = ("began", f"ended, {zone.name}", "branch", "queue", "problem")
    print_table(columns, [_past_problem(problem, zone) for problem in problems])


def _past_problem(problem: "QueueProblem", zone: Zone) -> tuple[str, ...]:
    return (
        zone.shown_text(problem.since),
        "holds" if problem.ended_at is None else zone.shown_text(problem.ended_at),
        *(problem.base_ref, problem.queue_name, problem.sentence),
    )
