"""How a period compares with the one before: slower, faster or as before, and what mainly caused it."""

from collections.abc import Mapping
from typing import NamedTuple

from mergecast.queues.answers.summary import Figure
from mergecast.queues.model.figures import WAITS
from mergecast.queues.model.instant import DAY, WEEK, Window, duration, to_datetime
from mergecast.queues.model.words import counted
from mergecast.signals.state.wording import change, points, rate

Figures = Mapping[str, Figure]

FEW_STAYS = 20
# Smaller changes are within normal differences between weeks.
NOTABLE = 0.1
LARGE = 0.25
_NOTABLE_POINTS = 0.03
_MANY_MORE = 1.5  # times the failure rate before
_SOME_FAILURES = 5
_MIXED = "Mixed"
_FAILURES = ("More failures", "Fewer failures")
_SHARE_OF_CAUSE = 0.5
_ENDS = {"schedule": "a schedule", "freeze": "a freeze to end"}  # what else is waited for


def comparison(figures: Figures, compared_with: str) -> str:
    p50, p95 = figures["time_in_queue_p50"], figures["time_in_queue_p95"]
    if not p95.count:
        return "No pull request left the queue in this period."
    values = f"p50 {duration(p50.value or 0.0)}, p95 {duration(p95.value or 0.0)}"
    if p95.count < FEW_STAYS:
        return f"Little data: {counted(p95.count, 'stay')}, {values}."
    if p50.change is None or p95.change is None:
        return f"So far {values}; there is nothing to compare with yet."
    changes = [change for change in (_of_times(figures), _of_failures(figures)) if change is not None]
    if not changes:
        return f"Much like {compared_with}: {values}."
    if is_failing_more(figures):
        changes.reverse()
    first, *others = changes
    than = "compared with" if first.head == _MIXED else "than"
    also = "".join(f"; {other.head.lower()}: {other.detail}" for other in others)
    if first.head in _FAILURES and not others:
        also = f"; {values}"
    return f"{first.head} {than} {compared_with}: {first.detail}{also}."


class _Change(NamedTuple):
    """How something compares, in words."""

    head: str
    detail: str


def _of_times(figures: Figures) -> _Change | None:
    p50, p95 = figures["time_in_queue_p50"], figures["time_in_queue_p95"]
    if _is_mixed(p50.change or 0.0, p95.change or 0.0):
        return _Change(_MIXED, f"{_changed('p50', p50)}, {_changed('p95', p95)}")
    name, largest = _largest_change(figures)
    if abs(largest) < NOTABLE:
        return None
    figure = figures[f"time_in_queue_{name}"]
    cause = _cause(figures, is_slower=largest > 0)
    return _Change(_direction(largest), f"{_changed(name, figure)}{cause}")


def _of_failures(figures: Figures) -> _Change | None:
    failures = figures["failure_rate"]
    if failures.change is None or abs(failures.change) < _NOTABLE_POINTS:
        return None
    return _Change(_FAILURES[failures.change < 0], f"{rate(failures.value)} ({points(failures.change)})")


def is_failing_more(figures: Figures) -> bool:
    """Whether the failure rate grew so much that someone should look; a few failures may be chance."""
    failures = figures["failure_rate"]
    if failures.value is None or failures.change is None or failures.count < FEW_STAYS:
        return False
    is_more = failures.change >= _NOTABLE_POINTS and failures.value >= _MANY_MORE * (failures.before or 0.0)
    return is_more and failures.value * failures.count >= _SOME_FAILURES


def is_slow(figures: Figures) -> bool:
    """Whether time in queue grew so much that someone should look."""
    p50, p95 = figures["time_in_queue_p50"], figures["time_in_queue_p95"]
    if p95.count < FEW_STAYS or p50.change is None or p95.change is None:
        return False
    return _largest_change(figures)[1] >= LARGE and not _is_mixed(p50.change, p95.change)


def _is_mixed(p50: float, p95: float) -> bool:
    """Whether the percentiles move apart."""
    return min(abs(p50), abs(p95)) >= NOTABLE and p50 * p95 < 0


def _largest_change(figures: Figures) -> tuple[str, float]:
    """The percentile of time in queue that changed most, and by how much."""
    changes = {name: figures[f"time_in_queue_{name}"].change or 0.0 for name in ("p95", "p50")}
    name = max(changes, key=lambda name: abs(changes[name]))
    return name, changes[name]


def name_of(window: Window, before: Window) -> str:
    """What a period is compared with, in words."""
    length = window.end - window.start
    is_as_long = before.end - before.start == length
    if is_as_long and before.end == window.start:
        if length == WEEK:
            return "the week before"
        return f"the {length // DAY} days before" if length % DAY == 0 else "the period before"
    if is_as_long and window.start - before.start == WEEK:
        return "the same hours a week earlier"
    start, end = (to_datetime(at).strftime("%Y-%m-%d") for at in before)
    return f"the period from {start} to {end}"


def _direction(change: float) -> str:
    word = "slower" if change > 0 else "faster"
    return word.capitalize() if abs(change) >= LARGE else f"A little {word}"


def _changed(name: str, figure: Figure) -> str:
    return f"{name} {duration(figure.value or 0.0)} ({change(figure.change or 0.0)})"


def _cause(figures: Figures, *, is_slower: bool) -> str:
    """The kind of waiting that makes up at least half of the change of the mean, if CI is known at all."""
    if figures["waiting_ci"].value is None:
        return ""
    moved = {wait: _difference(figures[f"waiting_{wait}"]) * (1 if is_slower else -1) for wait in WAITS}
    total = sum(max(seconds, 0.0) for seconds in moved.values())
    most = max(moved, key=lambda wait: moved[wait])
    if total <= 0 or moved[most] / total < _SHARE_OF_CAUSE:
        return ""
    return f", mostly because of {'more' if is_slower else 'less'} waiting for {_ENDS.get(most, WAITS[most])}"


def _difference(figure: Figure) -> float:
    return (figure.value or 0.0) - (figure.before or 0.0)
