"""`mergecast report`: a period of a repository's queues as one page for mail, a wiki or paper."""

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.group_names import check_filters
from mergecast.cli.options import (
    AsJson,
    Dates,
    Filters,
    RepositoryName,
    Server,
    ZoneOptions,
    draft_of,
    read_output,
)
from mergecast.cli.output import print_json, say


def report(
    repository: RepositoryName,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="HTML file to write; - for standard output"),
    ],
    *,
    dates: Dates,
    chosen: Filters,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """What happened last week? Writes one page to send to others.

    The page has the figures, charts and slowest stays of a period; by default of the last 7 days. The file
    needs nothing else: no scripts, no pictures from elsewhere.

    Example: mergecast report demo/harbor -o report.html
    """
    zone, filters = times.read(), chosen.query()
    period = dates.read(zone, datetime.now(UTC)).query()
    file = read_output(output)
    draft = None if file is None else draft_of(file)
    with connect(*server) as client:
        check_filters(client, repository, filters, ())
        # A zone of the machine may have no name that the server knows.
        named = getattr(zone.tz, "key", "UTC")
        page = client.report(repository, {**period, **filters, "time_zone": named})
    if file is None or draft is None:
        sys.stdout.buffer.write(page)
        return
    try:
        draft.write_bytes(page)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    if as_json:
        print_json({"repository": repository, "file": output})
    else:
        say(f"wrote the report of {repository} to {output}", file=sys.stderr)
