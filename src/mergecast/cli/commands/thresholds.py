"""`mergecast admin thresholds`: what is still normal for a figure of a queue."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, ReferenceDates, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_changes, print_found, print_json, print_table, say
from mergecast.errors import NotFound
from mergecast.queues.model.figures import FIGURES, Unit
from mergecast.queues.model.instant import exact_duration
from mergecast.queues.model.nearest import nearest

if TYPE_CHECKING:
    from mergecast.queues.answers.alerts import Threshold, Thresholds

_OPTIONS = {"base_ref": "--branch", "queue_name": "--queue", "figure": "", "value": ""}
_PREVIEW_OPTIONS = {**_OPTIONS, "start_at": "--start", "end_at": "--end", "limit": "--limit", "reference": ""}
_OFF = "off"
_EXAMPLES = "time_to_merge_p95=1h, failure_rate=5% or run_too_long=off"

Branch = Annotated[str | None, typer.Option(metavar="NAME", help="Base branch; all of them by default")]
Queue = Annotated[str | None, typer.Option(metavar="NAME", help="Queue; all of them by default")]
Wanted = Annotated[
    list[str], typer.Argument(metavar="FIGURE=VALUE", help=f"{_EXAMPLES}; several are possible")
]


def list_thresholds(repository: RepositoryName, *, as_json: AsJson = False, server: Server) -> None:
    """When does a figure of a queue raise an alert?

    Lists learned, set, pinned and built-in thresholds.

    Example: mergecast admin thresholds list demo/harbor
    """
    with connect(*server) as client:
        found = client.thresholds(repository)
    if not as_json and not found.value.queues:
        say(f"{repository} has no queues yet")
        return
    print_found(found, "", _print_thresholds, as_json=as_json)


def set_thresholds(
    repository: RepositoryName,
    values: Wanted,
    *,
    branch: Branch = None,
    queue: Queue = None,
    quiet: Annotated[
        bool, typer.Option("--no-alert", help="Raise no alerts; only tiles and charts compare with it")
    ] = False,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I get an alert when a figure is above a value?

    Sets its threshold; others stay as they are.

    Example: mergecast admin thresholds set demo/harbor time_to_merge_p95=1h
    """
    place = {"base_ref": branch, "queue_name": queue}
    wanted = [
        {"figure": figure, **place, "value": value, "alert": not quiet}
        for figure, value in map(_given, values)
    ]

    def change(settings: dict[str, Any]) -> dict[str, Any]:
        figures = {str(one["figure"]) for one in wanted}
        return {"thresholds": [*_others(settings, place, figures), *wanted]}

    with connect(*server) as client, named_options(_OPTIONS):
        changed = client.change_settings(repository, change)
    print_changes(changed, as_json=as_json)


def delete_thresholds(
    repository: RepositoryName,
    *,
    figures: Annotated[
        list[str] | None, typer.Argument(metavar="FIGURE", help="Such as failure_rate; all by default")
    ] = None,
    branch: Branch = None,
    queue: Queue = None,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I return to learned values?

    Deletes thresholds that were set, for a queue or for all of them.

    Example: mergecast admin thresholds delete demo/harbor time_to_merge_p95
    """
    place = {"base_ref": branch, "queue_name": queue}

    def change(settings: dict[str, Any]) -> dict[str, Any]:
        there = [one["figure"] for one in settings["thresholds"] if _is_at(one, place)]
        for figure in figures or ():
            if figure not in there:
                raise NotFound(_not_set(repository, figure, place, there))
        return {"thresholds": _others(settings, place, figures or there)}

    with connect(*server) as client, named_options(_OPTIONS):
        changed = client.change_settings(repository, change)
    print_changes(changed, as_json=as_json)


def preview_threshold(
    repository: RepositoryName,
    value: Annotated[
        str,
        typer.Argument(
            metavar="FIGURE[=VALUE]",
            help="Such as time_to_merge_p95=1h; without a value and a period, the learned one",
        ),
    ],
    *,
    branch: Annotated[str, typer.Option(metavar="NAME", help="Base branch")] = "main",
    queue: Annotated[str, typer.Option(metavar="NAME", help="Queue")] = "default",
    reference: ReferenceDates,
    limit: Annotated[
        float | None,
        typer.Option(metavar="RATIO", help="Compare with a period: so many times its figure, such as 1.5"),
    ] = None,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Which alerts would a threshold have raised in the last 8 weeks?

    Of a value, or of so many times what the figure was in a period. Sets nothing.

    Example: mergecast admin thresholds preview demo/harbor time_to_merge_p95=1h
    """
    zone = times.read()
    figure, given = _given(value) if "=" in value else (value, None)
    asked: dict[str, object] = {"figure": figure, "base_ref": branch, "queue_name": queue, "value": given}
    if period := reference.query(zone, datetime.now(UTC)):
        asked["reference"] = {**period, "limit": limit}
    elif limit is not None:
        raise WrongUsage("--limit needs a period: add --start and --end")
    with connect(*server) as client, named_options(_PREVIEW_OPTIONS):
        found = client.preview_threshold(repository, asked)
    if as_json:
        print_json(found.raw)
        return
    say(found.value.sentence)
    rows = [
        (
            zone.shown_text(one.since),
            "still open" if one.ended_at is None else zone.shown_text(one.ended_at),
            one.sentence,
        )
        for one in found.value.alerts
    ]
    if rows:
        print_table(("since", f"until, {zone.name}", "alert"), rows)


def _given(text: str) -> tuple[str, str | None]:
    """`run_too_long=90m`; the server reads the value."""
    figure, sign, value = text.partition("=")
    if not sign or not figure or not value:
        raise WrongUsage(f"`{text}` is not a figure and a value; write {_EXAMPLES}")
    return figure, None if value == _OFF else value


def _others(settings: dict[str, Any], place: dict[str, Any], figures: Iterable[str]) -> list[dict[str, Any]]:
    """The thresholds of other figures and places."""
    named = set(figures)
    return [one for one in settings["thresholds"] if one["figure"] not in named or not _is_at(one, place)]


def _is_at(threshold: dict[str, Any], place: dict[str, Any]) -> bool:
    return all(threshold[name] == value for name, value in place.items())


def _not_set(repository: str, figure: str, place: dict[str, Any], there: Iterable[str]) -> str:
    near = nearest(figure, there)
    advice = (
        f"`mergecast admin settings show {repository}` shows what is set"
        if near is None
        else f"did you mean {near}?"
    )
    where = place["queue_name"] or "all queues"
    on = "" if place["base_ref"] is None else f" on {place['base_ref']}"
    return f"{repository} has no threshold {figure} of {where}{on} that was set; {advice}"


def _print_thresholds(found: "Thresholds") -> None:
    rows = [
        (one.base_ref, one.queue_name, row.figure, row.origin, _value(row), row.when or "-")
        for one in found.queues
        for row in one.thresholds
    ]
    print_table(("branch", "queue", "figure", "origin", "threshold", "alert begins"), rows)
    for one in found.queues:
        if one.missing:
            say(f"{one.base_ref} · {one.queue_name}: {one.missing}")


def _value(row: "Threshold") -> str:
    if row.value is None:
        return "off" if row.origin == "set" else "-"
    quiet = "" if row.alert else ", no alert"
    figure = FIGURES.get(row.figure)
    if figure is None or row.unit != figure.unit_words or figure.counts is not None:
        return f"{row.value if row.set else round(row.value, 1):g} {row.unit}{quiet}"
    written = (
        exact_duration(row.value) if figure.unit is Unit.SECONDS and row.set else figure.written(row.value)
    )
    return f"{written}{quiet}"
