"""Leaves exceptional times out of what is learned: a level that includes a problem would hide it.

Whether a time was exceptional follows from the history alone, so a level is the same whether a server has
watched the problem or first sees the queue while it goes on.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from mergecast.signals.thresholds.course import Case, Span

MOST_TIMES: Final = 2  # what happens more often is usual for a queue: to tell of it again would not help

LevelOf = Callable[[Sequence[Case]], float | None]


def usual(cases: Sequence[Case], level_of: LevelOf, near: int) -> Sequence[Case]:
    """The cases without those of one or two times that are problems by the level of all the others.

    What happens within `near` of such a time belongs to it. The times with the largest cases are left out
    together, because each would hide the others; one more than may be exceptional, to see whether it was.
    """
    others = cases
    for _ in range(MOST_TIMES + 1):
        others = _without_largest(others, near)
    level = level_of(others)
    if level is None:
        return cases
    found = times([Span(case.since, case.at) for case in cases if case.value >= level], near)
    if len(found) > MOST_TIMES:
        return cases
    return [case for case in cases if not any(start <= case.since and case.at <= end for start, end in found)]


def _without_largest(cases: Sequence[Case], near: int) -> Sequence[Case]:
    if not cases:
        return cases
    largest = max(cases, key=lambda case: case.value)
    start, end = largest.since - near, largest.at + near
    return [case for case in cases if case.at < start or case.since > end]


def times(spans: Iterable[Span], near: int) -> list[Span]:
    """The spans, of which those that are near to each other are one.

    >>> times([Span(0, 5), Span(3, 7), Span(20, 22)], near=10)
    [Span(start=0, end=7), Span(start=20, end=22)]
    """
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end + near:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found
