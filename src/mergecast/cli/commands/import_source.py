"""`mergecast import SOURCE`: copy the history of a real queue to the store."""

import re
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server, check_repository
from mergecast.cli.output import print_done, say
from mergecast.cli.periods import parse_span
from mergecast.incoming.sources.source import Source
from mergecast.queues.model.instant import format_instant, parse_instant
from mergecast.queues.model.repository import is_name, is_owner
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.client import Client
    from mergecast.incoming.intake.importing.importer import Stored

DEFAULT_SPAN = "90d"
_HELP = (
    "Repeat it at any time: it reads only what is missing. With --follow, it keeps the history current "
    "until it is interrupted."
)
Since = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w; 90d by default"),
]
Follow = Annotated[bool, typer.Option("--follow", help="Keep reading what is new until interrupted")]
FromUrl = Annotated[str | None, typer.Option("--from-url", help="API of the platform", metavar="URL")]
FromTokenFile = Annotated[
    str | None,
    typer.Option(
        "--from-token-file", help="File with the token to read with, - for standard input", metavar="FILE"
    ),
]
As = Annotated[
    str | None,
    typer.Option("--as", help="Repository to import into, if its name differs", metavar="OWNER/REPO"),
]
Files = Annotated[
    list[Path] | None,
    typer.Option("--file", metavar="FILE", help="Read this saved page instead of the service; repeatable"),
]
MoreFiles = Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="More saved pages after --file")]


class _Wanted(NamedTuple):
    """What to import: `place` is the name on the platform."""

    source: Source
    place: str
    as_name: str | None
    since: str | None
    is_followed: bool
    as_json: bool


def import_command(source: Source) -> Callable[..., None]:
    """The command that imports a source; it takes files if saved pages of the source can be read."""
    command = _command(source)
    command.__doc__ = (
        f"{source.question}\n\n{_HELP}\n\nExample: mergecast import {source.name} acme/web --follow"
    )
    if source.saved_pages is None:
        options = signature(command)
        kept = [one for one in options.parameters.values() if one.annotation not in (Files, MoreFiles)]
        command.__signature__ = options.replace(parameters=kept)  # type: ignore[attr-defined]
    return command


def _command(source: Source) -> Callable[..., None]:
    metavar, meaning = source.repository

    def command(
        repository: Annotated[str, typer.Argument(metavar=metavar, help=meaning)],
        *,
        more_files: MoreFiles = None,
        since: Since = None,
        follow: Follow = False,
        file: Files = None,
        from_url: FromUrl = None,
        from_token_file: FromTokenFile = None,
        as_name: As = None,
        as_json: AsJson = False,
        server: Server,
    ) -> None:
        wanted = _Wanted(source, repository, as_name, since, follow, as_json)
        if more_files and not file:
            raise WrongUsage(f"write --file before the saved pages: --file {more_files[0]}")
        if not file:
            _import(wanted, (from_url, from_token_file), server)
        elif since is not None or follow:
            raise WrongUsage("--file imports whole files; it cannot be combined with --since or --follow")
        else:
            _import_files(wanted, server, [*file, *(more_files or ())])

    return command


def _import(wanted: _Wanted, reading: tuple[str | None, str | None], server: Server) -> None:
    from mergecast.cli.import_display import ImportDisplay
    from mergecast.cli.import_run import Import, read_account
    from mergecast.cli.interruptible import run_until_interrupted
    from mergecast.client.errors import Unreachable
    from mergecast.incoming.platform.fetch import PlatformDown

    name, start = name_here(wanted.place, wanted.as_name), _start(wanted.since)
    account = read_account(wanted.source, *reading)
    display = ImportDisplay()
    with connect(*server, may_create=True) as client:
        running = Import(client, account, wanted.place, name, display)
        try:
            with display.shown():
                stored = run_until_interrupted(running.once(start))
            _report(client, (wanted.source, name), stored, as_json=wanted.as_json)
        except (PlatformDown, Unreachable) as error:
            if not wanted.is_followed:
                raise
            display.failed(error)
        if wanted.is_followed:
            try:
                run_until_interrupted(running.follow(start))
            finally:
                display.end()


def name_here(name: str, as_name: str | None) -> str:
    """The repository in this store; a name that is not valid here needs --as."""
    if as_name is not None:
        return check_repository(as_name)
    fitting = fitting_name(name)
    if fitting == name:
        return name
    raise WrongUsage(
        f"`{name}` is not a valid repository name here; choose another one, such as --as {fitting}"
    )


def fitting_name(name: str) -> str:
    """The name itself if it is valid here, otherwise the most similar one that is."""
    owner, slash, rest = name.partition("/")
    if not slash or not owner or not rest:
        raise WrongUsage(f"`{name}` is not a repository; write it as OWNER/REPO, such as acme/widgets")
    return name if is_owner(owner) and is_name(rest) else f"{_fitting(owner)}/{_fitting(rest)}"


def _fitting(text: str) -> str:
    """The most similar text that can be part of a name.

    >>> _fitting("space.group_1/web")
    'space-group-1-web'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:39] or "x"


def _start(since: str | None) -> int:
    import time

    span = parse_span(since or DEFAULT_SPAN)
    return max(0, time.time_ns() // 1000 - round(span.total_seconds() * 1e6))


def _import_files(wanted: _Wanted, server: Server, files: list[Path]) -> None:
    from mergecast.cli.import_run import ClientSink, read_pages
    from mergecast.incoming.intake.importing.importer import Stored

    name = name_here(wanted.place, wanted.as_name)
    pages = read_pages(wanted.source, files, wanted.place, name)
    total = Stored()
    with connect(*server, may_create=True) as client:
        sink = ClientSink(client, name, wanted.source.name)
        for page in pages:
            total = total.plus(sink.send(page))
        _report(client, (wanted.source, name), total, as_json=wanted.as_json)


def _report(client: "Client", place: tuple[Source, str], stored: "Stored", *, as_json: bool) -> None:
    source, name = place
    told = () if as_json else (_history(client, source, name), _summary(stored))
    print_done(*told, as_json=as_json, repository=name, **stored._asdict())
    sys.stdout.flush()
    if stored.stored and any(one.untranslated for one in client.sources(name).value):
        message = f"some items could not be translated; `mergecast admin sources {name}` says why"
        say(f"mergecast: warning: {message}", file=sys.stderr)


def _history(client: "Client", source: Source, name: str) -> str:
    """What of a source is stored now, in the words of whoever uses the queue."""
    overviews = client.sources(name).value
    history = next((one.history for one in overviews if one.source == source.name and one.history), None)
    if history is None:
        return f"{source.title} reports no pull request in a queue"
    end = format_instant(parse_instant(history.end) + 1)
    figures = client.summary(name, {"start_at": history.start, "end_at": end}).value.all
    entered, merged = (round(figures[figure].value or 0) for figure in ("entered", "merged"))
    entries, merges = counted(entered, "entry", "entries"), counted(merged, "merge")
    first, last = history.start[:10], history.end[:10]
    days = f"on {first}" if first == last else f"from {first} to {last}"
    return f"{name} has {entries} into the queue and {merges} {days}"


def _summary(stored: "Stored") -> str:
    not_kept = f", {stored.not_kept:,} not about a stay in a queue" if stored.not_kept else ""
    expired = f", {stored.expired:,} deleted earlier because of their age" if stored.expired else ""
    return f"{counted(stored.stored, 'new report')}, {stored.duplicates:,} already known{not_kept}{expired}"
