"""`mergecast changes`: since when figures have had another level."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.group_names import check_filters
from mergecast.cli.options import AsJson, HalfYearDates, QueueFilters, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_json, print_table, say
from mergecast.cli.periods import print_kept_since
from mergecast.queues.model.figures import FIGURES, signed
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.queues.answers.changes import Change, WatchedFigure

_COLUMNS = ("began", "earliest", "latest", "figure", "before", "after", "change", "first reported")


def changes(
    repository: RepositoryName,
    dates: HalfYearDates,
    chosen: QueueFilters,
    times: ZoneOptions,
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Since when is it slower, or does it fail more often?

    Shows when figures rose or fell and stayed there, such as p95 of time to merge.

    Example: mergecast changes demo/harbor
    """
    zone = times.read()
    period = dates.read(zone, datetime.now(UTC))
    filters = chosen.query()
    with connect(*server) as client, needs_newer_server("find changes"):
        found = client.changes(repository, {**period.query(), **filters})
        check_filters(client, repository, filters, ())
    if as_json:
        print_json(found.raw)
        return
    say(found.value.sentence)
    print_kept_since(found.value.kept_since or None, zone)
    if found.value.changes:
        print_table(_COLUMNS, [_row(change) for change in found.value.changes])
    if missing := [_missing(figure) for figure in found.value.figures if figure.days and figure.missing_days]:
        say(f"Too little history: {', '.join(missing)}.")


def _row(change: "Change") -> tuple[str, ...]:
    figure = FIGURES[change.figure]
    dates = (change.began_on, change.earliest, change.latest)
    levels = (figure.written(change.before), figure.written(change.after))
    relative = signed(None if change.ratio is None else change.ratio - 1)
    return (*dates, figure.words, *levels, relative, change.first_reported_on)


def _missing(figure: "WatchedFigure") -> str:
    return f"{FIGURES[figure.figure].words} ({counted(figure.missing_days, 'more day')})"
