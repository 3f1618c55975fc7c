"""`mergecast sources`: what each source has delivered, and translating it again."""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, AsJson, Server, check_repository
from mergecast.cli.output import escape, print_json, print_table
from mergecast.cli.periods import Zone, read_zone
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.answers import NotKept, Source
    from mergecast.client.client import Client

_COLUMNS = ("source", "by", "deliveries", "events", "history from", "to", "last received")


def sources(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[translate] OWNER/REPO",
            help="Repository; with `translate`, translate its deliveries again",
        ),
    ],
    as_json: AsJson = False,
    server: Server = HERE,
) -> int:
    """Show what each source has delivered, or translate all of it into events again."""
    *verb, repository = words
    if verb not in ([], ["translate"]):
        raise WrongUsage("write `mergecast sources OWNER/REPO` or `mergecast sources translate OWNER/REPO`")
    check_repository(repository)
    with connect(*server) as client:
        found = client.sources(repository)
        if verb and found.value:
            _translate(client, repository, sorted({row.source for row in found.value}))
            return 0
    if as_json and not verb:
        print_json(found.raw)
    elif found.value:
        _show(found.value)
    else:
        print(f"no source has delivered anything for {repository}; see `mergecast import -h`")
    return 1 if verb else 0


_TRANSLATING = "{source}: translating again after an upgrade: {done:,} of {threads:,} pull requests are done"
_DERIVED = "{source}: the start of {runs} was derived, because the platform does not report it"


def _show(found: "list[Source]") -> None:
    zone = read_zone(None, utc=False)
    *columns, last = _COLUMNS
    print_table((*columns, f"{last}, {zone.name}", "following"), [_cells(row, zone) for row in found])
    for row in found:
        for reason in row.untranslated:
            times = counted(reason.count, "time")
            last = zone.shown_text(reason.last_at)
            print(escape(f"{row.source}: {reason.reason} ({times}, last {last})"))
    for source, counts in {row.source: row.not_kept for row in found}.items():
        if counts:
            why = "not kept because they say nothing about a stay in a queue"
            print(escape(f"{source}: {why}: {_listed(counts)}"))
    for source, state in {row.source: row.translating for row in found}.items():
        if state:
            print(_TRANSLATING.format(source=source, done=state.done, threads=state.threads))
    for row in found:
        _show_rest(row)


def _show_rest(row: "Source") -> None:
    if row.expired:
        print(escape(f"{row.source}: {row.expired:,} arrived again after they were deleted as too old"))
    if row.derived_starts:
        print(_DERIVED.format(source=row.source, runs=counted(row.derived_starts, "CI run")))
    if row.hint:
        print(escape(f"{row.source}: {row.hint}"))


def _listed(counts: "list[NotKept]") -> str:
    """Each event with its action and count, most frequent first."""
    ordered = sorted(counts, key=lambda kind: -kind.count)
    names = [" ".join(filter(None, (kind.event, kind.action))) for kind in ordered]
    return ", ".join(f"{name} ({kind.count:,})" for name, kind in zip(names, ordered, strict=True))


def _translate(client: "Client", repository: str, names: list[str]) -> None:
    for source in names:
        print(f"{source}: {counted(client.translate(repository, source), 'event')}")


def _cells(row: "Source", zone: Zone) -> tuple[str, ...]:
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
