"""What a candidate changes, and a search, as lines and rows of text."""

from collections.abc import Iterator
from typing import Any

from mergecast.forecast.wording import Answer, Row
from mergecast.model.instant import duration

_AXES = 2


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
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def search_table(answer: Answer) -> tuple[Row, list[Row]]:
    """Two settings as a map of p95 and runs per merge, otherwise one row per combination."""
    combinations = answer["combinations"]
    names = list(combinations[0]["settings"])
    marks = [_mark(answer, place) for place in range(len(combinations))]
    if len(names) != _AXES:
        rows = [
            (*(_setting(one["settings"][name]) for name in names), _figures(one), mark)
            for one, mark in zip(combinations, marks, strict=True)
        ]
        return (*names, "p95, runs per merge", ""), rows
    first, second = names
    cells = {
        (
            _setting(one["settings"][first]),
            _setting(one["settings"][second]),
        ): f"{_figures(one)} {mark}".strip()
        for one, mark in zip(combinations, marks, strict=True)
    }
    lines, columns = dict.fromkeys(key[0] for key in cells), dict.fromkeys(key[1] for key in cells)
    header = (f"{first} \\ {second}", *columns)
    return header, [(line, *(cells[line, column] for column in columns)) for line in lines]


def _figures(combination: Answer) -> str:
    p95, runs = combination["time_in_queue"]["p95"]["value"], combination["runs_per_merge"]["value"]
    return "-" if p95 is None or runs is None else f"{duration(p95)} {runs:.2f}"


def _mark(answer: Answer, place: int) -> str:
    if answer["best"] == place:
        return "best"
    return "*" if place in answer["front"] else ""
