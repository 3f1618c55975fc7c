"""`mergecast demo`: a made-up repository whose history looks real, up to now."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated

import msgspec
import typer

from mergecast.cli import progress
from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, Token, Url, check_repository, place
from mergecast.client.client import Client
from mergecast.demo.history import demo_events
from mergecast.settings import Settings

REPOSITORY = "demo/harbor"
SOURCE = "demo"
_DAYS = 90
_EVENTS = 1000


def demo(
    repository: Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Where to put it")] = REPOSITORY,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Fill the store with 90 days of made-up history; run later, it adds what is missing since."""
    check_repository(repository)
    now = datetime.now(UTC)
    with connect(place(Settings(), data_dir, url, token), may_create=True) as client:
        start = _first_monday(client, repository, now)
        stored, duplicates = _send(client, repository, start, now)
    print(f"{repository}: {stored} events stored, {duplicates} were there already, since {start}")


def _first_monday(client: Client, repository: str, now: datetime) -> date:
    """The Monday that the history there began with, or that of 90 days ago."""
    known = {f"{one['owner']}/{one['repository']}".lower() for one in client.repositories()}
    first = client.first_event(repository, SOURCE) if repository.lower() in known else None
    if first is None:
        return _monday((now - timedelta(days=_DAYS)).date())
    start = _monday(datetime.fromisoformat(first["at"]).date())
    if first["id"] != next(demo_events(start, now))["id"]:
        raise WrongUsage(
            f"a part of the made-up history of {repository} was deleted, and the rest would not fit what is "
            "left; delete the repository, or name another one"
        )
    return start


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _send(client: Client, repository: str, start: date, now: datetime) -> tuple[int, int]:
    stored = duplicates = 0
    lines = [msgspec.json.encode(event) for event in demo_events(start, now)]
    with progress.of_steps() as bars:
        bar = bars.add_task(repository, total=len(lines))
        for first in range(0, len(lines), _EVENTS):
            part = lines[first : first + _EVENTS]
            new, old = client.send(repository, part)
            stored, duplicates = stored + new, duplicates + old
            bars.update(bar, advance=len(part))
    return stored, duplicates
