"""`mergecast stays`: the individual stays that ended in a period, the slowest or the latest first."""

import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.group_names import FILTERS, check_filters, newest_event, nothing_in
from mergecast.cli.kept_since import print_kept_since
from mergecast.cli.options import (
    AsJson,
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
)
from mergecast.cli.output import print_csv, print_json, print_table
from mergecast.cli.periods import Zone, read_period, read_zone
from mergecast.queues.model.figures import WAITS, Unit

_MOST = 1000
_COLUMNS = (
    *("pull request", "queue", "branch", "entered", "left", "reason", "time"),
    *WAITS.values(),
    "retries",
)
_CSV_COLUMNS = (
    *("session_id", "pull_request", "base_ref", "queue_name", "priority_rule_name"),
    *("entered_at", "left_at", "reason", "seconds", *(f"{wait}_seconds" for wait in WAITS), "retries"),
)


class Order(StrEnum):
    SLOWEST = "slowest"
    FASTEST = "fastest"
    LATEST = "latest"
    OLDEST = "oldest"


_ORDERS = {Order.SLOWEST: "-seconds", Order.FASTEST: "seconds", Order.LATEST: "-at", Order.OLDEST: "at"}


def stays(
    repository: RepositoryName,
    since: Since = None,
    start: Start = None,
    end: End = None,
    branch: Branch = None,
    queue: Queue = None,
    priority_rule: PriorityRule = None,
    order: Annotated[Order, typer.Option(help="Which ones come first")] = Order.SLOWEST,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST, help="List so many at most")] = 100,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV with one row per stay")] = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """List the stays that ended, and what they waited for; by default in the last 7 days."""
    if as_json and as_csv:
        raise WrongUsage("--json and --csv cannot be used together")
    check_repository(repository)
    zone = read_zone(tz, utc=utc)
    period = read_period(since, start, end, zone.tz, datetime.now(UTC))
    given = {"--branch": branch, "--queue": queue, "--priority-rule": priority_rule}
    filters = {FILTERS[option]: values for option, values in given.items() if values}
    asked = {**period.query(), **filters, "order": _ORDERS[order], "limit": limit}
    with connect(data_dir, url, token) as client:
        with needs_newer_server("list stays"):
            found = client.stays(repository, asked)
        check_filters(client, repository, filters, found["stays"])
        newest = None if found["stays"] else newest_event(client, repository)
    if not found["stays"]:
        span = f"{zone.shown(period.start)} to {zone.shown(period.end)}, {zone.name}"
        print(nothing_in(span, newest, zone), file=sys.stderr if as_json or as_csv else sys.stdout)
    if as_json:
        print_json(found)
    elif as_csv:
        print_csv(_CSV_COLUMNS, map(_flat, found["stays"]))
    else:
        if found["stays"]:
            _print(repository, found, zone)
        print_kept_since(found, zone)
    return 0


def _print(repository: str, found: dict[str, Any], zone: Zone) -> None:
    listed, total = len(found["stays"]), found["total"]
    beyond = "" if listed == total else f" of {total:,}; --limit lists up to {_MOST:,}"
    print(f"{repository} · {listed:,} stay{'' if total == 1 else 's'}{beyond} · times in {zone.name}")
    print_table(_COLUMNS, [_row(stay, zone) for stay in found["stays"]])


def _row(stay: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    waiting = stay["waiting"] or {}
    return (
        f"#{stay['pull_request']}",
        stay["queue_name"],
        stay["base_ref"],
        zone.shown_text(stay["entered_at"]),
        zone.shown_text(stay["left_at"]),
        stay["reason"] or "-",
        *(
            Unit.SECONDS.written(seconds)
            for seconds in (stay["seconds"], *(waiting.get(wait) for wait in WAITS))
        ),
        str(stay["retries"]),
    )


def _flat(stay: dict[str, Any]) -> dict[str, Any]:
    """One row of CSV; what a newer server adds is left out, so that the columns stay the same."""
    waiting = stay["waiting"] or {}
    flat = {**stay, **{f"{wait}_seconds": waiting.get(wait) for wait in WAITS}}
    return {name: flat.get(name) for name in _CSV_COLUMNS}
