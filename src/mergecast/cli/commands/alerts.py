"""`mergecast alerts`: when queues were clearly worse than their baselines."""

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

_WHY = {
    "recovered": "recovered",
    "no_data": "no data",
    "baseline_replaced": "pinned again",
    "baseline_deleted": "baseline deleted",
}


def alerts(
    repository: RepositoryName,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w; all that are kept by default"),
    ] = None,
    start: Start = None,
    end: End = None,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with code 1 if an alert holds now; for scripts")
    ] = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """Show current and past alerts against baselines, newest first."""
    check_repository(repository)
    zone = read_zone(tz, utc=utc)
    is_limited = since is not None or start is not None or end is not None
    period = read_period(since, start, end, zone.tz, datetime.now(UTC)).query() if is_limited else {}
    with connect(data_dir, url, token) as client:
        found = client.alerts(repository, period)
        has_baselines = bool(found) or bool(client.baselines(repository))
    status = 1 if check and any(alert["ended_at"] is None for alert in found) else 0
    why = "" if has_baselines else f": {repository} has no baselines; pin one with `mergecast baselines pin`"
    print_found(found, f"no alerts{why}", partial(_print_alerts, zone=zone), as_json=as_json)
    return status


def _print_alerts(alerts: list[dict[str, Any]], zone: Zone) -> None:
    columns = ("began", f"ended, {zone.name}", "why", "baseline", "alert")
    print_table(columns, [_row(alert, zone) for alert in alerts])


def _row(alert: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    is_over = alert["ended_at"] is not None
    return (
        zone.shown_text(alert["began_at"]),
        zone.shown_text(alert["ended_at"]) if is_over else "holds",
        _WHY.get(alert["end_reason"], alert["end_reason"]) if is_over else "-",
        alert["baseline"],
        alert["sentence"],
    )
