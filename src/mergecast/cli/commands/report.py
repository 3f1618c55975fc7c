"""`mergecast report`: a period of a repository's queues as one page for mail, a wiki or paper."""

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.group_names import FILTERS, check_filters
from mergecast.cli.options import (
    Branch,
    DataDir,
    End,
    PriorityRule,
    Queue,
    RepositoryName,
    Since,
    Start,
    TimeZone,
    Token,
    Url,
    Utc,
    check_repository,
    draft_of,
    read_output,
)
from mergecast.cli.periods import read_period, read_zone

_SLOWEST = 20


def report(
    repository: RepositoryName,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="HTML file to write; - for standard output"),
    ],
    since: Since = None,
    start: Start = None,
    end: End = None,
    branch: Branch = None,
    queue: Queue = None,
    priority_rule: PriorityRule = None,
    tz: TimeZone = None,
    utc: Utc = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Write one page with the figures, charts and slowest stays of a period; by default of the last 7 days.

    The file needs nothing else: no scripts, no pictures from elsewhere.
    """
    from mergecast.cli.report_page import Report, page

    check_repository(repository)
    zone, now = read_zone(tz, utc=utc), datetime.now(UTC)
    period = read_period(since, start, end, zone.tz, now)
    given = {"--branch": branch, "--queue": queue, "--priority-rule": priority_rule}
    filters = {FILTERS[option]: values for option, values in given.items() if values}
    asked = {**period.query(), **filters}
    file = read_output(output)
    draft = None if file is None else draft_of(file)
    with connect(data_dir, url, token) as client:
        summary = client.summary(repository, {**asked, "intervals": "true"})
        check_filters(client, repository, filters, summary["queues"])
        reasons = client.statistic(repository, "queues_pr_exit_reasons", asked)
        stays = client.stays(repository, {**asked, "order": "-seconds", "limit": _SLOWEST})
    text = page(Report(repository, filters, summary, reasons, stays, zone, now))
    if file is None or draft is None:
        sys.stdout.buffer.write(text.encode())
        return
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    print(f"wrote the report of {repository} to {output}", file=sys.stderr)
