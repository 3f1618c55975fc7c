"""`mergecast summary`: the figures of a whole period, compared with the period before."""

from datetime import UTC, datetime
from typing import Any

from mergecast.cli.ci_known import unknown_ci_text
from mergecast.cli.connection import connect
from mergecast.cli.group_names import FILTERS, check_filters, newest_event, nothing_in
from mergecast.cli.kept_since import print_kept_since
from mergecast.cli.options import (
    AsJson,
    Branch,
    DataDir,
    End,
    PriorityRule,
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
from mergecast.cli.output import print_json, print_table
from mergecast.cli.periods import SHORTEST_OF_RATE, Zone, days_of, read_period, read_zone
from mergecast.queues.model.figures import FIGURES, SUMMARY_FIGURES


def summary(
    repository: RepositoryName,
    since: Since = None,
    start: Start = None,
    end: End = None,
    branch: Branch = None,
    queue: Queue = None,
    priority_rule: PriorityRule = None,
    tz: TimeZone = None,
    utc: Utc = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """Show the figures of a whole period and how they changed; by default of the last 7 days."""
    check_repository(repository)
    zone = read_zone(tz, utc=utc)
    period = read_period(since, start, end, zone.tz, datetime.now(UTC))
    given = {"--branch": branch, "--queue": queue, "--priority-rule": priority_rule}
    filters = {FILTERS[option]: values for option, values in given.items() if values}
    with connect(data_dir, url, token) as client:
        found = client.summary(repository, {**period.query(), **filters})
        check_filters(client, repository, filters, found["queues"])
        newest = None if found["queues"] else newest_event(client, repository)
    if as_json:
        print_json(found)
        return 0
    if not found["queues"]:
        print(nothing_in(f"{_span(found['window'], zone)}, {zone.name}", newest, zone))
        print_kept_since(found, zone)
        return 1
    print(f"{repository} · {_span(found['window'], zone)}, {zone.name}")
    print(f"compared with {_span(found['window_before'], zone)}")
    if "verdict" in found:  # older servers have none
        print(found["verdict"]["sentence"])
    print_kept_since(found, zone)
    print_table(
        ("", "value", "before", "change"),
        [
            _row(name, found["all"][name])
            for name in SUMMARY_FIGURES
            if name != "merged_per_day" or days_of(found["window"]) >= SHORTEST_OF_RATE
        ],
    )
    if reason := unknown_ci_text(found["all"]):
        print(reason)
    return 0


def _span(window: dict[str, str], zone: Zone) -> str:
    return f"{zone.shown_text(window['start'])} to {zone.shown_text(window['end'])}"


def _row(name: str, found: dict[str, Any]) -> tuple[str, ...]:
    figure = FIGURES[name]
    # What stays waited for is a part of their time in queue, which stands above it.
    label = f"  {figure.words}" if name.startswith("waiting_") else figure.words
    values = (figure.written(found[column]) for column in ("value", "before"))
    return (label, *values, figure.written_change(found["change"]))
