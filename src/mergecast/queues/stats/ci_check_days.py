"""Which part of a window is read from sums of CI checks, and which from single executions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mergecast.queues.model.instant import DAY, Grid, Window
from mergecast.queues.store.ci.rows import DAYS_PER_BLOCK, first_day_of_block
from mergecast.queues.store.reader import Reader

WHOLE = Grid(2**62, 0)  # everything is in interval 0
# Beyond this many spans of days without sums, all days between them are read without sums.
_MOST_SPANS = 10


class Parts(NamedTuple):
    """The days and blocks of days of a window that are read from their sums, and the rest of it."""

    days: list[int]
    blocks: list[int]  # by their first days
    rest: list[Window]


def parts_of(reader: Reader, repository_id: int, window: Window, grid: Grid) -> Parts:
    """A day that the store does not list has no executions."""
    first, end = -(-window.start // DAY), window.end // DAY
    if grid.width < DAY or first >= end:
        return Parts([], [], [window])
    days = reader.rows("ci_days_between", [repository_id, first, end])
    spans = _spans([day for day, is_summed in days if not is_summed])
    blocks = _blocks(reader, repository_id, range(first, end), spans) if grid == WHOLE else []
    others = [range(block, block + DAYS_PER_BLOCK) for block in blocks] + spans
    singly = {day for span in others for day in span}
    rest = [(window.start, first * DAY), *((span.start * DAY, span.stop * DAY) for span in spans)]
    rest.append((end * DAY, window.end))
    return Parts(
        [day for day, _ in days if day not in singly],
        blocks,
        [Window(*part) for part in rest if part[0] < part[1]],
    )


def _spans(days: Sequence[int]) -> list[range]:
    """Few spans that contain these days, which are sorted."""
    spans: list[range] = []
    for day in days:
        start = spans.pop().start if spans and spans[-1].stop == day else day
        spans.append(range(start, day + 1))
    return spans if len(spans) <= _MOST_SPANS else [range(spans[0].start, spans[-1].stop)]


def _blocks(reader: Reader, repository_id: int, days: range, spans: Iterable[range]) -> list[int]:
    """The summed blocks among these days that have no day in one of the spans."""
    first, end = first_day_of_block(days.start + DAYS_PER_BLOCK - 1), first_day_of_block(days.stop)
    if first >= end:
        return []
    found: list[int] = reader.column("ci_summed_blocks", [repository_id, first, end, DAYS_PER_BLOCK])
    return [
        block
        for block in found
        if all(span.stop <= block or block + DAYS_PER_BLOCK <= span.start for span in spans)
    ]
