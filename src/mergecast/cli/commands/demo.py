"""`mergecast demo`: a made-up repository whose history looks real, up to now."""

from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from typing import Annotated

import msgspec
import typer

from mergecast.cli import progress
from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, Token, Url, check_repository, place
from mergecast.client.client import Client
from mergecast.demo.history import demo_events
from mergecast.demo.pull_requests import demo_pull_requests
from mergecast.model.repository import PRODUCTS
from mergecast.settings import Settings

REPOSITORY = "demo/harbor"
SOURCE = "demo"
DOCUMENT = files("mergecast.demo") / "harbor.yml"
_DAYS = 90
_EVENTS = 1000


def demo(
    repository: Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Where to put it")] = REPOSITORY,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Fill the store with 90 days of made-up history and a few open pull requests; later, add what is new."""
    check_repository(repository)
    now = datetime.now(UTC)
    with connect(place(Settings(), data_dir, url, token), may_create=True) as client:
        start = _first_monday(client, repository, now)
        stored, duplicates = _send(client, repository, start, now)
        pulls = _record(client, repository, now)
    print(f"{repository}: {stored} events stored, {duplicates} were there already, since {start}")
    print(f"{repository}: {len(pulls)} open pull requests recorded; see what a document would do to them:")
    print(f"mergecast simulate {repository}#{pulls[0]} -f {DOCUMENT}")


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


def _record(client: Client, repository: str, now: datetime) -> list[int]:
    """The open pull requests as of now; their numbers. What was set by hand stays as it is."""
    pulls = dict(demo_pull_requests(repository, now))
    for number, record in pulls.items():
        client.record(repository, number, msgspec.json.encode(record))
    if client.products(repository) is None:
        client.set_products(repository, list(PRODUCTS))
    return list(pulls)


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
