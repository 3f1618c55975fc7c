"""`mergecast repos`: the repositories in a store."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from mergecast.cli.connection import connect
from mergecast.cli.named_options import named_options
from mergecast.cli.options import AsJson, DataDir, Token, Url
from mergecast.cli.output import print_json, print_table
from mergecast.cli.periods import read_zone
from mergecast.forecasting.forecast.wording import signed
from mergecast.queues.model.instant import duration

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
    figures: WithFigures = False,
    order: Order = None,
    search: Search = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """List the repositories, with the number of their events and the times of the first and last one."""
    with connect(data_dir, url, token) as client, named_options({"order": "--order", "search": "--search"}):
        if figures or order is not None or search is not None:
            listed = [*client.repositories_in_order(order or "name", search)]
        else:
            listed = client.repositories()
    if as_json:
        print_json(listed)
    elif not listed and search is not None:
        print(f"no repository matches {search}")
    elif not listed:
        print("no repository yet; send events, or try `mergecast demo`")
    elif figures or order is not None:
        _print_figures(listed)
    else:
        _print_events(listed)
    return 0


def _print_events(listed: Sequence[dict[str, Any]]) -> None:
    zone = read_zone(None, utc=False)
    print_table(
        ("repository", "events", "first event", f"last event, {zone.name}"),
        [
            (
                f"{row['owner']}/{row['repository']}",
                f"{row['events']:,}",
                zone.shown_text(row["first_event_at"]),
                zone.shown_text(row["last_event_at"]),
            )
            for row in listed
        ],
    )


def _print_figures(listed: Sequence[dict[str, Any]]) -> None:
    zone = read_zone(None, utc=False)
    columns = ("state", "in queue", "merged, 7 days", "failures", "p50 in queue", "p95 in queue")
    print_table(
        ("repository", *columns, f"last event, {zone.name}"),
        [
            (
                f"{row['owner']}/{row['repository']}",
                *_figures(row["figures"]),
                zone.shown_text(row["last_event_at"]),
            )
            for row in listed
        ],
    )


def _figures(row: dict[str, Any]) -> tuple[str, ...]:
    failures = row["failure_rate"]["value"]
    return (
        row["state"],
        f"{row['in_queue']:,}",
        f"{row['merged']['value']:,.0f}",
        "-" if failures is None else f"{failures:.1%}",
        *(_duration(row[name]) for name in ("time_in_queue_p50", "time_in_queue_p95")),
    )


def _duration(figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return "-"
    change = "" if figure["change"] is None else f" ({signed(figure['change'])})"
    return f"{duration(figure['value'])}{change}"
