"""`mergecast store stays`: the individual stays that ended in a period, the slowest or the latest first."""

import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.group_names import check_filters, newest_event, nothing_in
from mergecast.cli.options import AsJson, Dates, Filters, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_csv, print_json, print_table, say
from mergecast.cli.periods import print_kept_since
from mergecast.queues.model.figures import WAITS, Unit
from mergecast.queues.model.words import plural
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.queues.answers.pulls import ListedStay, Stays

_MOST = 1000
_COLUMNS = (
    *("pull request", "queue", "branch", "entered", "left", "reason", "time"),
    *WAITS.values(),
    "retries",
)
_CSV_COLUMNS = (
    *("session_id", "pull_request", "base_ref", "queue_name", "priority_rule_name"),
    *("entered_at", "left_at", "reason", "seconds", *(f"{wait}_seconds" for wait in WAITS), "retries"),
    "head_sha",
)


class Order(StrEnum):
    SLOWEST = "slowest"
    FASTEST = "fastest"
    LATEST = "latest"
    OLDEST = "oldest"


_ORDERS = {Order.SLOWEST: "-seconds", Order.FASTEST: "seconds", Order.LATEST: "-at", Order.OLDEST: "at"}


def stays(
    repository: RepositoryName,
    *,
    dates: Dates,
    chosen: Filters,
    order: Annotated[Order, typer.Option(help="Which ones come first")] = Order.SLOWEST,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST, help="List at most this many")] = 100,
    times: ZoneOptions,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV with one row per stay")] = False,
    server: Server,
) -> int:
    """Which pull requests left, and what did they wait for?

    Lists the stays that ended; by default in the last 7 days.

    Example: mergecast store stays demo/harbor --order slowest --limit 10
    """
    if as_json and as_csv:
        raise WrongUsage("--json and --csv cannot be used together")
    zone = times.read()
    period, filters = dates.read(zone, datetime.now(UTC)), chosen.query()
    with connect(*server) as client:
        with needs_newer_server("list stays"):
            asked = {**period.query(), **filters, "order": _ORDERS[order], "limit": str(limit)}
            answer = client.stays(repository, asked)
        found = answer.value
        check_filters(client, repository, filters, found.stays)
        newest = None if found.stays else newest_event(client, repository)
    if not found.stays:
        span = f"{zone.shown(period.start)} to {zone.shown(period.end)}, {zone.name}"
        say(nothing_in(span, newest, zone), file=sys.stderr if as_json or as_csv else sys.stdout)
    if as_json:
        print_json(answer.raw)
    elif as_csv:
        print_csv(_CSV_COLUMNS, map(_flat, found.stays))
    else:
        if found.stays:
            _print(repository, found, zone)
        print_kept_since(found.kept_since or None, zone)
    return 0


def _print(repository: str, found: "Stays", zone: Zone) -> None:
    listed, total = len(found.stays), found.total
    beyond = "" if listed == total else f" of {total:,}; --limit lists up to {_MOST:,}"
    say(f"{repository} · {listed:,} {plural(total, 'stay')}{beyond} · times in {zone.name}")
    print_table(_COLUMNS, [_row(stay, zone) for stay in found.stays])


def _row(stay: "ListedStay", zone: Zone) -> tuple[str, ...]:
    return (
        f"#{stay.pull_request}",
        stay.queue_name,
        stay.base_ref,
        zone.shown_text(stay.entered_at),
        zone.shown_text(stay.left_at),
        stay.reason or "-",
        *(Unit.SECONDS.written(seconds) for seconds in (stay.seconds, *_waits(stay))),
        str(stay.retries),
    )


def _waits(stay: "ListedStay") -> list[float | None]:
    return [None if stay.waiting is None else getattr(stay.waiting, wait) for wait in WAITS]


def _flat(stay: "ListedStay") -> dict[str, object]:
    """One row of CSV."""
    waits = dict(zip((f"{wait}_seconds" for wait in WAITS), _waits(stay), strict=True))
    return {name: waits[name] if name in waits else getattr(stay, name) for name in _CSV_COLUMNS}
