"""`mergecast admin log`: who deleted something or changed a setting."""

import sys
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.options import AsJson, KeptDates, Server, ZoneOptions, check_scope
from mergecast.cli.output import print_found, print_table, say
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.queues.answers.settings import AuditLine

_MOST = 1000


def log(
    *,
    scope: Annotated[
        str | None,
        typer.Argument(metavar="[OWNER[/REPO]]", help="Only lines about this repository or this owner"),
    ] = None,
    dates: KeptDates,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST, help="List at most this many")] = 100,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Who deleted something or changed a setting?

    Newest first; lines are kept for 400 days.

    Example: mergecast admin log --since 30d
    """
    owner, repository = (None, None) if scope is None else check_scope(scope)
    named = {"owner": owner, "repository": repository}
    about = {name: value for name, value in named.items() if value is not None}
    zone = times.read()
    period = dates.query(zone, datetime.now(UTC))
    with connect(*server) as client:
        found, has_older = client.log({**about, **period, "limit": limit})
    print_found(found, "no changes", partial(_print_lines, zone=zone), as_json=as_json)
    if has_older:
        say(f"there are older lines; --limit lists up to {_MOST:,}, --end older ones", file=sys.stderr)


def _print_lines(lines: "list[AuditLine]", zone: Zone) -> None:
    columns = (f"when, {zone.name}", "who", "from", "what", "about", "details")
    print_table(columns, [_row(line, zone) for line in lines])


def _row(line: "AuditLine", zone: Zone) -> tuple[str, ...]:
    about = "/".join(name for name in (line.owner, line.repository) if name)
    details = ", ".join(f"{name} {_text(value)}" for name, value in line.details.items())
    return zone.shown_text(line.at), line.who, line.address, line.event, about, details


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value)) or "none"
    if isinstance(value, dict):
        return " ".join(f"{name}={_text(inner)}" for name, inner in value.items()) or "none"
    return "none" if value is None else str(value)
