"""`mergecast admin reference`: periods of queues that later days are compared with."""

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, MonthDates, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_changes, print_found, print_json, print_table, say
from mergecast.cli.periods import parse_number
from mergecast.errors import NotFound
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.reference_period import COMPARED
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.queues.answers.alerts import Compared, ReferencePeriod, ReferencePreview


_EXAMPLE = "time_to_merge_p95=1.5"
_OPTIONS = {
    "name": "NAME",
    "start_at": "--start",
    "end_at": "--end",
    "base_ref": "--branch",
    "queue_name": "--queue",
    "limits": "--limit",
}

PeriodName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the period, such as march")]


def list_periods(
    repository: RepositoryName,
    *,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Is a queue worse than in a period that was pinned?

    Shows the figures of both, and its alerts.

    Example: mergecast admin reference list demo/harbor
    """
    zone = times.read()
    with connect(*server) as client:
        found = client.reference_periods(repository)
    advice = f"pin one with `mergecast admin reference pin {repository} NAME`"
    empty = f"{repository} has no reference periods; {advice}"
    print_found(found, empty, partial(_print_periods, zone=zone), as_json=as_json)


def pin_period(
    repository: RepositoryName,
    name: PeriodName,
    *,
    branch: Annotated[str, typer.Option(metavar="NAME", help="Base branch")] = "main",
    queue: Annotated[str, typer.Option(metavar="NAME", help="Queue")] = "default",
    dates: MonthDates,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIGURE=RATIO",
            help=f"When to alert, such as {_EXAMPLE}; one of {', '.join(COMPARED)}; repeatable",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Pin nothing; show the figures, and what an alert would find")
    ] = False,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I get an alert when a queue is worse than it was?

    Pins a period to compare with; by default the last 28 days.

    Example: mergecast admin reference pin demo/harbor usual --since 14d
    """
    zone = times.read()
    period = dates.read(zone, datetime.now(UTC))
    wanted = {"base_ref": branch, "queue_name": queue, "limits": _limits(limit or []), **period.query()}

    def change(settings: dict[str, Any]) -> dict[str, Any]:
        return {"reference_periods": [*_others(settings, name), {"name": name, **wanted}]}

    with connect(*server) as client, named_options(_OPTIONS):
        found = client.preview_reference(repository, wanted)
        if not dry_run:
            client.change_settings(repository, change)
    if as_json:
        print_json(found.raw)
        return
    span = f"{zone.shown(period.start)} to {zone.shown(period.end)}, {zone.name}"
    said = f"{'would pin' if dry_run else 'pinned'} {name}: {branch} · {queue}"
    say(f"{said}, {span}, {found.value.merges:,} merges")
    _print_figures(found.value)


def delete_period(
    repository: RepositoryName,
    name: PeriodName,
    times: ZoneOptions,
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I stop comparing with a period?

    Deletes it; its alerts end.

    Example: mergecast admin reference delete demo/harbor usual
    """

    def change(settings: dict[str, Any]) -> dict[str, Any]:
        others = _others(settings, name)
        if len(others) == len(settings["reference_periods"]):
            near = nearest(name, [one["name"] for one in others])
            raise NotFound(
                f"{repository} has no reference period {name}{(near and f'; did you mean {near}?') or ''}"
            )
        return {"reference_periods": others}

    with connect(*server) as client, named_options(_OPTIONS):
        changed = client.change_settings(repository, change)
    print_changes(changed, times.read(), as_json=as_json)


def _others(settings: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in settings["reference_periods"] if one["name"] != name]


def _print_figures(found: "ReferencePreview") -> None:
    for name in COMPARED:
        figure = FIGURES[name]
        told = f"{figure.words} {figure.written(getattr(found.figures, name))}"
        say(f"  {told}; an alert may begin above {getattr(found.limits, name):g} times that")
    if found.finds is not None:
        say(f"  {found.finds.sentence}")


def _limits(given: list[str]) -> dict[str, float]:
    limits = {}
    for text in given:
        figure, _, ratio = text.partition("=")
        try:
            limits[figure] = parse_number(ratio)
        except ValueError:
            raise WrongUsage(
                f"--limit: `{text}` is not a figure and a ratio; write {_EXAMPLE} to alert above 1.5 times"
            ) from None
    return limits


def _print_periods(periods: "list[ReferencePeriod]", zone: Zone) -> None:
    figures = (FIGURES[name].words for name in COMPARED)
    columns = ("name", "branch", "queue", "from", f"to, {zone.name}", *figures, "state")
    print_table(columns, [_row(period, zone) for period in periods])


def _row(period: "ReferencePeriod", zone: Zone) -> tuple[str, ...]:
    return (
        *(period.name, period.base_ref, period.queue_name),
        *(zone.shown_text(at) for at in (period.start_at, period.end_at)),
        *(_compared(period, name) for name in COMPARED),
        _state(period, zone),
    )


def _compared(period: "ReferencePeriod", name: str) -> str:
    """The figure of the period, and that of the last days with its ratio."""
    written = FIGURES[name].written
    before = written(getattr(period.figures, name))
    if period.comparison is None:
        return before
    now: Compared = getattr(period.comparison.figures, name)
    ratio = "" if now.ratio is None else f" ({now.ratio:.2f} times)"
    return f"{before} → {written(now.value)}{ratio}"


def _state(period: "ReferencePeriod", zone: Zone) -> str:
    if period.alerts:
        since = min(alert.since for alert in period.alerts)
        return f"alert since {zone.shown_text(since)}"
    if period.comparison is None:
        return "not compared yet"
    figures, limits = period.comparison.figures, period.limits
    is_above = any((getattr(figures, name).ratio or 0) > getattr(limits, name) for name in COMPARED)
    return "no alert: chance may explain it" if is_above else "no alert"
