"""`mergecast ci-checks`: which CI checks fail, are flaky, wait for machines and hold up others."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.group_names import FILTERS, check_filters
from mergecast.cli.kept_since import print_kept_since
from mergecast.cli.options import (
    AsJson,
    Branch,
    DataDir,
    End,
    Queue,
    RepositoryName,
    Since,
    Start,
    TimeZone,
    Token,
    Url,
    Utc,
    check_repository,
)
from mergecast.cli.output import counted, print_csv, print_json, print_table
from mergecast.cli.periods import Period, Zone, read_period, read_zone
from mergecast.queues.model.figures import Unit

_COLUMNS = (
    *("check", "runs", "failed", "removed", "held up", "flaky"),
    *("p50", "p95", "waited p50", "waited p95", "last to end"),
)
_FIGURES = ("runs", "failed", "failure_rate", "removals", "blocked_seconds", "flaky", "flake_rate")
_CSV_COLUMNS = (
    *("name", "runner", *_FIGURES, "same_commit", "next_run"),
    *(f"{kind}_{figure}" for kind in ("seconds", "waited_seconds") for figure in ("p50", "p95", "sum")),
    *("critical_runs", "critical_share", "critical_seconds_p50"),
)


def ci_checks(
    repository: RepositoryName,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this check, with its last failures")
    ] = None,
    since: Since = None,
    start: Start = None,
    end: End = None,
    branch: Branch = None,
    queue: Queue = None,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV with one row per check and per runner")
    ] = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """List the CI checks that ended, the most expensive first; by default in the last 7 days."""
    if as_json and as_csv:
        raise WrongUsage("--json and --csv cannot be used together")
    check_repository(repository)
    zone = read_zone(tz, utc=utc)
    period = read_period(since, start, end, zone.tz, datetime.now(UTC))
    given = {"--branch": branch, "--queue": queue}
    filters: dict[str, Any] = {FILTERS[option]: values for option, values in given.items() if values}
    asked = {**period.query(), **filters, **({} if name is None else {"name": name})}
    with connect(data_dir, url, token) as client:
        with needs_newer_server("list CI checks"):
            found = client.ci_checks(repository, asked)
        check_filters(client, repository, filters, found["checks"])
    if not found["checks"]:
        print(_nothing(name, period, zone), file=sys.stderr if as_json or as_csv else sys.stdout)
    if as_json:
        print_json(found)
    elif as_csv:
        print_csv(_CSV_COLUMNS, _csv_rows(found["checks"]))
    elif found["checks"]:
        _print(repository, found, zone)
    return 0


def _nothing(name: str | None, period: Period, zone: Zone) -> str:
    what = "no CI check" if name is None else f"no CI check named {name!r}"
    span = f"from {zone.shown(period.start)} to {zone.shown(period.end)}, {zone.name}"
    return f"{what} was reported {span}; `mergecast sources` says what reports about this repository"


def _print(repository: str, found: dict[str, Any], zone: Zone) -> None:
    covered = (
        ""
        if found["covered"] is None
        else f" · {Unit.RATE.written(found['covered'])} of CI runs have reports"
    )
    print(f"{repository} · {counted(len(found['checks']), 'CI check')}{covered}")
    print_table(_COLUMNS, [_row(check) for check in found["checks"]])
    print_kept_since(found, zone)
    failures = found.get("failures", [])
    if failures:
        print(f"\nlast failures · times in {zone.name}")
        columns = ("at", "result", "pull requests", "flaky", "link")
        print_table(columns, [_failure(failure, zone) for failure in failures])


def _row(check: dict[str, Any]) -> tuple[str, ...]:
    seconds, waited, critical = check["seconds"], check["waited_seconds"], check["critical"]
    return (
        check["name"],
        f"{check['runs']:,}",
        f"{check['failed']:,} ({Unit.RATE.written(check['failure_rate'])})",
        f"{check['removals']:,}",
        Unit.SECONDS.written(check["blocked_seconds"]),
        f"{check['flaky']:,} ({Unit.RATE.written(check['flake_rate'])})",
        *(Unit.SECONDS.written(kind[figure]) for kind in (seconds, waited) for figure in ("p50", "p95")),
        Unit.RATE.written(critical["share"]),
    )


def _failure(failure: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    return (
        zone.shown_text(failure["at"]),
        failure["conclusion"],
        " ".join(f"#{number}" for number in failure["pull_requests"]) or "-",
        "flaky" if failure["is_flaky"] else "",
        failure["url"] or "",
    )


def _csv_rows(checks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One row per check, whose runner is empty, and one for each of its runners, if it had several."""
    for check in checks:
        yield _flat(check["name"], None, check)
        if len(check["by_runner"]) > 1:
            yield from (_flat(check["name"], figures["runner"], figures) for figures in check["by_runner"])


def _flat(name: str, runner: str | None, figures: dict[str, Any]) -> dict[str, Any]:
    durations = {
        f"{kind}_{figure}": figures[kind][figure]
        for kind in ("seconds", "waited_seconds")
        for figure in ("p50", "p95", "sum")
    }
    evidence, critical = figures["evidence"], figures["critical"]
    return {
        "name": name,
        "runner": runner,
        **{figure: figures[figure] for figure in _FIGURES},
        "same_commit": evidence["same_commit"],
        "next_run": evidence["next_run"],
        **durations,
        "critical_runs": critical["runs"],
        "critical_share": critical["share"],
        "critical_seconds_p50": critical["p50"],
    }
