"""Which CI check cost most, in one sentence, if one stands out."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mergecast.queues.model.instant import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

_STANDS_OUT: Final = 2.0  # times the cost of the next
_FEW_RUNS: Final = 20  # say little about a check
_WITHOUT_DECIMALS: Final = 9.95
_AS_MINUTES: Final = 2 * SECONDS_PER_HOUR


class CheckCost(NamedTuple):
    """What a check cost in a period: the time of machines, and of other pull requests."""

    name: str
    runs: int
    ran_seconds: float
    blocked_seconds: float

    @property
    def seconds(self) -> float:
        return self.ran_seconds + self.blocked_seconds


def sentence(costs: Sequence[CheckCost]) -> str | None:
    """The most expensive check comes first; None if it does not stand out, or if it ran only a few times."""
    if len(costs) < 2:  # noqa: PLR2004 - there is nothing to compare it with
        return None
    first, second = costs[:2]
    if first.runs < _FEW_RUNS or not first.seconds or first.seconds < _STANDS_OUT * second.seconds:
        return None
    held_up = f" and held up other pull requests for {_span(first.blocked_seconds)}"
    spent = f"it ran for {_span(first.ran_seconds)}{held_up if first.blocked_seconds else ''}"
    return f"{_code(first.name)} cost most: {spent}{_compared(first, second)}"


def _compared(first: CheckCost, second: CheckCost) -> str:
    if not second.seconds:
        return ""
    ratio = first.seconds / second.seconds
    times = f"{ratio:.1f}" if ratio < _WITHOUT_DECIMALS else f"{ratio:,.0f}"
    return f", {times.removesuffix('.0')} times as much as the next, {_code(second.name)}"


def _code(name: str) -> str:
    """A name between backquotes, which it must not contain."""
    inner = name.replace("`", "'")
    return f"`{inner}`"


def _span(seconds: float) -> str:
    if seconds < _AS_MINUTES:
        return f"{round(seconds / SECONDS_PER_MINUTE)} min"
    return f"{round(seconds / SECONDS_PER_HOUR):,} h"
