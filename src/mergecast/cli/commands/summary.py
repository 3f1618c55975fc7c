"""`mergecast summary`: the figures of a whole period, compared with the period before."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mergecast.cli.connection import connect
from mergecast.cli.group_names import check_filters, newest_event, nothing_in
from mergecast.cli.options import AsJson, Dates, Filters, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import print_json, print_table, say
from mergecast.cli.periods import days_of, print_kept_since
from mergecast.queues.model.ci_price import written_cost
from mergecast.queues.model.figures import FIGURES, SHORTEST_OF_RATE, SUMMARY_FIGURES, signed, unknown_ci_text
from mergecast.queues.model.zone import Zone

_MOST_COSTS = 5  # queues, and as many checks

if TYPE_CHECKING:
    from mergecast.queues.answers.summary import Cost, Figure, Span


def summary(
    repository: RepositoryName,
    *,
    dates: Dates,
    chosen: Filters,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How did the queues do, compared with the time before?

    Shows the figures of a whole period; by default of the last 7 days.

    Example: mergecast summary demo/harbor --since 14d
    """
    zone = times.read()
    period, filters = dates.read(zone, datetime.now(UTC)), chosen.query()
    with connect(*server) as client:
        answer = client.summary(repository, {**period.query(), **filters})
        found = answer.value
        check_filters(client, repository, filters, found.queues)
        newest = None if found.queues else newest_event(client, repository)
    if as_json:
        print_json(answer.raw)
        return
    if not found.queues:
        say(nothing_in(f"{_span(found.window, zone)}, {zone.name}", newest, zone))
        print_kept_since(found.kept_since, zone)
        return
    say(f"{repository} · {_span(found.window, zone)}, {zone.name}")
    say(f"compared with {_span(found.window_before, zone)}")
    if found.state is not None:  # older servers have none
        say(found.state.sentence)
    print_kept_since(found.kept_since, zone)
    print_table(
        ("", "value", "before", "change"),
        [
            _row(name, found.all[name])
            for name in SUMMARY_FIGURES
            if name != "merged_per_day" or days_of(found.window) >= SHORTEST_OF_RATE
        ],
    )
    if found.cost is not None:
        print_table(("cost of CI", "value", "before", "change"), _costs(found.cost))
    if reason := unknown_ci_text(found.all):
        say(reason)


def _span(window: "Span", zone: Zone) -> str:
    return f"{zone.shown_text(window.start)} to {zone.shown_text(window.end)}"


def _row(name: str, found: "Figure") -> tuple[str, ...]:
    figure = FIGURES[name]
    # What stays waited for is a part of their time in queue, which stands above it.
    label = f"  {figure.words}" if name.startswith("waiting_") else figure.words
    values = (figure.written(value) for value in (found.value, found.before))
    return (label, *values, figure.written_change(found.change))


def _costs(cost: "Cost") -> list[tuple[str, ...]]:
    """In all, per merge, and of the queues and checks that cost most; a single queue costs everything."""
    queues = cost.queues[:_MOST_COSTS] if len(cost.queues) > 1 else []
    rows = [
        ("all", cost.total, cost.total_before, cost.total_change),
        ("per merge", cost.per_merge, cost.per_merge_before, cost.per_merge_change),
        *(
            (f"queue {one.queue_name} of {one.base_ref}", one.total, one.total_before, one.total_change)
            for one in queues
        ),
        *(
            (f"check {one.name}", one.total, one.total_before, one.total_change)
            for one in cost.checks[:_MOST_COSTS]
        ),
    ]
    return [
        (label, written_cost(value, cost.currency), written_cost(before, cost.currency), signed(change))
        for label, value, before, change in rows
    ]
