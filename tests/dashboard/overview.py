"""What the overview should show, from the API's answers to the question in its address."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from dashboard import texts
from dashboard.api_questions import Api
from dashboard.screen import Figures, Rows

Text = Callable[[float | None], str]


def overview(api: Api) -> Figures:
    summary = api.summary()
    usual = _last_28_days(api, summary)
    figures: dict[str, str | Rows | re.Pattern[str]] = {
        "heading": summary["state"]["sentence"],
        "p50 in queue": _measured(summary, usual, "time_in_queue_p50", texts.duration),
        "p95 in queue": _measured(summary, usual, "time_in_queue_p95", texts.duration, " Why?"),
        "merged": _merged(summary, usual),
        "failures": _measured(summary, usual, "failure_rate", texts.rate),
        "CI runs per merge": _measured(summary, usual, "ci_runs_per_merge", texts.ratio),
        "CI time per merge": _measured(summary, usual, "ci_seconds_per_merge", texts.duration),
        **_reasons(api),
    }
    for name in filter(None, api.address.query.get("open", "").split(".")):
        figures |= _SECTIONS[name](api, summary)
    if "at" in api.address.query:
        (span,) = (one for one in summary["series"] if one["start"] == api.address.query["at"])
        window = {"start_at": span["start"], "end_at": span["end"]}
        figures["Stays"] = _stays(api.about("/stays", **window, **api.address.filters, order="-seconds"))
    return figures


def _last_28_days(api: Api, summary: Any) -> Any:
    """The measure where there are no thresholds; a longer period is not compared with a part of itself."""
    start, end = (datetime.fromisoformat(summary["window"][name]) for name in ("start", "end"))
    usual = timedelta(days=28)
    if any(summary["thresholds"].values()) or end - start >= usual:
        return None
    window = {"start_at": (end - usual).isoformat(), "end_at": summary["window"]["end"]}
    return api.about("/summary", **window, **api.address.filters)


def _merged(summary: Any, usual: Any) -> str:
    """Per day, or in so many days."""
    shown = texts.per_day(summary["all"]["merged_per_day"], summary["window"])
    change = texts.change(summary["all"]["merged_per_day"]["change"]) or "no comparison"
    if usual is None or usual["all"]["merged_per_day"]["value"] is None:
        return f"{shown} {change}"
    usually = texts.per_day(usual["all"]["merged_per_day"], usual["window"])
    rate = usually.removesuffix("/ day")
    if rate == usually:
        rest = usually.replace("in", " in")
    else:
        rest = f"28 days: {rate}" if "/" in shown else f"28 days: {rate} / day"
    return f"{shown} {change} {rest}"


def _measured(summary: Any, usual: Any, name: str, text: Text, button: str = "") -> str:
    """A tile, with its threshold or the value of the last 28 days."""
    tile, found = f"{_tile(summary, name, text)}{button}", summary["thresholds"].get(name)
    if found is not None:
        result = ", exceeded" if found["is_exceeded"] else ""
        return f"{tile} threshold {text(found['threshold'])}{result}"
    if usual is None or usual["all"][name]["value"] is None:
        return tile
    return f"{tile} 28 days: {text(usual['all'][name]['value'])}"


def _tile(summary: Any, name: str, text: Text) -> str:
    figure, comparison = summary["all"][name], summary["comparison"]
    judged = comparison.get(name)
    change = (judged or figure)["change"]
    if change is None:
        return f"{text(figure['value'])} no comparison"
    over = " over 28 days" if judged and comparison["window"] != summary["window"] else ""
    return f"{text(figure['value'])} {texts.change(change, of_rate=text is texts.rate)}{over}"


def _reasons(api: Api) -> Figures:
    counts: Counter[str] = Counter()
    for entry in _entries(api.viewed("/stats/queues_pr_exit_reasons")):
        counts[entry["exit_reason"]] += entry["count"]
    del counts["SUCCESS"]
    assert set(counts) <= {"CHECKS_FAILED"}
    if not counts:
        return {"lines": re.compile("^No pull request left without a merge.$", re.MULTILINE)}
    (number,) = counts.values()
    reason = {"reason": "checks failed", "stays": texts.count(number), "share": ""}
    return {"Why they left without a merge": [reason]}


def _entries(answer: Any) -> Iterable[Any]:
    return (entry for group in answer["groups"] for entry in group["stats"])


def chart_tables(api: Api) -> Figures:
    """The tables behind the charts of the first screen, without the names of their intervals."""
    summary = api.summary()
    earlier = _earlier(summary, api.summary_before())
    waits = {"CI": "ci", "capacity": "capacity", "schedule": "schedule", "freeze": "freeze"}
    time: Rows = []
    for one, other in zip(summary["series"], earlier, strict=True):
        row = {name: texts.duration(one[f"time_in_queue_{name}"]["value"]) for name in ("p50", "p95")}
        if any(value is not None for value in earlier):
            row["p50 before"] = texts.duration(other)
        time.append(row)
    return {
        "Time in queue, table": time,
        "Where it goes, table": [
            {label: texts.duration(one[f"waiting_{wait}"]["value"]) for label, wait in waits.items()}
            for one in summary["series"]
        ],
        "Flow, table": [
            {name: texts.count(one[name]["value"]) for name in ("entered", "merged")}
            for one in summary["series"]
        ],
    }


def _earlier(summary: Any, before: Any) -> list[float | None]:
    """The p50 of the period before, for each interval that is as far from the start of its period."""
    starts = [_instant(one["window"]["start"]) for one in (summary, before)]
    ends = [_instant(one["window"]["end"]) for one in (summary, before)]
    if not summary["series"] or ends[0] - starts[0] != ends[1] - starts[1]:
        return [None] * len(summary["series"])
    first = summary["series"][0]
    origin, width = _instant(first["start"]), _instant(first["end"]) - _instant(first["start"])

    def place(interval: Any, shift: timedelta = timedelta()) -> int:
        return round((_instant(interval["start"]) + shift - origin) / width)

    found = {place(one, starts[0] - starts[1]): one["time_in_queue_p50"]["value"] for one in before["series"]}
    return [found.get(place(one)) for one in summary["series"]]


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def section_tables(api: Api) -> Figures:
    """The tables behind the charts of load and CI: averages of groups add up, means do not."""
    sizes = _summed(api.viewed("/stats/queue_size"), "min_size", "max_size", "avg_size")
    # A CI run may test pull requests of several priority rules.
    running = api.viewed("/stats/running_speculative_checks", without="priority_rule_name")
    running = _summed(running, "min_running_checks", "max_running_checks", "avg_running_checks")
    runtimes = _summed(api.viewed("/stats/average_ci_runtime"), "sum_runtime", "count_runtime")
    spans = [one["start"] for one in api.summary()["series"]]
    return {
        "Queue size, table": [_load(values) for values in sizes.values()],
        "Running CI, table": [_load(values) for values in running.values()],
        "CI runtime, table": [_runtime(*runtimes.get(span, (None, None))) for span in spans],
    }


def _load(values: tuple[float, ...]) -> dict[str, str]:
    return dict(zip(("min", "max", "average"), map(texts.count, values), strict=True))


def _runtime(total: float | None, runs: float | None) -> dict[str, str]:
    mean = None if total is None or runs is None else total / runs
    return {"mean runtime": texts.duration(mean), "CI runs": texts.count(runs)}


def _summed(answer: Any, *names: str) -> dict[str, tuple[float, ...]]:
    sums: dict[str, tuple[float, ...]] = {}
    for entry in sorted(_entries(answer), key=lambda one: one["start"]):
        known = sums.get(entry["start"], (0.0,) * len(names))
        sums[entry["start"]] = tuple(a + entry[name] for a, name in zip(known, names, strict=True))
    return sums


def _ci(_: Api, summary: Any) -> Figures:
    return {
        "batch size": _tile(summary, "batch_size", texts.ratio),
        "retried checks": _tile(summary, "retries", texts.count),
        "bisections": _tile(summary, "bisections", texts.count),
        "CI runs saved": _tile(summary, "runs_saved", texts.count),
    }


def _queues(_: Api, summary: Any) -> Figures:
    rows: Rows = []
    for one in summary["queues"]:
        rows.append(
            {
                "queue": one["queue_name"],
                "branch": one["base_ref"],
                "merged": texts.count(one["merged"]["value"]),
                "failures": texts.rate(one["failure_rate"]["value"]),
                "p50 in queue": with_change(one["time_in_queue_p50"]),
                "p95 in queue": with_change(one["time_in_queue_p95"]),
                "CI runs per merge": texts.ratio(one["ci_runs_per_merge"]["value"]),
                "p50 to merge": texts.duration(one["time_to_merge_p50"]["value"]),
            }
        )
    return {"Queues": rows}


def with_change(figure: Any, text: Text = texts.duration) -> str:
    return f"{text(figure['value'])} {texts.change(figure['change'])}".strip()


def _slowest(api: Api, _: Any) -> Figures:
    return {"Stays": _stays(api.viewed("/stays", order="-seconds", limit="20"))}


def _stays(answer: Any) -> Rows:
    labels = {"PR_MERGED": "merged", "CHECKS_FAILED": "checks failed"}
    return [
        {
            "pull request": f"#{stay['pull_request']}",
            "in queue": texts.duration(stay["seconds"]),
            "queue": f"{stay['queue_name']} → {stay['base_ref']}",
            "retries": str(stay["retries"]),
            "outcome": labels[stay["reason"]],
        }
        for stay in answer["stays"]
    ]


_SECTIONS: dict[str, Callable[[Api, Any], Figures]] = {
    "load": lambda _api, _summary: {},
    "ci": _ci,
    "queues": _queues,
    "slowest": _slowest,
}
