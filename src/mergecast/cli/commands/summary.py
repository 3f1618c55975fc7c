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
from mergecast.forecasting.forecast.wording import signed
from mergecast.queues.model.instant import duration

_LABELS = {
    "entered": "entered",
    "merged": "merged",
    "merged_per_day": "merged per day",
    "failure_rate": "failure rate",
    "time_in_queue_p50": "time in queue, p50",
    "time_in_queue_p90": "time in queue, p90",
    "time_in_queue_p95": "time in queue, p95",
    "time_in_queue_p99": "time in queue, p99",
    "waiting_ci": "  of it CI, mean",
    "waiting_capacity": "  waiting for capacity, mean",
    "waiting_schedule": "  waiting for the schedule, mean",
    "waiting_freeze": "  waiting for a freeze, mean",
    "ci_runs_per_merge": "CI runs per merge",
    "ci_seconds_per_merge": "CI time per merge",
    "batch_size": "batch size, mean",
    "retries": "retries",
    "bisections": "bisections",
    "runs_saved": "CI runs saved",
}
_PER_DAY = "merged_per_day"
_DURATIONS = ("time_in_queue_", "waiting_", "ci_seconds_")
_RATE = "failure_rate"
_TINY = 0.005  # would be printed as 0.00, for example one merge in a year


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
            (label, _shown(name, row["value"]), _shown(name, row["before"]), _change(name, row["change"]))
            for name, label in _LABELS.items()
            for row in [found["all"][name]]
            if name != _PER_DAY or days_of(found["window"]) >= SHORTEST_OF_RATE
        ],
    )
    if reason := unknown_ci_text(found["all"]):
        print(reason)
    return 0


def _span(window: dict[str, str], zone: Zone) -> str:
    return f"{zone.shown_text(window['start'])} to {zone.shown_text(window['end'])}"


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name.startswith(_DURATIONS):
        return duration(value)
    if name == _RATE:
        return f"{value:.1%}"
    if 0 < abs(value) < _TINY:
        return f"{value:.1g}"
    return f"{value:,.2f}" if isinstance(value, float) and value % 1 else f"{value:,.0f}"


def _change(name: str, change: float | None) -> str:
    if change is None or name != _RATE:
        return signed(change)
    return f"{change * 100:+.1f} points"
