"""Write monitoring/grafana-dashboard.json; run it with .venv/bin/python after a change."""

import json
from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

from grafana_foundation_sdk.builders import dashboard, prometheus, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import DataSourceRef, VariableOption, VariableRefresh

FILE = Path(__file__).parents[1] / "monitoring" / "grafana-dashboard.json"

_SOURCE = DataSourceRef(type_val="prometheus", uid="${datasource}")
_QUEUES = 'repository=~"$repository", base_ref=~"$base_ref", queue_name=~"$queue_name"'
_MERGED = 'reason=~"PR_MERGED|PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"'
_BY_QUEUE = "repository, base_ref, queue_name"
_QUEUE = "{{repository}} {{base_ref}} {{queue_name}}"
_HEIGHT, _HALF = 8, 12


class Chart(NamedTuple):
    title: str
    description: str
    unit: str
    queries: tuple[tuple[str, str], ...]  # the expression of each, and how its series are called


def charts() -> Iterator[Chart]:
    """In the order of the page, two in a row."""
    yield Chart(
        "Alerts",
        "What is wrong with a queue at the moment; `mergecast alerts` says since when and why.",
        "short",
        (
            (
                f"max by ({_BY_QUEUE}, figure, origin) (mergecast_queue_alert{{{_QUEUES}}})",
                f"{{{{figure}}}} ({{{{origin}}}}) {_QUEUE}",
            ),
        ),
    )
    yield Chart(
        "Sources with a problem",
        "Following fails, or the webhook has never reported a queue.",
        "short",
        (('mergecast_source_problem{repository=~"$repository"}', "{{repository}} {{source}}"),),
    )
    yield Chart(
        "Pull requests in the queue",
        "How many pull requests are in each queue.",
        "short",
        ((f"mergecast_queue_size{{{_QUEUES}}}", _QUEUE),),
    )
    yield Chart(
        "Longest wait",
        "How long the pull request that entered first has been waiting.",
        "s",
        ((f"mergecast_queue_oldest_seconds{{{_QUEUES}}}", _QUEUE),),
    )
    yield Chart(
        "Time in queue",
        "Median and 95th percentile of the pull requests that were merged within 6 hours.",
        "s",
        tuple((_quantile(share, "time_seconds", _BY_QUEUE), f"p{share} {_QUEUE}") for share in (50, 95)),
    )
    yield Chart(
        "Entered and merged per hour",
        "If more enter than are merged or leave, the queue grows.",
        "short",
        (
            (_increase("entered_total", _QUEUES, _BY_QUEUE), f"entered {_QUEUE}"),
            (_increase("left_total", f"{_QUEUES}, {_MERGED}", _BY_QUEUE), f"merged {_QUEUE}"),
        ),
    )
    yield Chart(
        "Exits per hour, by reason",
        "Why pull requests leave; merges are reasons too.",
        "short",
        ((_increase("left_total", _QUEUES, "reason"), "{{reason}}"),),
    )
    yield Chart(
        "Share of CI runs that fail",
        "Of the runs that passed or failed within 2 hours; stopped runs say nothing about the code.",
        "percentunit",
        ((_failed_share(), _QUEUE),),
    )
    yield Chart(
        "CI runs in progress",
        "How many CI runs of each queue have started and not ended.",
        "short",
        ((f"mergecast_queue_running_ci_runs{{{_QUEUES}}}", _QUEUE),),
    )
    yield Chart(
        "Length of CI runs",
        "95th percentile by outcome, over 6 hours.",
        "s",
        ((_quantile(95, "ci_run_seconds", "outcome"), "{{outcome}}"),),
    )
    yield Chart(
        "Retries and bisections per hour",
        "CI runs that repeat an earlier one, and bisections of failed batches.",
        "short",
        (
            (_increase("retries_total", _QUEUES, _BY_QUEUE), f"retries {_QUEUE}"),
            (_increase("bisections_total", _QUEUES, _BY_QUEUE), f"bisections {_QUEUE}"),
        ),
    )
    yield Chart(
        "Age of sources",
        "How long ago each source delivered something or was read to its end.",
        "s",
        (('mergecast_source_age_seconds{repository=~"$repository"}', "{{repository}} {{source}}"),),
    )


def _increase(metric: str, selected: str, by: str) -> str:
    return f"sum by ({by}) (increase(mergecast_queue_{metric}{{{selected}}}[1h]))"


def _quantile(percent: int, metric: str, by: str) -> str:
    rate = f"rate(mergecast_queue_{metric}_bucket{{{_QUEUES}}}[6h])"
    return f"histogram_quantile({percent / 100}, sum by ({by}, le) ({rate}))"


def _failed_share() -> str:
    def runs(outcomes: str) -> str:
        selected = f'{_QUEUES}, outcome=~"{outcomes}"'
        return f"sum by ({_BY_QUEUE}) (increase(mergecast_queue_ci_run_seconds_count{{{selected}}}[2h]))"

    return f"{runs('failed')} / {runs('passed|failed')}"


def _panel(chart: Chart) -> timeseries.Panel:
    panel = (
        timeseries.Panel()
        .title(chart.title)
        .description(chart.description)
        .unit(chart.unit)
        .min(0)
        .datasource(_SOURCE)
        .height(_HEIGHT)
        .span(_HALF)
    )
    for id, (expression, name) in zip(ascii_uppercase, chart.queries, strict=False):
        query = prometheus.Dataquery().ref_id(id).expr(expression).legend_format(name)
        panel.with_target(query.datasource(_SOURCE))
    return panel


def _choice(name: str, label: str, among: str) -> dashboard.QueryVariable:
    """A variable with the values that a label has in the data source, all of them by default."""
    return (
        dashboard.QueryVariable(name)
        .label(label)
        .datasource(_SOURCE)
        .query(f"label_values(mergecast_queue_size{{{among}}}, {name})")
        .refresh(VariableRefresh.ON_TIME_RANGE_CHANGED)
        .multi(True)
        .include_all(True)
        .all_value(".*")
        .current(VariableOption(selected=True, text="All", value="$__all"))
    )


def make() -> str:
    """The dashboard as JSON."""
    made = (
        dashboard.Dashboard("Merge queues")
        .uid("mergecast-queues")
        .description("Merge queues, from the metrics of Mergecast")
        .tags(["mergecast"])
        .time("now-24h", "now")
        .refresh("1m")
        .with_variable(dashboard.DatasourceVariable("datasource").label("Data source").type("prometheus"))
        .with_variable(_choice("repository", "Repository", ""))
        .with_variable(_choice("base_ref", "Branch", 'repository=~"$repository"'))
        .with_variable(_choice("queue_name", "Queue", 'repository=~"$repository", base_ref=~"$base_ref"'))
    )
    for chart in charts():
        made.with_panel(_panel(chart))
    return json.dumps(made.build(), cls=JSONEncoder, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(make(), encoding="utf-8")
