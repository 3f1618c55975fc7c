"""`mergecast admin sources`: which queues the server reads, and what they have delivered."""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, naming_an_id, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server, check_repository
from mergecast.cli.output import print_done, print_found, print_json, print_table, say
from mergecast.cli.periods import read_zone
from mergecast.queues.model.words import counted
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mergecast.client.client import Client
    from mergecast.queues.answers.sources import ListedSource, NotKeptCount, SourceOverview

_PAUSE, _RESUME, _REMOVE = "pause", "resume", "remove"
_COLUMNS = ("source", "by", "deliveries", "events", "history from", "to", "last received")


def sources(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[translate] [OWNER/REPO]",
            help="Repository; with `translate`, translate its deliveries again",
        ),
    ] = None,
    pause: Annotated[str | None, typer.Option(metavar="ID", help="Stop reading this one for a while")] = None,
    resume: Annotated[str | None, typer.Option(metavar="ID", help="Read a paused one again")] = None,
    remove: Annotated[
        str | None, typer.Option(metavar="ID", help="Stop reading this one; its events stay")
    ] = None,
    as_json: AsJson = False,
    server: Server,
) -> int:
    """Which queues does the server read, and what did they deliver?

    Without a repository, lists those that were added with `mergecast setup` or on a page, and those of the
    environment. With one, shows what each source has delivered, and what was not understood. With
    `translate`, translates all of it into events again.

    Example: mergecast admin sources demo/harbor
    """
    changes = {_PAUSE: pause, _RESUME: resume, _REMOVE: remove}
    change = [(verb, id) for verb, id in changes.items() if id is not None]
    if not words or change:
        if words or len(change) > 1:
            raise WrongUsage("write one of --pause, --resume and --remove, without a repository")
        _list_or_change(change, server, as_json=as_json)
        return 0
    *verb, repository = words
    if verb not in ([], ["translate"]):
        raise WrongUsage(
            "write `mergecast admin sources OWNER/REPO` or `mergecast admin sources translate OWNER/REPO`"
        )
    check_repository(repository)
    with connect(*server) as client:
        found = client.sources(repository)
        if verb and (found.value or as_json):
            _translate(client, repository, sorted({row.source for row in found.value}), as_json=as_json)
            return 0 if found.value else 1
    if as_json:
        print_json(found.raw)
    elif found.value:
        _show(found.value)
    else:
        say(f"no source has delivered anything for {repository}; see `mergecast import -h`")
    return 1 if verb else 0


def _list_or_change(change: list[tuple[str, str]], server: Server, *, as_json: bool) -> None:
    with connect(*server) as client, needs_newer_server("add sources"):
        if not change:
            empty = "the server reads no queue by itself; add one with `mergecast setup`"
            print_found(client.added_sources(), empty, _show_added, as_json=as_json)
            return
        ((verb, id),) = change
        with naming_an_id(id, "source", "the server has no source", "mergecast admin sources"):
            _change(client, verb, id, as_json=as_json)


def _change(client: "Client", verb: str, id: str, *, as_json: bool) -> None:
    if verb == _REMOVE:
        client.remove_source(id)
        print_done(f"removed source {id}; its events stay", as_json=as_json, removed=id)
        return
    changed = client.pause_source(id, is_paused=verb == _PAUSE)
    if as_json:
        print_json(changed.raw)
    else:
        say(f"{verb}d {changed.value.name} ({changed.value.title})")


def _show_added(found: "list[ListedSource]") -> None:
    zone = read_zone(None, utc=False)
    columns = ("id", "repository", "queue", "state", "events", f"last delivery, {zone.name}")
    print_table(columns, [_added_cells(row, zone) for row in found])
    for row in found:
        if row.error:
            say(f"{row.name}: {row.error}")


def _added_cells(row: "ListedSource", zone: Zone) -> tuple[str, ...]:
    share = f" {row.progress.share:.0%}" if row.progress and row.state == "importing" else ""
    id = row.id or "set in the environment"
    return (
        *(id, row.name, row.title, f"{row.state}{share}", f"{row.events:,}"),
        zone.shown_text(row.last_delivery_at),
    )


_TRANSLATING = "{source}: translating again after an upgrade: {done:,} of {threads:,} pull requests are done"
_DERIVED = "{source}: the start of {runs} was derived, because the platform does not report it"


def _show(found: "list[SourceOverview]") -> None:
    zone = read_zone(None, utc=False)
    *columns, last = _COLUMNS
    print_table((*columns, f"{last}, {zone.name}", "following"), [_cells(row, zone) for row in found])
    for row in found:
        for reason in row.untranslated:
            times = counted(reason.count, "time")
            last = zone.shown_text(reason.last_at)
            say(f"{row.source}: {reason.reason} ({times}, last {last})")
    for source, counts in {row.source: row.not_kept for row in found}.items():
        if counts:
            why = "not kept because they say nothing about a stay in a queue"
            say(f"{source}: {why}: {_listed(counts)}")
    for source, state in {row.source: row.translating for row in found}.items():
        if state:
            say(_TRANSLATING.format(source=source, done=state.done, threads=state.threads))
    for row in found:
        _show_rest(row)


def _show_rest(row: "SourceOverview") -> None:
    if row.expired:
        say(f"{row.source}: {row.expired:,} arrived again after they were deleted as too old")
    if row.derived_starts:
        say(_DERIVED.format(source=row.source, runs=counted(row.derived_starts, "CI run")))
    if row.hint:
        say(f"{row.source}: {row.hint}")


def _listed(counts: "Sequence[NotKeptCount]") -> str:
    """Each event with its action and count, most frequent first."""
    ordered = sorted(counts, key=lambda kind: -kind.count)
    names = [" ".join(filter(None, (kind.event, kind.action))) for kind in ordered]
    return ", ".join(f"{name} ({kind.count:,})" for name, kind in zip(names, ordered, strict=True))


def _translate(client: "Client", repository: str, names: list[str], *, as_json: bool) -> None:
    events: dict[str, int] = {}
    for source in names:
        events[source] = client.translate(repository, source)
        if not as_json:
            say(f"{source}: {counted(events[source], 'event')}")
    if as_json:
        print_json({"events": events})


def _cells(row: "SourceOverview", zone: Zone) -> tuple[str, ...]:
    following = row.following
    start, end = (row.history.start, row.history.end) if row.history else (None, None)
    if following is None:
        state = "-"
    elif following.error is not None:
        state = f"failing: {following.error}"
    else:
        state = f"by {following.by}, next poll {zone.shown_text(following.next_at)}"
    return (
        row.source,
        row.kind,
        f"{row.deliveries:,}",
        f"{row.events:,}",
        zone.shown_text(start),
        zone.shown_text(end),
        zone.shown_text(row.last_at),
        state,
    )
