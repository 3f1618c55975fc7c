"""Words and table rows for the answer of a forecast; this module loads no numerical library."""

from collections.abc import Iterator, Mapping
from typing import Any

from mergecast.model.instant import duration

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


def headline(answer: Answer) -> str:
    """The grade, and the errors behind it."""
    trust = answer["trust"]
    errors = trust["forecast"]
    off = f"p50 {_signed(errors['p50_error'])}, p95 {_signed(errors['p95_error'])}"
    naive = f"{_signed(trust['naive']['p50_error'])} and {_signed(trust['naive']['p95_error'])}"
    return (
        f"{_VERDICTS[trust['grade']]}: the last weeks, forecast from those before, were off by {off} "
        f'("as before" would be off by {naive}); '
        f"{answer['merged']:,} merges, {answer['replicates']} replicates"
    )


def forecast_rows(answer: Answer) -> Iterator[Row]:
    for name, title in _TIMES.items():
        sides = (answer[side]["time_in_queue"][name] for side in COLUMNS[1:])
        yield (title, *_cells(sides, duration))
    for name, title in _OTHERS.items():
        sides = (answer[side][name] for side in COLUMNS[1:])
        yield (title, *_cells(sides, _printer(name)))
    innocent = answer["innocent_removals"]
    yield (
        "removed although not broken",
        "",
        _percent(innocent["baseline"]),
        _percent(innocent["candidate"]),
        "",
    )


def _printer(name: str) -> Any:
    if name == "ci_seconds_per_merge":
        return duration
    return _percent if name in _SHARES else _plain


def _cells(sides: Iterator[Any], shown: Any) -> Iterator[str]:
    recorded, baseline, candidate, difference = sides
    yield "-" if recorded is None else shown(recorded)
    yield _range(baseline, shown)
    yield _range(candidate, shown)
    yield _range(difference, _signed)


def _range(found: Answer, shown: Any) -> str:
    if found["value"] is None:
        return "-"
    return f"{shown(found['value'])} ({shown(found['low'])} to {shown(found['high'])})"


def _plain(value: float) -> str:
    return f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.0%}"
