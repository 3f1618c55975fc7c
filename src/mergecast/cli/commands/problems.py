"""`mergecast problems`: what was wrong with the queues of a repository, now and in the past."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

import typer

from mergecast.cli.connection import connect
from mergecast.cli.options import (
    AsJson,
    DataDir,
    End,
    RepositoryName,
    Start,
    TimeZone,
    Token,
    Url,
    Utc,
    check_repository,
)
from mergecast.cli.output import print_found, print_table
from mergecast.cli.periods import Zone, read_period, read_zone

_USUAL = "28d"


def problems(
    repository: RepositoryName,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w; 28d by default")
    ] = None,
    start: Start = None,
    end: End = None,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Show the problems that queues had in a period; `mergecast queue` shows only those that hold now."""
    check_repository(repository)
    zone = read_zone(tz, utc=utc)
    length = _USUAL if since is None and start is None else since
    period = read_period(length, start, end, zone.tz, datetime.now(UTC))
    with connect(data_dir, url, token) as client:
        found = client.queue_problems(repository, period.query())
    show = partial(_print_problems, zone=zone)
    print_found(found, "no problems in this period", show, as_json=as_json)


def _print_problems(problems: list[dict[str, Any]], zone: Zone) -> None:
    columns = ("began", f"ended, {zone.name}", "branch", "queue", "problem")
    print_table(columns, [_row(problem, zone) for problem in problems])


def _row(problem: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    ended = problem["ended_at"]
    return (
        zone.shown_text(problem["since"]),
        "holds" if ended is None else zone.shown_text(ended),
        *(problem["base_ref"], problem["queue_name"], problem["sentence"]),
    )
