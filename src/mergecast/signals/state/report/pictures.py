"""Charts of a report as SVG inside a page; pure. The page's style sheet colors their classes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from html import escape
from itertools import groupby
from typing import NamedTuple

WIDTH, HEIGHT = 720, 200
LEFT, RIGHT, TOP, BOTTOM = 56, 712, 12, 170
_LABELS = 4  # at most so many steps on the vertical axis
_DAYS = 8  # at most so many labels on the horizontal one
_SECONDS = (
    *(1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 43_200),
    *(86_400, 172_800, 432_000, 604_800, 1_209_600, 2_419_200),
)

Values = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one thing, one for each interval; `look` is a class of the style sheet."""

    label: str
    look: str
    values: Values


@dataclass(frozen=True, slots=True)
class Frame:
    """What the horizontal axis shows: the intervals, and the time zone of its labels."""

    spans: Sequence[tuple[datetime, datetime]]
    tz: tzinfo

    def x(self, moment: datetime) -> float:
        start, end = self.spans[0][0], self.spans[-1][1]
        return LEFT + (moment - start) / (end - start) * (RIGHT - LEFT)


def lines(frame: Frame, series: Sequence[Series], label: Callable[[float], str], title: str) -> str:
    """Lines, with the space between the first two filled; a value that is missing leaves a gap."""
    top = _top(value for one in series for value in one.values)
    drawn = [_band(frame, series[0].values, series[1].values, top)] if len(series) > 1 else []
    for one in reversed(series):
        for part in _parts(frame, one.values, top):
            if len(part) == 1:
                drawn.append(
                    f'<circle class="{one.look}" cx="{part[0][0]:.1f}" cy="{part[0][1]:.1f}" r="3"/>'
                )
            else:
                drawn.append(f'<polyline class="{one.look}" points="{_points(part)}"/>')
    return _picture(frame, drawn, _Axis(top, _second_steps(top), label), title)


def stacks(frame: Frame, series: Sequence[Series], label: Callable[[float], str], title: str) -> str:
    """One column per interval, in parts."""
    sums = [sum(one.values[i] or 0 for one in series) for i in range(len(frame.spans))]
    top, drawn = _top(sums), []
    for i, (start, end) in enumerate(frame.spans):
        below, left, width = 0.0, frame.x(start), frame.x(end) - frame.x(start)
        for one in series:
            above = below + (one.values[i] or 0)
            drawn.append(_box(one.look, (left, width), (below, above), top))
            below = above
    return _picture(frame, drawn, _Axis(top, _second_steps(top), label), title)


def bars(frame: Frame, series: Sequence[Series], label: Callable[[float], str], title: str) -> str:
    """Columns side by side."""
    top, drawn = _top(value for one in series for value in one.values), []
    for i, (start, end) in enumerate(frame.spans):
        width = min((frame.x(end) - frame.x(start)) * 0.7 / len(series), 24)
        first = (frame.x(start) + frame.x(end) - width * len(series)) / 2
        for place, one in enumerate(series):
            drawn.append(_box(one.look, (first + place * width, width - 0.5), (0, one.values[i] or 0), top))
    return _picture(frame, drawn, _Axis(top, _count_steps(top), label), title)


def share_bar(share: float, look: str) -> str:
    """A bar for one row of a table."""
    return (
        '<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{look}" width="{max(share, 0) * 100:.1f}" height="8"/></svg>'
    )


def _top(values: "Iterator[float | None] | Values") -> float:
    return max((value for value in values if value is not None), default=0.0) * 1.05 or 1.0


def _y(value: float, top: float) -> float:
    return BOTTOM - value / top * (BOTTOM - TOP)


def _box(look: str, across: tuple[float, float], values: tuple[float, float], top: float) -> str:
    """A rectangle: where it begins and how wide it is, and from which value to which it reaches."""
    (left, width), (low, high) = across, values
    if high <= low:
        return ""
    y = _y(high, top)
    place = f'x="{left:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{_y(low, top) - y:.1f}"'
    return f'<rect class="{look}" {place}/>'


def _parts(frame: Frame, values: Values, top: float) -> Iterator[list[tuple[float, float]]]:
    """The points of each stretch without a gap, in the middle of the intervals."""
    pairs = zip(frame.spans, values, strict=True)
    for is_known, stretch in groupby(pairs, key=lambda pair: pair[1] is not None):
        if is_known:
            yield [((frame.x(start) + frame.x(end)) / 2, _y(v or 0, top)) for (start, end), v in stretch]


def _band(frame: Frame, low: Values, high: Values, top: float) -> str:
    both = [
        (a, b) if a is not None and b is not None else (None, None) for a, b in zip(low, high, strict=True)
    ]
    below = _parts(frame, [a for a, _ in both], top)
    above = _parts(frame, [b for _, b in both], top)
    return "".join(
        f'<polygon class="band" points="{_points([*lower, *reversed(upper)])}"/>'
        for lower, upper in zip(below, above, strict=True)
    )


def _points(part: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in part)


def _second_steps(top: float) -> float:
    longest = _SECONDS[-1]
    return next(
        (step for step in _SECONDS if top / step <= _LABELS), longest * -(-top // (longest * _LABELS))
    )


def _count_steps(top: float) -> float:
    power = 1
    while top / (power * 10) > _LABELS:
        power *= 10
    return next(digit * power for digit in (1, 2, 5, 10) if top / (digit * power) <= _LABELS)


class _Axis(NamedTuple):
    """The vertical one: where it ends, and its labels."""

    top: float
    step: float
    label: Callable[[float], str]


def _picture(frame: Frame, drawn: Sequence[str], vertical: _Axis, title: str) -> str:
    top, step, label = vertical
    axis = []
    for place in range(int(top / step) + 1):
        y = _y(place * step, top)
        axis.append(f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        axis.append(
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label(place * step))}</text>'
        )
    days = "".join(
        f'<text x="{frame.x(day):.1f}" y="{BOTTOM + 18}" text-anchor="middle">{text}</text>'
        for day, text in _days(frame)
    )
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
    return f"{head}{''.join(axis)}{''.join(drawn)}{days}</svg>"


def _days(frame: Frame) -> Iterator[tuple[datetime, str]]:
    start, end = frame.spans[0][0], frame.spans[-1][1]
    length = (end - start) / timedelta(days=1)
    step = timedelta(days=next((days for days in (1, 2, 7, 14, 28, 91) if length / days <= _DAYS), 364))
    if length < 1:
        step = timedelta(hours=next(hours for hours in (1, 3, 6) if length * 24 / hours <= _DAYS))
    local = start.astimezone(frame.tz)
    moment = local.replace(hour=0, minute=0, second=0, microsecond=0)
    while moment <= end:
        if moment >= start:
            yield moment, moment.strftime("%H:%M" if length < 1 else "%d %b").lstrip("0")
        moment += step
