"""`mergecast problems`: what was wrong with the queues of a repository, now and in the past."""

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
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
from mergecast.cli.output import print_found, print_table
from mergecast.cli.periods import Zone, read_period

if TYPE_CHECKING:
    from mergecast.client.answers import QueueProblem

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
    show = partial(_print_problems, zone=zone)
    print_found(found, "no problems in this period", show, as_json=as_json)


def _print_problems(problems: "list[QueueProblem]", zone: Zone) -> None:
    columns = ("began", f"ended, {zone.name}", "branch", "queue", "problem")
    print_table(columns, [_row(problem, zone) for problem in problems])


def _row(problem: "QueueProblem", zone: Zone) -> tuple[str, ...]:
    return (
        zone.shown_text(problem.since),
        "holds" if problem.ended_at is None else zone.shown_text(problem.ended_at),
        *(problem.base_ref, problem.queue_name, problem.sentence),
    )
