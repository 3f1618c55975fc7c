"""`mergecast summary`: the figures of a whole period, compared with the period before."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mergecast.cli.connection import connect
from mergecast.cli.group_names import check_filters, newest_event, nothing_in, unknown_ci_text
from mergecast.cli.options import (
    EVERYTHING,
    HERE,
    LAST_DAYS,
    LOCAL,
    AsJson,
    Dates,
    Filters,
    RepositoryName,
    Server,
    ZoneOptions,
    check_repository,
)
from mergecast.cli.output import print_json, print_table
from mergecast.cli.periods import SHORTEST_OF_RATE, Zone, days_of, print_kept_since
from mergecast.queues.model.figures import FIGURES, SUMMARY_FIGURES

if TYPE_CHECKING:
    from mergecast.client.answers import Figure, Window


def summary(
    repository: RepositoryName,
    dates: Dates = LAST_DAYS,
    chosen: Filters = EVERYTHING,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> int:
    """Show the figures of a whole period and how they changed; by default of the last 7 days."""
    check_repository(repository)
    zone = times.read()
    period, filters = dates.read(zone, datetime.now(UTC)), chosen.query()
    with connect(*server) as client:
        answer = client.summary(repository, {**period.query(), **filters})
        found = answer.value
        check_filters(client, repository, filters, found.queues)
        newest = None if found.queues else newest_event(client, repository)
    if as_json:
        print_json(answer.raw)
        return 0
    if not found.queues:
        print(nothing_in(f"{_span(found.window, zone)}, {zone.name}", newest, zone))
        print_kept_since(found.kept_since, zone)
        return 1
    print(f"{repository} · {_span(found.window, zone)}, {zone.name}")
    print(f"compared with {_span(found.window_before, zone)}")
    if found.verdict is not None:  # older servers have none
        print(found.verdict.sentence)
    print_kept_since(found.kept_since, zone)
    print_table(
        ("", "value", "before", "change"),
        [
            _row(name, found.all[name])
            for name in SUMMARY_FIGURES
            if name != "merged_per_day" or days_of(found.window) >= SHORTEST_OF_RATE
        ],
    )
    if reason := unknown_ci_text(found.all):
        print(reason)
    return 0


def _span(window: "Window", zone: Zone) -> str:
    return f"{zone.shown_text(window.start)} to {zone.shown_text(window.end)}"


def _row(name: str, found: "Figure") -> tuple[str, ...]:
    figure = FIGURES[name]
    # What stays waited for is a part of their time in queue, which stands above it.
    label = f"  {figure.words}" if name.startswith("waiting_") else figure.words
    values = (figure.written(value) for value in (found.value, found.before))
    return (label, *values, figure.written_change(found.change))
