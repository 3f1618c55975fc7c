"""`mergecast stats`: one statistic as tables with bar charts, as JSON or as CSV."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.group_names import check_filters, newest_event, nothing_in
from mergecast.cli.options import FILTERS, AsJson, Dates, Filters, Server, ZoneOptions, check_repository
from mergecast.cli.output import print_csv, print_json, say
from mergecast.cli.periods import DEFAULT_SPAN, Period, instant, print_kept_since, utc_text
from mergecast.queues.model.zone import Zone

_LIST_ALL = "?"
_LOOKS_BACK = "time_to_merge"  # always over the same 7 days before one moment


def _complete_statistic(incomplete: str) -> list[tuple[str, str]]:
    from mergecast.queues.stats.published import STATISTICS

    return [(name, found.summary) for name, found in STATISTICS.items() if name.startswith(incomplete)]


Statistic = Annotated[
    str,
    typer.Argument(
        metavar="STATISTIC",
        help="Such as queue_size; without it, list all",
        show_default=False,
        autocompletion=_complete_statistic,
    ),
]


@dataclass(frozen=True, slots=True)
class Choice:
    """What to request: a period, or one instant for time_to_merge, and filters."""

    statistic: str
    period: Period
    filters: dict[str, list[str]]

    def query(self) -> dict[str, str | list[str]]:
        if self.statistic != _LOOKS_BACK:
            return {**self.period.query(), **self.filters}
        branches = {"branch": self.filters["base_ref"]} if "base_ref" in self.filters else {}
        return {"at": utc_text(self.period.end), **branches}


def stats(
    # Its name is checked later: listing the statistics needs no repository.
    repository: Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Repository")],
    *,
    statistic: Statistic = _LIST_ALL,
    dates: Dates,
    at: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only for time_to_merge: end of its 7 days; now by default"),
    ] = None,
    chosen: Filters,
    times: ZoneOptions,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV with one row per entry")] = False,
    server: Server,
) -> int:
    """How did one statistic develop, such as time to merge?

    Shows it for a period; by default for the last 7 days.

    Example: mergecast stats demo/harbor time_to_merge
    """
    if statistic == _LIST_ALL:
        return _list_statistics(as_json=as_json)
    if as_json and as_csv:
        raise WrongUsage("--json and --csv cannot be used together")
    from mergecast.cli.tables import columns_of, kept_since_of, print_tables, rows_of
    from mergecast.queues.stats.published import STATISTICS

    check_repository(repository)
    zone = times.read()
    _check_known(statistic)
    period = _read_period(statistic, dates, at, zone)
    filters = _read_filters(statistic, chosen)
    choice = Choice(statistic, period, filters)
    with connect(*server) as client:
        answer = client.statistic(repository, statistic, choice.query())
        rows = rows_of(answer)
        check_filters(client, repository, filters, rows)
        newest = None if rows else newest_event(client, repository)
    if not rows:
        text = nothing_in(_period_text(choice, zone), newest, zone)
        say(text, file=sys.stderr if as_json or as_csv else sys.stdout)
    if as_json:
        print_json(answer)
    elif as_csv:
        # A newer server may send more than this version knows.
        names = [*columns_of(STATISTICS[statistic].answer_type), *(name for row in rows for name in row)]
        print_csv(list(dict.fromkeys(names)), rows)
    else:
        if rows:
            say(f"{repository} · {statistic} · {_period_text(choice, zone)}")
            print_tables(rows, statistic, zone)
        print_kept_since(kept_since_of(answer), zone)
    return 0 if rows or as_json or as_csv else 1


def _list_statistics(*, as_json: bool) -> int:
    from mergecast.queues.stats.published import STATISTICS

    if as_json:
        print_json({name: found.summary for name, found in STATISTICS.items()})
        return 0
    for statistic in STATISTICS.values():
        say(f"{statistic.name:<28}{statistic.summary}")
    return 0


def _check_known(name: str) -> None:
    from mergecast.queues.model.nearest import nearest
    from mergecast.queues.stats.published import STATISTICS

    if name in STATISTICS:
        return
    known = nearest(name, STATISTICS)
    advice = f"did you mean `{known}`?" if known else f"there are {', '.join(STATISTICS)}"
    raise WrongUsage(f"there is no statistic `{name}`; {advice}")


def _read_period(statistic: str, dates: Dates, at: str | None, zone: Zone) -> Period:
    now = datetime.now(UTC)
    if statistic != _LOOKS_BACK:
        if at is not None:
            raise WrongUsage(f"--at is only for {_LOOKS_BACK}; use --start and --end")
        return dates.read(zone, now)
    if dates not in (Dates(), Dates(DEFAULT_SPAN)):
        raise WrongUsage(
            f"{_LOOKS_BACK} always covers the 7 days before --at; leave out --since, --start and --end"
        )
    until = now if at is None else instant(at, zone.tz, "--at")
    return Period(until - timedelta(days=7), until)


def _read_filters(statistic: str, chosen: Filters) -> dict[str, list[str]]:
    """The filters as parameters of the API; an option that the statistic does not have is wrong usage."""
    from mergecast.queues.stats.published import STATISTICS

    takes = {{"branch": "base_ref"}.get(name, name) for name in STATISTICS[statistic].parameters}
    for option, values in chosen.given().items():
        if FILTERS[option] not in takes:
            possible = [name for name, parameter in FILTERS.items() if parameter in takes]
            advice = f"it has {', '.join(possible)}" if possible else "it has no filters"
            raise WrongUsage(f"{statistic} cannot be filtered with {option}; {advice}")
        if statistic == _LOOKS_BACK and len(values) > 1:
            raise WrongUsage(f"{statistic} takes one {option}")
    return chosen.query()


def _period_text(choice: Choice, zone: Zone) -> str:
    return f"{zone.shown(choice.period.start)} to {zone.shown(choice.period.end)}, {zone.name}"
