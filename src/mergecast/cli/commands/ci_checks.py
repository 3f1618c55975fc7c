"""`mergecast ci-checks`: which CI checks fail, are flaky, wait for machines and hold up others."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.group_names import check_filters
from mergecast.cli.options import AsJson, Dates, QueueFilters, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_csv, print_fitting_table, print_json, print_table, say
from mergecast.cli.periods import print_kept_since
from mergecast.queues.model.figures import Unit
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.words import counted
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.queues.answers.ci_checks import CiCheck, CiChecks, Failure, Figures

_COLUMNS = (
    *("check", "runs", "failed", "removed", "held up", "flaky"),
    *("p50", "p95", "waited p50", "waited p95", "last to end"),
)
_ALWAYS_SHOWN = 2
_FIGURES = ("runs", "failed", "failure_rate", "removals", "blocked_seconds", "flaky", "flake_rate")
_EVIDENCE = ("same_commit", "other_run", "built_on", "failed_again", "not_tried")
_TRIED = {True: "flaky", False: "failed again", None: "not tried again"}
_SPREAD = ("p50", "p95", "sum")
_CSV_COLUMNS = (
    *("name", "runner", *_FIGURES, "flake_rate_low", "flake_rate_high", *_EVIDENCE),
    *(f"{kind}_{figure}" for kind in ("seconds", "waited_seconds") for figure in _SPREAD),
    *("critical_runs", "critical_share", "critical_seconds_p50"),
)


def ci_checks(
    repository: RepositoryName,
    *,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this check, with its last failures")
    ] = None,
    dates: Dates,
    chosen: QueueFilters,
    times: ZoneOptions,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV with one row per check and per runner")
    ] = False,
    server: Server,
) -> int:
    """Is this check flaky? How often does it fail, what does it cost?

    Lists the CI checks that ended, the most expensive first; by default in the last 7 days.

    Example: mergecast ci-checks demo/harbor --name "unit tests"
    """
    if as_json and as_csv:
        raise WrongUsage("--json and --csv cannot be used together")
    zone = times.read()
    period, filters = dates.read(zone, datetime.now(UTC)), chosen.query()
    named = {} if name is None else {"name": name}
    with connect(*server) as client:
        with needs_newer_server("list CI checks"):
            found = client.ci_checks(repository, {**period.query(), **filters, **named})
        check_filters(client, repository, filters, [])
        if not found.value.checks:
            others = client.ci_checks(repository, {**period.query(), **filters}) if named else found
            told = _nothing(
                name,
                others.value.checks,
                f"from {zone.shown(period.start)} to {zone.shown(period.end)}, {zone.name}",
            )
            say(told, file=sys.stderr if as_json or as_csv else sys.stdout)
    if as_json:
        print_json(found.raw)
    elif as_csv:
        print_csv(_CSV_COLUMNS, _csv_rows(found.value.checks))
    elif found.value.checks:
        _print(repository, found.value, zone)
    return 0


def _nothing(name: str | None, others: "Sequence[CiCheck]", period: str) -> str:
    near = None if name is None else nearest(name, [check.name for check in others])
    what = "no CI check" if name is None else f"no CI check `{name}`"
    advice = (
        f"did you mean `{near}`?"
        if near
        else "`mergecast admin sources` says what reports about this repository"
    )
    return f"{what} was reported {period}; {advice}"


def _print(repository: str, found: "CiChecks", zone: Zone) -> None:
    share = Unit.RATE.written(found.covered)
    covered = "" if found.covered is None else f" · {share} of CI runs have reports"
    say(f"{repository} · {counted(len(found.checks), 'CI check')}{covered}")
    print_fitting_table(_COLUMNS, [_row(check) for check in found.checks], _ALWAYS_SHOWN)
    print_kept_since(found.kept_since or None, zone)
    if found.failures:
        say("", f"last failures · times in {zone.name}")
        columns = ("at", "result", "pull requests", "flaky", "link")
        print_table(columns, [_failure(failure, zone) for failure in found.failures])


def _row(check: "CiCheck") -> tuple[str, ...]:
    return (
        check.name,
        f"{check.runs:,}",
        f"{check.failed:,} ({Unit.RATE.written(check.failure_rate)})",
        f"{check.removals:,}",
        Unit.SECONDS.written(check.blocked_seconds),
        _flakes(check),
        *(
            Unit.SECONDS.written(seconds)
            for kind in (check.seconds, check.waited_seconds)
            for seconds in (kind.p50, kind.p95)
        ),
        Unit.RATE.written(check.critical.share),
    )


def _flakes(check: "CiCheck") -> str:
    if check.flake_interval is None:
        return Unit.RATE.written(None)
    rate = "cannot tell" if check.flake_rate is None else Unit.RATE.written(check.flake_rate)
    low, high = (Unit.RATE.written(end) for end in (check.flake_interval.low, check.flake_interval.high))
    return f"{rate} ({low} to {high})"


def _failure(failure: "Failure", zone: Zone) -> tuple[str, ...]:
    return (
        zone.shown_text(failure.at),
        failure.conclusion,
        " ".join(f"#{number}" for number in failure.pull_requests) or "-",
        _TRIED[failure.is_flaky],
        failure.url or "",
    )


def _csv_rows(checks: "list[CiCheck]") -> Iterator[dict[str, object]]:
    """One row per check, whose runner is empty, and one for each of its runners, if it had several."""
    for check in checks:
        yield _flat(check.name, None, check)
        if len(check.by_runner) > 1:
            yield from (_flat(check.name, figures.runner, figures) for figures in check.by_runner)


def _flat(name: str, runner: str | None, figures: "Figures") -> dict[str, object]:
    durations = {"seconds": figures.seconds, "waited_seconds": figures.waited_seconds}
    interval = figures.flake_interval
    return {
        "name": name,
        "runner": runner,
        **{figure: getattr(figures, figure) for figure in _FIGURES},
        "flake_rate_low": interval and interval.low,
        "flake_rate_high": interval and interval.high,
        **{name: getattr(figures.evidence, name) for name in _EVIDENCE},
        **{f"{kind}_{name}": getattr(of, name) for kind, of in durations.items() for name in _SPREAD},
        "critical_runs": figures.critical.runs,
        "critical_share": figures.critical.share,
        "critical_seconds_p50": figures.critical.p50,
    }
