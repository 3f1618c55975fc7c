"""`mergecast verdicts`: what was said about the removals of a period, and how often that was right."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, needs_newer_server
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
from mergecast.cli.output import escape, print_json, print_table
from mergecast.cli.periods import read_period
from mergecast.queues.model.words import causes_in_words

if TYPE_CHECKING:
    from mergecast.answers import QueueVerdicts, SaidAct

_USUAL = "28d"
_COLUMNS = (
    "said",
    "times",
    "came back and merged",
    "failed again",
    "came back changed",
    "did not return",
    "right",
)


def verdicts(
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
    """Show what was said about removed pull requests, what came of it, and how often it was right."""
    check_repository(repository)
    length = _USUAL if since is None and start is None else since
    period = read_period(length, start, end, times.read().tz, datetime.now(UTC))
    with connect(*server) as client, needs_newer_server("judge removals"):
        found = client.verdicts(repository, period.query())
    if as_json:
        print_json(found.raw)
    elif not found.value.queues:
        print("no removals in this period")
    else:
        for place, queue in enumerate(found.value.queues):
            if place:
                print()
            _print_queue(queue)


def _print_queue(queue: "QueueVerdicts") -> None:
    print(f"{escape(queue.queue_name)} → {escape(queue.base_ref)}: {queue.sentence}")
    print(f"Whose fault: {causes_in_words(queue.removal_causes.counts)}.")
    print_table(_COLUMNS, [_row(act) for act in queue.acts if act.said])


def _row(act: "SaidAct") -> tuple[str, ...]:
    came = act.outcomes
    right = f"{act.right} of {act.known}" if act.known else "-"
    counts = (act.said, came.merged, came.failed_again, came.changed, came.never_returned)
    return (act.act, *map(str, counts), right)
