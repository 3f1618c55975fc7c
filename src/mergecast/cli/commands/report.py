"""`mergecast report`: a period of a repository's queues as one page for mail, a wiki or paper."""

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.group_names import check_filters
from mergecast.cli.options import (
    EVERYTHING,
    HERE,
    LAST_DAYS,
    LOCAL,
    AsJson,
    Dates,
    Filters,
    RepositoryName,
    Server,
    ZoneOptions,
    check_repository,
    draft_of,
    read_output,
)
from mergecast.cli.output import print_json

_SLOWEST = 20


def report(
    repository: RepositoryName,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="HTML file to write; - for standard output"),
    ],
    dates: Dates = LAST_DAYS,
    chosen: Filters = EVERYTHING,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Write one page with the figures, charts and slowest stays of a period; by default of the last 7 days.

    The file needs nothing else: no scripts, no pictures from elsewhere.
    """
    from mergecast.cli.report_page import Report, page

    check_repository(repository)
    zone, now = times.read(), datetime.now(UTC)
    filters, period = chosen.query(), dates.read(zone, now).query()
    asked: dict[str, str | list[str]] = {**period, **filters}
    file = read_output(output)
    draft = None if file is None else draft_of(file)
    with connect(*server) as client:
        summary = client.summary(repository, {**asked, "intervals": "true"}).value
        check_filters(client, repository, filters, summary.queues)
        reasons = client.exit_reasons(repository, asked)
        judged = client.verdicts(repository, period).value.queues
        stays = client.stays(repository, {**asked, "order": "-seconds", "limit": _SLOWEST}).value.stays
    asked_for = {(queue.base_ref, queue.queue_name) for queue in summary.queues}
    chosen_queues = [queue for queue in judged if (queue.base_ref, queue.queue_name) in asked_for]
    text = page(Report(repository, filters, summary, reasons, stays, chosen_queues, zone, now))
    if file is None or draft is None:
        sys.stdout.buffer.write(text.encode())
        return
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    if as_json:
        print_json({"repository": repository, "file": output})
    else:
        print(f"wrote the report of {repository} to {output}", file=sys.stderr)
