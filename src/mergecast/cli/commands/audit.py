"""`mergecast audit`: who deleted something or changed a setting."""

import sys
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

import typer

from mergecast.cli.connection import connect
from mergecast.cli.options import (
    AsJson,
    DataDir,
    End,
    Start,
    TimeZone,
    Token,
    Url,
    Utc,
    check_scope,
)
from mergecast.cli.output import print_found, print_table
from mergecast.cli.periods import Zone, read_period, read_zone

_MOST = 1000


def audit(
    scope: Annotated[
        str | None,
        typer.Argument(
            metavar="[OWNER[/REPO]]", help="Only about this repository, or about all of this owner"
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w; all that are kept by default"),
    ] = None,
    start: Start = None,
    end: End = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST, help="List so many at most")] = 100,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Show who deleted something or changed a setting, newest first; lines are kept for 400 days."""
    owner, repository = (None, None) if scope is None else check_scope(scope)
    named = {"owner": owner, "repository": repository}
    zone = read_zone(tz, utc=utc)
    is_limited = since is not None or start is not None or end is not None
    period = read_period(since, start, end, zone.tz, datetime.now(UTC)).query() if is_limited else {}
    with connect(data_dir, url, token) as client:
        found = client.audit({**_given(named), **period, "limit": limit})
    print_found(found["lines"], "no audit lines", partial(_print_lines, zone=zone), as_json=as_json)
    if found["next"] is not None:
        print(f"there are older lines; --limit lists up to {_MOST:,}, --end older ones", file=sys.stderr)


def _given(named: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in named.items() if value is not None}


def _print_lines(lines: list[dict[str, Any]], zone: Zone) -> None:
    columns = (f"when, {zone.name}", "who", "from", "what", "about", "details")
    print_table(columns, [_row(line, zone) for line in lines])


def _row(line: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    about = "/".join(name for name in (line["owner"], line["repository"]) if name)
    details = ", ".join(f"{name} {_text(value)}" for name, value in line["details"].items())
    return zone.shown_text(line["at"]), line["who"], line["address"], line["event"], about, details


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value)) or "none"
    if isinstance(value, dict):
        return " ".join(f"{name}={_text(inner)}" for name, inner in value.items()) or "none"
    return "none" if value is None else str(value)
