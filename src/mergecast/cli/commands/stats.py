"""`mergecast stats`: one statistic as a table with a chart, as JSON or as CSV."""

import csv
import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, RepositoryName, Token, Url, check_repository, place
from mergecast.cli.spans import span
from mergecast.cli.tables import print_tables, rows_of
from mergecast.settings import Settings
from mergecast.stats.published import STATISTICS


def stats(
    repository: RepositoryName,
    statistic: Annotated[str, typer.Argument(metavar="STATISTIC", help="Such as queue_size; ? lists them")],
    since: Annotated[str | None, typer.Option(help="How far back: 90m, 12h, 7d, 4w")] = None,
    start: Annotated[str | None, typer.Option(help="Start of the period: 2026-01-31T09:00:00Z")] = None,
    end: Annotated[str | None, typer.Option(help="End of the period; now by default")] = None,
    base_ref: Annotated[list[str] | None, typer.Option(help="Only this base ref; repeatable")] = None,
    queue: Annotated[list[str] | None, typer.Option(help="Only this queue; repeatable")] = None,
    priority_rule: Annotated[list[str] | None, typer.Option(help="Only this rule; repeatable")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="One line an entry")] = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """Show a statistic of a repository's merge queues; the last day by default."""
    if statistic == "?":
        return _list_statistics()
    if as_json and as_csv:
        raise WrongUsage("--json and --csv exclude each other")
    check_repository(repository)
    filters = {"base_ref": base_ref, "queue_name": queue, "priority_rule_name": priority_rule}
    parameters = _parameters(_known(statistic), _period(since, start, end), filters)
    with connect(place(Settings(), data_dir, url, token)) as client:
        answer = client.statistic(repository, statistic, parameters)
    return _present(answer, as_json=as_json, as_csv=as_csv)


def _list_statistics() -> int:
    for statistic in STATISTICS.values():
        print(f"{statistic.name:<28}{statistic.summary}")
    return 0


def _known(name: str) -> str:
    if name not in STATISTICS:
        raise WrongUsage(f"there is no statistic `{name}`; there are {', '.join(STATISTICS)}")
    return name


def _period(since: str | None, start: str | None, end: str | None) -> dict[str, str]:
    if since is None:
        return {name: text for name, text in (("start_at", start), ("end_at", end)) if text is not None}
    if start is not None or end is not None:
        raise WrongUsage("--since reaches up to now; leave it out with --start or --end")
    try:
        begin = datetime.now(UTC) - span(since)
    except OverflowError:
        raise WrongUsage(f"`{since}` reaches back before the year 1") from None
    return {"start_at": begin.isoformat().replace("+00:00", "Z")}


def _parameters(name: str, period: dict[str, str], filters: dict[str, list[str] | None]) -> dict[str, object]:
    """The query for a statistic; what it does not take is wrong usage, not silently dropped."""
    given: dict[str, object] = {**period, **{key: values for key, values in filters.items() if values}}
    takes = STATISTICS[name].parameters
    if "at" in takes:
        # This statistic looks back from one moment and knows one branch.
        renamed = {"end_at": "at", "base_ref": "branch"}
        given = {renamed.get(key, key): value for key, value in given.items()}
    unknown = [key for key in given if key not in takes]
    if unknown:
        raise WrongUsage(f"{name} takes {', '.join(takes)}, and not {', '.join(unknown)}")
    return given


def _present(answer: Any, *, as_json: bool, as_csv: bool) -> int:
    rows = rows_of(answer)
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(answer)).decode())
    elif as_csv:
        _print_csv(rows)
    elif rows:
        print_tables(rows)
    else:
        print("nothing was found in this period; --since 7d looks back a week")
    return 0 if rows else 1


def _print_csv(rows: list[dict[str, Any]]) -> None:
    if rows:
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
