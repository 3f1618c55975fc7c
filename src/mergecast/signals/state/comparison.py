"""How a period compares with the one before: slower, faster or as before, and how much is behind that."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mergecast.queues.answers.summary import Comparison, Figure, Judged, Span, Verdict
from mergecast.queues.model.instant import DAY, WEEK, Window, duration, format_instant, to_datetime
from mergecast.queues.model.words import counted
from mergecast.signals.state.wording import change, points, rate

Figures = Mapping[str, Figure]

FEW_STAYS = 20
LONG = 28 * DAY  # what is compared if a period has fewer stays
# Smaller changes are within normal differences between weeks.
_NOTABLE = 0.1
_LARGE = 0.25
_NOTABLE_POINTS = 0.03
_MUCH = 1.5  # times the lower failure rate
_SOME_FAILURES = 5
_MIXED = "Mixed"
_FAILURES = ("More failures", "Fewer failures")
TIMES = ("time_in_queue_p50", "time_in_queue_p95")


class Compared(NamedTuple):
    """The figures of a window beside those of another one."""

    window: Window
    before: Window
    figures: Figures

    @property
    def stays(self) -> Figure:
        return self.figures["time_in_queue_p95"]

    @property
    def is_few(self) -> bool:
        """Whether chance alone may explain any change."""
        return min(self.stays.count, self.stays.count_before) < FEW_STAYS

    @property
    def name(self) -> str:
        """What it is compared with, in words."""
        return _name_of(self.window, self.before)

    def verdict(self, name: str) -> Verdict | None:
        """Whether someone should look at a figure; None if there is too little to compare."""
        figure = self.figures[name]
        if self.is_few or figure.change is None:
            return None
        worse, better = _failures_moved(figure) if name == "failure_rate" else _time_moved(figure)
        return "worse" if worse else "better" if better else "neither"

    def is_worse(self, *names: str) -> bool:
        return any(self.verdict(name) == "worse" for name in names)

    def shown(self) -> Comparison:
        window, earlier = (Span(*map(format_instant, span)) for span in (self.window, self.before))
        p50, p95, failures = (
            Judged(self.figures[name].change, self.verdict(name)) for name in (*TIMES, "failure_rate")
        )
        return Comparison(window, earlier, self.stays.count, self.stays.count_before, p50, p95, failures)


def judged_by(own: Compared, read: Callable[[Window], Compared]) -> Compared:
    """What a period is judged by: itself, or 28 days if it has too few stays and they have enough."""
    if not own.is_few or own.window.end - own.window.start >= LONG:
        return own
    long = read(Window(own.window.end - LONG, own.window.end))
    return own if long.is_few else long


def comparison(own: Compared, judged: Compared) -> str:
    """How a period compares, in one sentence, or two if it is judged by a longer one."""
    if judged is own:
        return _compared(own)
    length = counted((judged.window.end - judged.window.start) // DAY, "day")
    few = counted(own.stays.count, "stay") if own.stays.count < FEW_STAYS else "too few stays before it"
    return f"{_compared(judged)} Over {length}, because the period alone has {few}."


def _compared(of: Compared) -> str:
    p50, p95 = (of.figures[name] for name in TIMES)
    if not p95.count:
        return "No pull request left the queue in this period."
    if is_too_few(of):
        return _too_few(of)
    values = f"p50 {duration(p50.value or 0.0)}, p95 {duration(p95.value or 0.0)}"
    if p50.change is None or p95.change is None:
        return f"So far {values}; there is nothing to compare with yet."
    changes = [change for change in (_of_times(p50, p95), _of_failures(of.figures)) if change is not None]
    if not changes:
        return f"Much like {of.name}: {values}."
    if of.is_worse("failure_rate"):
        changes.reverse()
    first, *others = changes
    than = "compared with" if first.head == _MIXED else "than"
    also = "".join(f"; {other.head.lower()}: {other.detail}" for other in others)
    if first.head in _FAILURES and not others:
        also = f"; {values}"
    return f"{first.head} {than} {of.name}: {first.detail}{also}."


def is_too_few(of: Compared) -> bool:
    """Whether nothing can be said; without anything to compare with, enough stays are fine."""
    return of.stays.count < FEW_STAYS or (of.stays.change is not None and of.is_few)


def _too_few(of: Compared) -> str:
    """The change in words all the same."""
    p50, p95, failures = (of.figures[name] for name in (*TIMES, "failure_rate"))
    before = f", {p95.count_before} in {of.name}" if p95.count_before else ""
    failed = f"{rate(failures.value)} failed"
    if failures.change is not None:
        failed += f" ({points(failures.change)})"
    told = f"{_changed('p50', p50)}, {_changed('p95', p95)}, {failed}"
    return f"Too few to compare: {counted(p95.count, 'stay')}{before}; {told}."


class _Change(NamedTuple):
    """How something compares, in words."""

    head: str
    detail: str


def _of_times(p50: Figure, p95: Figure) -> _Change | None:
    changes = {"p95": p95.change or 0.0, "p50": p50.change or 0.0}
    if min(map(abs, changes.values())) >= _NOTABLE and changes["p50"] * changes["p95"] < 0:
        return _Change(_MIXED, f"{_changed('p50', p50)}, {_changed('p95', p95)}")
    name = max(changes, key=lambda name: abs(changes[name]))
    if abs(changes[name]) < _NOTABLE:
        return None
    return _Change(_direction(changes[name]), _changed(name, p50 if name == "p50" else p95))


def _of_failures(figures: Figures) -> _Change | None:
    failures = figures["failure_rate"]
    if failures.change is None or abs(failures.change) < _NOTABLE_POINTS:
        return None
    return _Change(_FAILURES[failures.change < 0], f"{rate(failures.value)} ({points(failures.change)})")


def _time_moved(figure: Figure) -> tuple[bool, bool]:
    """Whether a time grew, and whether it fell, so much that someone should look."""
    change = figure.change or 0.0
    return change >= _LARGE, change <= -_LARGE


def _failures_moved(figure: Figure) -> tuple[bool, bool]:
    """The same of the failure rate; a few failures may be chance."""
    now, then, change = figure.value or 0.0, figure.before or 0.0, figure.change or 0.0
    if abs(change) < _NOTABLE_POINTS or max(now, then) < _MUCH * min(now, then):
        return False, False
    failures = now * figure.count if change > 0 else then * figure.count_before
    is_some = failures >= _SOME_FAILURES
    return is_some and change > 0, is_some and change < 0


def _name_of(window: Window, before: Window) -> str:
    length, length_before = window.end - window.start, before.end - before.start
    days = round(length_before / DAY)
    if before.end == window.start and length_before <= length:
        # The repository's first event may be some hours after the beginning of the week before.
        if days * DAY == WEEK and length == WEEK:
            return "the week before"
        is_whole = length_before % DAY == 0 or length_before < length
        if not (is_whole and days):
            return "the period before"
        return "the day before" if days == 1 else f"the {days} days before"
    if length_before == length and window.start - before.start == WEEK:
        return "the same hours a week earlier"
    start, end = (to_datetime(at).strftime("%Y-%m-%d") for at in before)
    return f"the period from {start} to {end}"


def _direction(change: float) -> str:
    word = "slower" if change > 0 else "faster"
    return word.capitalize() if abs(change) >= _LARGE else f"A little {word}"


def _changed(name: str, figure: Figure) -> str:
    moved = "" if figure.change is None else f" ({change(figure.change)})"
    return f"{name} {duration(figure.value or 0.0)}{moved}"
