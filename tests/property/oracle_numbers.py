"""Windows, intervals and arithmetic of the definitions: section 4."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from typing import TypeVar

T = TypeVar("T")

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WIDTHS = (MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 28 * DAY)


@dataclass(frozen=True)
class Asked:
    """The parameters of a question, instants in microseconds since the epoch; an empty filter keeps all."""

    start: int
    end: int
    base_refs: tuple[str, ...] = ()
    queue_names: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    at: int = 0
    branch: str | None = None

    def covers(self, instant: int) -> bool:
        return self.start <= instant < self.end

    def keeps(self, group: tuple[str, str, str | None]) -> bool:
        """Whether the filters keep a group."""
        return self.keeps_place(group) and (not self.rules or group[2] in self.rules)

    def keeps_place(self, group: tuple[str, str, str | None]) -> bool:
        """The same without the filter of priority rules."""
        return (not self.base_refs or group[0] in self.base_refs) and (
            not self.queue_names or group[1] in self.queue_names
        )


def width_of(asked: Asked) -> int:
    fitting = [width for width in _WIDTHS if Fraction(asked.end - asked.start, width) <= 100]
    return fitting[0] if fitting else 28 * DAY


def interval_start(instant: int, width: int) -> int:
    """Weeks and spans of four weeks are aligned to Monday 1970-01-05, all others to the epoch."""
    origin = 4 * DAY if width >= 7 * DAY else 0
    return origin + (instant - origin) // width * width


def bounds(start: int, width: int) -> dict[str, object]:
    return {"start": spell(start), "end": spell(start + width)}


@cache
def spell(instant: int) -> str:
    return (_EPOCH + timedelta(microseconds=instant)).isoformat().replace("+00:00", "Z")


def seconds(duration: int | Fraction) -> float:
    """The exact number of microseconds is rounded once, half to even."""
    return float(Fraction(round(Fraction(duration)), SECOND))


def mean(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def percentile(values: Iterable[int], percent: int) -> Fraction:
    """Between the two closest ranks, in proportion."""
    ranked = sorted(values)
    position = Fraction(percent, 100) * (len(ranked) - 1)
    below = int(position)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (position - below) * (ranked[above] - ranked[below])


def split_by(values: Iterable[T], key: Callable[[T], int]) -> list[tuple[int, list[T]]]:
    """The values that share a key, by rising key."""
    parts: dict[int, list[T]] = {}
    for value in values:
        parts.setdefault(key(value), []).append(value)
    return sorted(parts.items())
