"""`mergecast baselines`: pin a period of a queue, compare with it; `mergecast alerts`: when it was worse."""

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import (
    ALL_DATES,
    HERE,
    LOCAL,
    AsJson,
    End,
    KeptDates,
    RepositoryName,
    Server,
    Start,
    ZoneOptions,
    check_repository,
)
from mergecast.cli.output import print_done, print_found, print_json, print_table
from mergecast.cli.periods import Zone, parse_number, read_period
from mergecast.queues.model.baseline import MEASURES
from mergecast.queues.model.figures import FIGURES

if TYPE_CHECKING:
    from mergecast.answers import Alert, Baseline, BaselinePreview, Compared
    from mergecast.client.answers import Answer


_DEFAULT = "28d"
_EXAMPLE = "time_to_merge_p95=1.5"
_OPTIONS = {
    "name": "NAME",
    "start_at": "--start",
    "end_at": "--end",
    "base_ref": "--branch",
    "queue_name": "--queue",
    "limits": "--limit",
}

BaselineName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the baseline, such as march")]


def list_baselines(
    repository: RepositoryName,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """List the baselines: their figures, those of the last days, and whether an alert holds."""
    check_repository(repository)
    zone = times.read()
    with connect(*server) as client:
        found = client.baselines(repository)
    empty = f"{repository} has no baselines; pin one with `mergecast baselines pin {repository} NAME`"
    print_found(found, empty, partial(_print_baselines, zone=zone), as_json=as_json)


def pin_baseline(
    repository: RepositoryName,
    name: BaselineName,
    branch: Annotated[str, typer.Option(metavar="NAME", help="Base branch")] = "main",
    queue: Annotated[str, typer.Option(metavar="NAME", help="Queue")] = "default",
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="How far back: 14d, 4w; 28d by default")
    ] = None,
    start: Start = None,
    end: End = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE=RATIO",
            help=f"When to alert, such as {_EXAMPLE}; one of {', '.join(MEASURES)}; repeatable",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Pin nothing; show the figures, and what an alert would find")
    ] = False,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Pin a period of a queue, or another period under the same name; by default the last 28 days."""
    check_repository(repository)
    zone = times.read()
    if end is not None and start is None:
        raise WrongUsage("--end needs --start: both ends of the period")
    length = _DEFAULT if since is None and start is None else since
    period = read_period(length, start, end, zone.tz, datetime.now(UTC))
    wanted = {"base_ref": branch, "queue_name": queue, "limits": _limits(limit or []), **period.query()}
    with connect(*server) as client, named_options(_OPTIONS):
        answer: Answer[Baseline] | Answer[BaselinePreview] = (
            client.preview_baseline(repository, wanted)
            if dry_run
            else client.pin_baseline(repository, name, wanted)
        )
    if as_json:
        print_json(answer.raw)
        return
    span = f"{zone.shown(period.start)} to {zone.shown(period.end)}, {zone.name}"
    said = f"{'would pin' if dry_run else 'pinned'} {name}: {branch} · {queue}"
    print(f"{said}, {span}, {answer.value.merges:,} merges")
    _print_figures(answer.value)


def _print_figures(found: "Baseline | BaselinePreview") -> None:
    for measure in MEASURES:
        figure = FIGURES[measure]
        told = f"{figure.words} {figure.written(getattr(found.figures, measure))}"
        print(f"  {told}; an alert may begin above {getattr(found.limits, measure):g} times that")
    if found.finds is not None:
        print(f"  {found.finds.sentence}")


def delete_baseline(
    repository: RepositoryName,
    name: BaselineName,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Delete a baseline; its alerts end."""
    check_repository(repository)
    with connect(*server) as client, named_options(_OPTIONS):
        client.delete_baseline(repository, name)
    print_done(f"deleted the baseline {name} of {repository}", as_json=as_json, deleted=name)


def _limits(given: list[str]) -> dict[str, float]:
    limits = {}
    for text in given:
        measure, _, ratio = text.partition("=")
        try:
            limits[measure] = parse_number(ratio)
        except ValueError:
            raise WrongUsage(
                f"--limit: `{text}` is not a measure and a ratio; write {_EXAMPLE} to alert above 1.5 times"
            ) from None
    return limits


def _print_baselines(baselines: "list[Baseline]", zone: Zone) -> None:
    measures = (FIGURES[measure].words for measure in MEASURES)
    columns = ("name", "branch", "queue", "from", f"to, {zone.name}", *measures, "state")
    print_table(columns, [_baseline_row(baseline, zone) for baseline in baselines])


def _baseline_row(baseline: "Baseline", zone: Zone) -> tuple[str, ...]:
    return (
        *(baseline.name, baseline.base_ref, baseline.queue_name),
        *(zone.shown_text(at) for at in (baseline.start_at, baseline.end_at)),
        *(_compared(baseline, measure) for measure in MEASURES),
        _state(baseline, zone),
    )


def _compared(baseline: "Baseline", measure: str) -> str:
    """The figure of the baseline, and that of the last days with its ratio."""
    written = FIGURES[measure].written
    before = written(getattr(baseline.figures, measure))
    if baseline.comparison is None:
        return before
    now: Compared = getattr(baseline.comparison.figures, measure)
    ratio = "" if now.ratio is None else f" ({now.ratio:.2f} times)"
    return f"{before} → {written(now.value)}{ratio}"


def _state(baseline: "Baseline", zone: Zone) -> str:
    if baseline.alerts:
        since = min(alert.began_at for alert in baseline.alerts)
        return f"alert since {zone.shown_text(since)}"
    if baseline.comparison is None:
        return "not compared yet"
    figures, limits = baseline.comparison.figures, baseline.limits
    is_above = any((getattr(figures, measure).ratio or 0) > getattr(limits, measure) for measure in MEASURES)
    return "no alert: chance may explain it" if is_above else "no alert"


_WHY = {
    "recovered": "recovered",
    "no_data": "no data",
    "baseline_replaced": "pinned again",
    "baseline_deleted": "baseline deleted",
}


def alerts(
    repository: RepositoryName,
    dates: KeptDates = ALL_DATES,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with code 1 if an alert holds now; for scripts")
    ] = False,
    server: Server = HERE,
) -> int:
    """Show current and past alerts against baselines, newest first."""
    check_repository(repository)
    zone = times.read()
    period = dates.query(zone, datetime.now(UTC))
    with connect(*server) as client:
        found = client.alerts(repository, period)
        has_baselines = bool(found.value) or bool(client.baselines(repository).value)
    status = 1 if check and any(alert.ended_at is None for alert in found.value) else 0
    why = "" if has_baselines else f": {repository} has no baselines; pin one with `mergecast baselines pin`"
    print_found(found, f"no alerts{why}", partial(_print_alerts, zone=zone), as_json=as_json)
    return status


def _print_alerts(alerts: "list[Alert]", zone: Zone) -> None:
    columns = ("began", f"ended, {zone.name}", "why", "baseline", "alert")
    print_table(columns, [_alert_row(alert, zone) for alert in alerts])


def _alert_row(alert: "Alert", zone: Zone) -> tuple[str, ...]:
    why = alert.end_reason or "-"
    return (
        zone.shown_text(alert.began_at),
        "holds" if alert.ended_at is None else zone.shown_text(alert.ended_at),
        _WHY.get(why, why),
        alert.baseline,
        alert.sentence,
    )
