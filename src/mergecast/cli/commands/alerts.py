"""`mergecast alerts`: when queues were clearly worse than their baselines."""

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.options import (
    ALL_DATES,
    HERE,
    LOCAL,
    AsJson,
    KeptDates,
    RepositoryName,
    Server,
    ZoneOptions,
    check_repository,
)
from mergecast.cli.output import print_found, print_table
from mergecast.cli.periods import Zone

if TYPE_CHECKING:
    from mergecast.answers import Alert

_WHY = {
    "recovered": "recovered",
    "no_data": "no data",
    "baseline_replaced": "pinned again",
    "baseline_deleted": "baseline deleted",
}


def alerts(
    repository: RepositoryName,
    dates: KeptDates = ALL_DATES,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with code 1 if an alert holds now; for scripts")
    ] = False,
    server: Server = HERE,
) -> int:
    """Show current and past alerts against baselines, newest first."""
    check_repository(repository)
    zone = times.read()
    period = dates.query(zone, datetime.now(UTC))
    with connect(*server) as client:
        found = client.alerts(repository, period)
        has_baselines = bool(found.value) or bool(client.baselines(repository).value)
    status = 1 if check and any(alert.ended_at is None for alert in found.value) else 0
    why = "" if has_baselines else f": {repository} has no baselines; pin one with `mergecast baselines pin`"
    print_found(found, f"no alerts{why}", partial(_print_alerts, zone=zone), as_json=as_json)
    return status


def _print_alerts(alerts: "list[Alert]", zone: Zone) -> None:
    columns = ("began", f"ended, {zone.name}", "why", "baseline", "alert")
    print_table(columns, [_row(alert, zone) for alert in alerts])


def _row(alert: "Alert", zone: Zone) -> tuple[str, ...]:
    why = alert.end_reason or "-"
    return (
        zone.shown_text(alert.began_at),
        "holds" if alert.ended_at is None else zone.shown_text(alert.ended_at),
        _WHY.get(why, why),
        alert.baseline,
        alert.sentence,
    )
