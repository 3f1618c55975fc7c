"""`mergecast demo`: an invented repository with a realistic history up to now."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server, check_repository
from mergecast.cli.output import print_done, say, steps_progress
from mergecast.queues.model.notification import KINDS
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mergecast.client.client import Client

REPOSITORY = "demo/harbor"
DOCUMENT = Path(__file__).parents[2] / "demo" / "harbor.yml"
_DAYS = 90
_DAYS_OF_CHECKS = 30  # of CI checks: 14 for each run, which take longer to store than everything else
_EVENTS = 10_000  # in a request: few large ones are stored much faster than many small ones
_WARM_UP = timedelta(minutes=20)
_LONGEST_SILENCE = timedelta(minutes=30)  # of a live queue that moves
_PAUSE_SECONDS = 2.0


def demo(
    *,
    repository: Annotated[
        str, typer.Argument(metavar="OWNER/REPO", help="Name of the invented repository")
    ] = REPOSITORY,
    live: Annotated[
        bool, typer.Option("--live", help="Then keep sending a few new events per minute until interrupted")
    ] = False,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """What does it look like? Adds 90 days of an invented queue.

    Run it again to add what has happened since.

    Example: mergecast demo
    """
    check_repository(repository)
    now = datetime.now(UTC)
    with connect(*server, may_create=True, quiet=True) as client:
        moving = _moving_queue(client, repository, now)
        start = first_monday(client, repository, now)
        stored = send_history(client, repository, start, now)
        pulls = _record(client, repository, now)
        _add_channel(client, repository)
        _send_set_up(client, repository)
        opened = counted(len(pulls), "open pull request")
        print_done(
            f"{repository}: {counted(stored, 'event')} added; the history is from {start} until now",
            f"{repository}: {opened}; see what a document would do to one:",
            f"mergecast simulate {repository}#{pulls[0]} -f {DOCUMENT}",
            as_json=as_json,
            repository=repository,
            stored=stored,
            start=start,
            open_pull_requests=pulls,
            document=str(DOCUMENT),
        )
        if live:
            if not as_json:
                say(f"{repository}: sending events as they happen; Ctrl-C stops this", flush=True)
            _send_live(client, repository, start, moving)


def _moving_queue(client: "Client", repository: str, now: datetime) -> datetime | None:
    """When the live queue opened that another demo moves.

    One that stands still would look stuck, and is deleted.
    """
    from mergecast.demo.live import QUEUE_NAME, SOURCE, opened_at

    if client.repository(repository) is None:
        return None
    lately = {"start_at": (now - _LONGEST_SILENCE).isoformat(), "end_at": now.isoformat()}
    left = client.stays(repository, {"queue_name": QUEUE_NAME, **lately}).value.stays
    opened = max(filter(None, (opened_at(stay.session_id) for stay in left)), default=None)
    if opened is None:
        client.delete_events(repository, SOURCE)
    return opened


def first_monday(client: "Client", repository: str, now: datetime) -> date:
    """The Monday on which the stored history starts; for a new one, the Monday before 90 days ago."""
    from mergecast.demo.event_log import SOURCE
    from mergecast.demo.history import demo_events

    first = client.first_event(repository, SOURCE) if client.repository(repository) is not None else None
    if first is None:
        return _monday((now - timedelta(days=_DAYS)).date())
    start = _monday(datetime.fromisoformat(first.at).date())
    expected = next(demo_events(start, now))
    if (first.id, first.pull_request) != (expected["id"], expected["pull_request"]):
        raise WrongUsage(
            f"the invented history of {repository} cannot be continued, because part of it was deleted or "
            "another version of Mergecast wrote it; delete the repository, or name another one"
        )
    return start


def send_history(client: "Client", repository: str, start: date, now: datetime) -> int:
    """Send the events up to now that the store does not have, in time order. Returns how many were new."""
    stored = 0
    events = list(_missing_events(client, repository, start, now))
    with steps_progress() as bars:
        bar = bars.add_task(repository, total=len(events))
        for first in range(0, len(events), _EVENTS):
            part = events[first : first + _EVENTS]
            stored += _send(client, repository, part)
            bars.update(bar, advance=len(part))
    return stored


def _send(client: "Client", repository: str, events: "Sequence[dict[str, object]]") -> int:
    """Send events, and what is known of pull requests that enter. Returns how many events were new."""
    import msgspec

    from mergecast.demo.descriptions import description_of

    stored = client.send(repository, [msgspec.json.encode(event) for event in events]).stored
    if described := [description_of(event) for event in events if event["type"] == "queue_entered"]:
        with needs_newer_server("keep titles of pull requests"):
            client.describe(repository, described)
    return stored


def _missing_events(
    client: "Client", repository: str, start: date, now: datetime
) -> "Iterable[dict[str, object]]":
    """The events since the last stored one; all events, if the repository does not have exactly the others.

    The store recognizes events that it has, but comparing 90 days takes longer than everything else.
    """
    from mergecast.demo.event_log import wire_time
    from mergecast.demo.history import demo_events

    checks_since = now - timedelta(days=_DAYS_OF_CHECKS)
    row = client.repository(repository)
    if row is not None and row.last_event_at is not None:
        last_at = datetime.fromisoformat(row.last_event_at).astimezone(UTC)
        last = wire_time(last_at)
        events = list(demo_events(start, now, checks_since=max(checks_since, last_at)))
        # A repository's count of events does not include reports about CI checks.
        stored = [at for event in events if "check_id" not in event and (at := str(event["at"])) <= last]
        if len(stored) == row.events and stored[-1] == last:
            return (event for event in events if str(event["at"]) >= last)
    return demo_events(start, now, checks_since=checks_since)


def _record(client: "Client", repository: str, now: datetime) -> list[int]:
    """Record the open pull requests and return their numbers; products that someone has set stay."""
    import msgspec

    from mergecast.demo.pull_requests import demo_pull_requests
    from mergecast.queues.model.repository import PRODUCTS

    pulls = dict(demo_pull_requests(repository, now))
    for number, record in pulls.items():
        client.record(repository, number, msgspec.json.encode(record))
    if client.products(repository) is None:
        client.set_products(repository, list(PRODUCTS))
    return list(pulls)


def _add_channel(client: "Client", repository: str) -> None:
    """A channel that prints notices to the log of the server; only the owner `demo` can have one."""
    if repository == REPOSITORY and not client.channels(repository).value:
        rules = [{"what": what} for what in KINDS]
        client.add_channel(repository, kind="log", rules=rules)


def _send_set_up(client: "Client", repository: str) -> None:
    import msgspec

    from mergecast.demo.set_up import BASE_REF, commit, rules, workflows
    from mergecast.queues.answers.audit import AuditQuestion, BranchRules

    known = msgspec.convert(rules(), BranchRules)
    with needs_newer_server("audit a set-up"):
        client.send_set_up(
            repository,
            AuditQuestion(base_ref=BASE_REF, commit=commit(), files=workflows(), rules=known),
        )


def _send_live(client: "Client", repository: str, start: date, moving: datetime | None) -> None:
    """Send events as they happen: those of the history, and those of a livelier queue.

    A queue that another demo moves goes on: both send the same events, which are stored once.
    """
    import time

    from mergecast.demo.history import demo_events
    from mergecast.demo.live import live_events

    begun = datetime.now(UTC)
    streams = [
        _Stream(demo_events(start, datetime.max.replace(tzinfo=UTC), checks_since=begun)),
        _Stream(live_events(moving or begun.replace(microsecond=0) - _WARM_UP)),
    ]
    streams[0].take_until(begun - timedelta(minutes=1))  # the store has these
    if moving:
        streams[1].take_until(begun - _LONGEST_SILENCE)  # and these
    while True:
        now = datetime.now(UTC)
        due = [event for stream in streams for event in stream.take_until(now)]
        for first in range(0, len(due), _EVENTS):
            _send(client, repository, due[first : first + _EVENTS])
        time.sleep(_PAUSE_SECONDS)


class _Stream:
    """An endless stream of events, which can be read up to an instant."""

    def __init__(self, events: "Iterator[dict[str, object]]") -> None:
        self._events = events
        self._next = next(events)

    def take_until(self, moment: datetime) -> "list[dict[str, object]]":
        taken = []
        while datetime.fromisoformat(str(self._next["at"])) <= moment:
            taken.append(self._next)
            self._next = next(self._events)
        return taken


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
