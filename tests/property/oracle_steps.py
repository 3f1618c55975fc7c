"""Step functions of time: section 6 of the definitions."""

from fractions import Fraction
from itertools import pairwise

from property.oracle_facts import Facts, Group
from property.oracle_numbers import Asked, bounds, interval_start, width_of

Span = tuple[int, int | None]


def queue_size(facts: Facts, asked: Asked, now: int) -> list[dict[str, object]]:
    spans: dict[Group, list[Span]] = {}
    for group, start, end in facts.queue_spans():
        if asked.keeps(group):
            spans.setdefault(group, []).append((start, end))
    ordered = sorted(spans.items(), key=lambda one: (*one[0][:2], one[0][2] is not None, one[0][2] or ""))
    return [
        {"base_ref": group[0], "queue_name": group[1], "priority_rule_name": group[2], "stats": stats}
        for group, members in ordered
        if (stats := _stats(facts, asked, now, members, "size"))
    ]


def running_speculative_checks(facts: Facts, asked: Asked, now: int) -> list[dict[str, object]]:
    spans: dict[tuple[str, str], list[Span]] = {}
    for run in facts.runs:
        for place in {group[:2] for group in run.started_in if asked.keeps_place(group)}:
            assert run.start is not None
            spans.setdefault(place, []).append((run.start, run.end))
    return [
        {"base_ref": place[0], "queue_name": place[1], "stats": stats}
        for place, members in sorted(spans.items())
        if (stats := _stats(facts, asked, now, members, "running_checks"))
    ]


def _stats(facts: Facts, asked: Asked, now: int, spans: list[Span], name: str) -> list[dict[str, object]]:
    """An entry for every interval of the observed span, or none if nothing was there in all of it."""
    first = max(asked.start, min(said.at for said in facts.all))
    last = min(asked.end, now)
    if first >= last:
        return []
    width = width_of(asked)
    entries = []
    start = interval_start(first, width)
    while start < last:
        values = _steps(spans, max(start, first), min(start + width, last))
        entries.append({**bounds(start, width), **_entry(values, name)})
        start += width
    return entries if any(entry[f"max_{name}"] for entry in entries) else []


def _steps(spans: list[Span], start: int, end: int) -> list[tuple[int, int]]:
    """Length and value of every piece of time in which the value holds."""
    edges = {edge for span in spans for edge in span if edge is not None and start < edge < end}
    cuts = sorted({start, end} | edges)
    return [
        (b - a, sum(since <= a and (until is None or a < until) for since, until in spans))
        for a, b in pairwise(cuts)
    ]


def _entry(steps: list[tuple[int, int]], name: str) -> dict[str, object]:
    values = [value for _, value in steps]
    total = sum(length for length, _ in steps)
    average = Fraction(sum(length * value for length, value in steps), total)
    return {f"avg_{name}": float(average), f"max_{name}": max(values), f"min_{name}": min(values)}
