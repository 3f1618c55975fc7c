"""`mergecast store repos`: the repositories in a store."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.options import AsJson, Server
from mergecast.cli.output import print_json, print_table, say
from mergecast.cli.periods import read_zone
from mergecast.queues.model.figures import FIGURES, Figure, Unit

_SHOWN = ("failure_rate", "time_in_queue_p50", "time_in_queue_p95")

if TYPE_CHECKING:
    from mergecast.client.answers import RepositoryInOrder
    from mergecast.queues.answers.repositories import ListedRepository, RowFigures
    from mergecast.queues.answers.summary import Figure as Compared

WithFigures = Annotated[
    bool, typer.Option("--figures", help="Show the state and the last 7 days of each repository")
]
Order = Annotated[
    str | None,
    typer.Option(
        metavar="ORDER", help="Sort the figures by name, state, in_queue, merged …; -merged: most first"
    ),
]
Search = Annotated[str | None, typer.Option(metavar="WORDS", help="Only names that contain these words")]


def repos(
    *,
    figures: WithFigures = False,
    order: Order = None,
    search: Search = None,
    as_json: AsJson = False,
    server: Server,
) -> int:
    """Which repositories are there, and how many events do they have?

    Lists them with the times of their first and last event.

    Example: mergecast store repos
    """
    with connect(*server) as client, named_options({"order": "--order", "search": "--search"}):
        if figures or order is not None or search is not None:
            ranked = client.repositories_in_order(order or "name", search)
        else:
            ranked = None
        found = ranked or client.repositories()
    if as_json:
        print_json(found.raw)
    elif not found.value and search is not None:
        say(f"no repository matches {search}")
    elif not found.value:
        say("no repository yet; send events, or try `mergecast demo`")
    elif ranked is not None and (figures or order is not None):
        _print_figures(ranked.value)
    else:
        _print_events(found.value)
    return 0


def _print_events(listed: "Sequence[ListedRepository]") -> None:
    zone = read_zone(None, utc=False)
    print_table(
        ("repository", "events", "first event", f"last event, {zone.name}"),
        [
            (
                row.name,
                f"{row.events:,}",
                zone.shown_text(row.first_event_at),
                zone.shown_text(row.last_event_at),
            )
            for row in listed
        ],
    )


def _print_figures(listed: "Sequence[RepositoryInOrder]") -> None:
    zone = read_zone(None, utc=False)
    names = [FIGURES[name].short for name in _SHOWN]
    print_table(
        ("repository", "state", "in queue", "merged, 7 days", *names, f"last event, {zone.name}"),
        [
            (
                row.name,
                *_figures(row.figures),
                zone.shown_text(row.last_event_at),
            )
            for row in listed
        ],
    )


def _figures(row: "RowFigures") -> tuple[str, ...]:
    return (
        row.state,
        f"{row.in_queue:,}",
        FIGURES["merged"].written(row.merged.value),
        *(_figure(FIGURES[name], getattr(row, name)) for name in _SHOWN),
    )


def _figure(figure: Figure, found: "Compared") -> str:
    is_compared = figure.unit is Unit.SECONDS and found.change is not None
    change = f" ({figure.written_change(found.change)})" if is_compared else ""
    return f"{figure.written(found.value)}{change}"
