"""Words and table rows for the answer of a forecast; this module loads no numerical library."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from mergecast.forecasting.forecast.answer import (
    CapacityAnswer,
    CapacityOfSettings,
    Combination,
    Compared,
    Comparison,
    Figures,
    ForecastAnswer,
    Number,
    Ranged,
    Search,
    Understood,
)
from mergecast.queues.model.figures import FIGURES, Figure, Unit, signed, with_minus
from mergecast.queues.model.instant import SECOND, duration, parse_instant

Row = tuple[str, ...]

COLUMNS = ("for the weeks recorded", "recorded", "baseline", "candidate", "difference")
NEXT_COLUMNS = ("for the next two weeks", "baseline", "candidate")
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


def headline(answer: Comparison[Number] | Search[Number]) -> str:
    """The grade, what it follows from, and what it does not say."""
    trust = answer.trust
    is_beyond = isinstance(answer, Comparison) and answer.trust.reach.level == "beyond"
    beyond = "The candidate goes beyond what was recorded. " if is_beyond else ""
    sentence = trust.sentences.grade
    return (
        f"{_VERDICTS[trust.grade]}: {sentence[:1].lower()}{sentence[1:]} {beyond}"
        f"{answer.merged:,} merges, {answer.replicates} replicates"
    )


def told_lines(settings: Understood, now: int) -> Iterator[str]:
    """Where today's settings come from, if the platform told them."""
    if settings.told_by is not UNSET:
        ago = duration((now - parse_instant(settings.told_by.read_at)) / SECOND)
        yield f"today's settings, from {settings.told_by.platform}, {ago} ago"


def trust_lines(answer: Comparison[Number] | Search[Number]) -> Iterator[str]:
    """How sure the difference is, and how far the figures can be trusted."""
    sentences = msgspec.structs.asdict(answer.trust.sentences)
    for name, label in _MEASURED.items():
        if name in sentences:
            yield f"{label}: {sentences[name]}"


def forecast_rows(answer: Comparison[Number]) -> Iterator[Row]:
    for name in Figures.__struct_fields__:
        figure = FIGURES[name]
        recorded, *sides = (getattr(getattr(answer, side), name) for side in COLUMNS[1:])
        baseline, candidate, difference = sides
        shown = _shown(figure)
        yield (
            figure.words,
            "-" if recorded is None else shown(recorded),
            _range(baseline, shown),
            _range(candidate, shown),
            _difference(figure, baseline, difference),
        )
    removals = FIGURES["innocent_removals"]
    innocent = answer.innocent_removals
    yield (
        removals.words,
        "",
        removals.written(innocent.baseline),
        removals.written(innocent.candidate),
        "",
    )


def next_rows(answer: Comparison[Number]) -> Iterator[Row]:
    """The figures of the next two weeks."""
    for name in Compared.__struct_fields__:
        figure = FIGURES[name]
        sides = (answer.next_two_weeks.baseline, answer.next_two_weeks.candidate)
        yield (figure.words, *(_range(getattr(side, name), _shown(figure)) for side in sides))


def _shown(figure: Figure) -> Callable[[float], str]:
    """Values beside each other have the same number of digits, whole ones too."""
    return figure.written if figure.unit in (Unit.SECONDS, Unit.RATE) else "{:.2f}".format


def _difference(figure: Figure, baseline: Ranged[Number], difference: Ranged[Number]) -> str:
    """The difference of a share is in points: from 6.5 % to 7.0 % is no increase by 7 %."""
    before = baseline.value
    if figure.unit is not Unit.RATE:
        return _range(difference, signed)
    if before is None or difference.value is None:
        return "-"
    bounds = (difference.value, difference.low, difference.high)
    value, low, high = (with_minus(f"{(bound or 0.0) * before * 100:+.1f}") for bound in bounds)
    return f"{value} points ({low} to {high})"


def _range(found: Ranged[Number], shown: Callable[[float], str]) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "-"
    return f"{shown(found.value)} ({shown(found.low)} to {shown(found.high)})"


def changed_settings(answer: ForecastAnswer) -> Iterator[str]:
    """What the candidate changes, queue by queue."""
    for queue, candidate in answer.settings.candidate.items():
        baseline = answer.settings.baseline[queue]
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


def search_table(answer: Search[Number]) -> tuple[Row, list[Row]]:
    """Two settings as a map of p95 and runs per merge, otherwise one row per combination."""
    names = list(answer.combinations[0].settings)
    marks = [_mark(answer, place) for place in range(len(answer.combinations))]
    tried = list(zip(answer.combinations, marks, strict=True))
    if len(names) != _AXES:
        rows = [(*map(_setting, entry.settings.values()), _figures(entry), mark) for entry, mark in tried]
        return (*names, "p95, runs per merge", ""), rows
    first, second = names
    cells = {
        (_setting(entry.settings[first]), _setting(entry.settings[second])): (
            f"{_figures(entry)} {mark}".strip()
        )
        for entry, mark in tried
    }
    lines, columns = dict.fromkeys(key[0] for key in cells), dict.fromkeys(key[1] for key in cells)
    header = (f"{first} \\ {second}", *columns)
    return header, [(line, *(cells[line, column] for column in columns)) for line in lines]


CAPACITY_COLUMNS = ("", "settings", "pull requests a day", "times the recorded", "p95 as recorded")


def capacity_headline(answer: CapacityAnswer) -> str:
    """What today's settings can take."""
    found, limit = answer.today, duration(answer.limit.time_to_merge_p95)
    recorded = f"{answer.recorded_arrivals_per_day:.1f} a day are recorded"
    if found.exceeds_what_was_tried:
        most = f"{found.factor.value:g} times as many"
        return f"p95 stays below {limit} with {most} pull requests under today's settings; {recorded}"
    return (
        f"p95 exceeds {limit} at {_range(found.arrivals_per_day, '{:.1f}'.format)} pull requests a day or "
        f"more under today's settings; {recorded}"
    )


def capacity_rows(answer: CapacityAnswer) -> Iterator[Row]:
    yield _capacity_row("today", answer.today)
    if answer.best is not None:
        yield _capacity_row("best", answer.best)


def _capacity_row(name: str, found: CapacityOfSettings[Number]) -> Row:
    changed = ", ".join(f"{setting} {_setting(value)}" for setting, value in found.settings.items())
    more = "more than " if found.exceeds_what_was_tried else ""
    return (
        name,
        changed or "as today",
        more + _range(found.arrivals_per_day, "{:.1f}".format),
        more + _range(found.factor, "{:.2f}".format),
        _range(found.time_to_merge_p95, duration),
    )


def _figures(combination: Combination[Number]) -> str:
    if combination.state != "computed":
        return combination.state
    p95, runs = combination.time_to_merge_p95.value, combination.ci_runs_per_merge.value
    return "-" if p95 is None or runs is None else f"{duration(p95)} {runs:.2f}"


def _mark(answer: Search[Number], place: int) -> str:
    if answer.best == place:
        return "best"
    return "*" if place in answer.front else ""
