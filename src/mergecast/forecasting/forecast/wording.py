"""Words and table rows for the answer of a forecast; this module loads no numerical library."""

from collections.abc import Iterator, Mapping
from typing import Any

from mergecast.queues.model.instant import duration

Answer = Mapping[str, Any]
Row = tuple[str, ...]

COLUMNS = ("", "recorded", "baseline", "candidate", "difference")
_TIMES = {"p50": "time in queue, p50", "p90": "p90", "p95": "p95"}
_OTHERS = {
    "runs_per_merge": "CI runs per merge",
    "ci_seconds_per_merge": "CI time per merge",
    "merged_per_day": "merged per day",
    "removed_by_checks": "removed by checks",
}
_SHARES = ("removed_by_checks",)
_VERDICTS = {
    "good": "GOOD",
    "fair": "FAIR",
    "poor": "POOR, do not base a decision on this",
}
_AXES = 2
_MEASURED = {
    "difference": "difference",
    "reach": "reach",
    "mechanics": "mechanics",
    "drift": "drift",
    "back_test": "back-test",
}


def headline(answer: Answer) -> str:
    """The grade, and what it follows from."""
    trust = answer["trust"]
    errors = trust["mechanics"]
    off = f"p50 {signed(errors['p50_error'])}, p95 {signed(errors['p95_error'])}"
    is_beyond = trust.get("reach", {}).get("level") == "beyond"
    beyond = "; the candidate goes beyond what was recorded" if is_beyond else ""
    return (
        f"{_VERDICTS[trust['grade']]}: a replay of the recorded weeks is off by {off}, "
        f"runs per merge {signed(errors['runs_error'])}{beyond}; "
        f"{answer['merged']:,} merges, {answer['replicates']} replicates"
    )


def trust_lines(answer: Answer) -> Iterator[str]:
    """How sure the difference is, and how far the figures can be trusted."""
    sentences = answer["trust"]["sentences"]
    for name, label in _MEASURED.items():
        if name in sentences:
            yield f"{label}: {sentences[name]}"


def forecast_rows(answer: Answer) -> Iterator[Row]:
    for name, title in _TIMES.items():
        sides = (answer[side]["time_in_queue"][name] for side in COLUMNS[1:])
        yield (title, *_cells(sides, duration))
    for name, title in _OTHERS.items():
        sides = (answer[side][name] for side in COLUMNS[1:])
        yield (title, *(_share_cells(sides) if name in _SHARES else _cells(sides, _printer(name))))
    innocent = answer["innocent_removals"]
    yield (
        "removed although not broken",
        "",
        _percent(innocent["baseline"]),
        _percent(innocent["candidate"]),
        "",
    )


def _printer(name: str) -> Any:
    return duration if name == "ci_seconds_per_merge" else _plain


def _share_cells(sides: Iterator[Any]) -> Iterator[str]:
    """The difference of a share is in points: from 6.5 % to 7.0 % is no increase by 7 %."""
    recorded, baseline, candidate, difference = sides
    before = baseline["value"]
    *cells, _ = _cells(iter((recorded, baseline, candidate, difference)), _percent)
    yield from cells
    if before is None or difference["value"] is None:
        yield "-"
    else:
        value, low, high = (f"{difference[name] * before * 100:+.1f}" for name in ("value", "low", "high"))
        yield f"{value} points ({low} to {high})"


def _cells(sides: Iterator[Any], shown: Any) -> Iterator[str]:
    recorded, baseline, candidate, difference = sides
    yield "-" if recorded is None else shown(recorded)
    yield _range(baseline, shown)
    yield _range(candidate, shown)
    yield _range(difference, signed)


def _range(found: Answer, shown: Any) -> str:
    if found["value"] is None:
        return "-"
    return f"{shown(found['value'])} ({shown(found['low'])} to {shown(found['high'])})"


def _plain(value: float) -> str:
    return f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def signed(value: float | None) -> str:
    """A change, such as +12%.

    >>> [signed(0.121), signed(-0.002), signed(None)]
    ['+12%', '0%', '-']
    """
    text = "-" if value is None else f"{value:+.0%}"
    return "0%" if text in ("+0%", "-0%") else text


def changed_settings(answer: Answer) -> Iterator[str]:
    """What the candidate changes, queue by queue."""
    settings = answer["settings"]
    for queue, candidate in settings["candidate"].items():
        baseline = settings["baseline"][queue]
        changes = [
            f"{name} {_setting(baseline.get(name))} → {_setting(value)}"
            for name, value in candidate.items()
            if baseline.get(name) != value
        ]
        yield f"{queue}: {', '.join(changes) if changes else 'nothing changes'}"


def _setting(value: Any) -> str:
    if isinstance(value, dict) and set(value) == {"min", "max"}:
        return f"{value['min']}..{value['max']}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items()) or "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def search_table(answer: Answer) -> tuple[Row, list[Row]]:
    """Two settings as a map of p95 and runs per merge, otherwise one row per combination."""
    combinations = answer["combinations"]
    names = list(combinations[0]["settings"])
    marks = [_mark(answer, place) for place in range(len(combinations))]
    if len(names) != _AXES:
        rows = [
            (*(_setting(entry["settings"][name]) for name in names), _figures(entry), mark)
            for entry, mark in zip(combinations, marks, strict=True)
        ]
        return (*names, "p95, runs per merge", ""), rows
    first, second = names
    cells = {
        (
            _setting(entry["settings"][first]),
            _setting(entry["settings"][second]),
        ): f"{_figures(entry)} {mark}".strip()
        for entry, mark in zip(combinations, marks, strict=True)
    }
    lines, columns = dict.fromkeys(key[0] for key in cells), dict.fromkeys(key[1] for key in cells)
    header = (f"{first} \\ {second}", *columns)
    return header, [(line, *(cells[line, column] for column in columns)) for line in lines]


CAPACITY_COLUMNS = ("", "settings", "pull requests a day", "times the recorded", "p95 as recorded")


def capacity_headline(answer: Answer) -> str:
    """What today's settings can take."""
    found, limit = answer["today"], duration(answer["limit"]["p95"])
    recorded = f"{answer['recorded_arrivals_per_day']:.1f} a day are recorded"
    if found["exceeds_what_was_tried"]:
        most = f"{found['factor']['value']:g} times as many"
        return f"p95 stays below {limit} with {most} pull requests under today's settings; {recorded}"
    return (
        f"p95 exceeds {limit} at {_range(found['arrivals_per_day'], _tenths)} pull requests a day or more "
        f"under today's settings; {recorded}"
    )


def capacity_rows(answer: Answer) -> Iterator[Row]:
    for name in ("today", "best"):
        found = answer[name]
        if found is not None:
            changed = ", ".join(
                f"{setting} {_setting(value)}" for setting, value in found["settings"].items()
            )
            more = "more than " if found["exceeds_what_was_tried"] else ""
            yield (
                name,
                changed or "as today",
                more + _range(found["arrivals_per_day"], _tenths),
                more + _range(found["factor"], _plain),
                _range(found["p95_now"], duration),
            )


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def _figures(combination: Answer) -> str:
    if (state := combination.get("state", "computed")) != "computed":  # older servers do not tell
        return str(state)
    p95, runs = combination["time_in_queue"]["p95"]["value"], combination["runs_per_merge"]["value"]
    return "-" if p95 is None or runs is None else f"{duration(p95)} {runs:.2f}"


def _mark(answer: Answer, place: int) -> str:
    if answer["best"] == place:
        return "best"
    return "*" if place in answer["front"] else ""
