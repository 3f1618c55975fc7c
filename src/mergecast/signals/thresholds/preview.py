"""Which alerts a threshold would have raised, had it been in force in the past weeks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, HOUR, WEEK, Window
from mergecast.queues.model.reference_period import QueueHour, ReferencePeriod
from mergecast.queues.model.threshold import SetThreshold
from mergecast.queues.model.words import counted
from mergecast.signals.thresholds.branch_alerts import past_standstills
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.judged import NO_RUN_STARTED, RUNS_SLOW, SOURCE_SILENT
from mergecast.signals.thresholds.levels import Levels, learn
from mergecast.signals.thresholds.looking_back import alerts_of_level
from mergecast.signals.thresholds.queue_history import QueueHistory, QueueName
from mergecast.signals.thresholds.reference_comparison import Beside, hours_needed
from mergecast.signals.thresholds.reference_course import follow
from mergecast.signals.thresholds.set_course import judge_set, measured

PREVIEWED: Final = 8 * WEEK
# How far apart comparisons with a reference period are; they look at days and weeks. A server makes one every
# hour; for a preview, that would take minutes.
_APART: Final = 6 * HOUR


class LevelAsked(Struct, frozen=True, tag="level"):
    """A level of a figure of the queue as it is at each moment."""

    queue: QueueName
    window: Window
    figure: str
    value: float
    # Of the queue, or of all queues of its branch; they begin before the window, so that there is something
    # to learn from.
    histories: dict[str, QueueHistory]


class HoursAsked(Struct, frozen=True, tag="hours"):
    """A value of a figure of the last hours."""

    queue: QueueName
    window: Window
    threshold: SetThreshold
    hours: list[QueueHour]  # from `hours_needed_since` of the start on


class ReferenceAsked(Struct, frozen=True, tag="reference"):
    """A limit for what a figure may be, compared with a reference period."""

    window: Window
    figure: str
    period: ReferencePeriod
    pinned: list[QueueHour]
    hours: list[QueueHour]  # from `window_start` of the start on


Asked = LevelAsked | HoursAsked | ReferenceAsked


class Previewed(Struct, frozen=True):
    """The alerts, oldest first; those that would still be open have not ended."""

    alerts: list[Alert]
    can_judge: bool  # whether the history is enough for that


def preview(asked: Asked) -> Previewed:
    """Judge the past weeks as a server would have done while they happened."""
    match asked:
        case LevelAsked():
            return _of_level(asked)
        case HoursAsked():
            return _of_hours(asked)
        case ReferenceAsked():
            return _of_reference(asked)


def _of_level(asked: LevelAsked) -> Previewed:
    queue, window, figure = asked.queue, Span(*asked.window), asked.figure
    if figure == NO_RUN_STARTED:
        values = dict.fromkeys(asked.histories, asked.value)
        found = past_standstills(queue.base_ref, asked.histories, window, values)
        return Previewed([alert for alert in found if queue.queue_name in alert.queues], can_judge=True)
    history = asked.histories.get(queue.queue_name, QueueHistory())
    alerts = alerts_of_level(queue, history, window, figure, asked.value)
    return Previewed(alerts, bool(alerts) or _can_judge(learn(history, window.end), figure))


def _can_judge(levels: Levels, figure: str) -> bool:
    """Some figures compare with what is usual, even if a person set the threshold."""
    match figure:
        case name if name == SOURCE_SILENT:
            return bool(levels.sources)
        case name if name == RUNS_SLOW:
            return levels.speed is not None
        case _:
            return True


def _of_hours(asked: HoursAsked) -> Previewed:
    figure, current = asked.threshold.figure, None
    found: dict[str, Alert] = {}
    for at in _instants(asked.window, HOUR):
        alert = judge_set(asked.threshold, current, asked.hours, at, asked.queue)
        current = alert if alert is not None and alert.ended_at is None else None
        found |= {} if alert is None else {alert.id: alert}
    days = (measured(figure, asked.hours, at) for at in _instants(asked.window, DAY))
    return Previewed([*found.values()], bool(found) or any(day is not None for day in days))


def _of_reference(asked: ReferenceAsked) -> Previewed:
    beside = Beside(asked.period, asked.pinned)
    found: dict[str, Alert] = {}
    can_judge = False
    for at in _instants(asked.window, _APART):
        comparison = beside.compare(hours_needed(asked.hours, at), at)
        can_judge = can_judge or getattr(comparison.ratios, asked.figure).can_compare
        current = [alert for alert in found.values() if alert.ended_at is None]
        followed = follow(asked.period, current, comparison)
        found |= {alert.id: alert for alert in followed if alert.figure == asked.figure}
    return Previewed([*found.values()], can_judge)


def _instants(window: Window, apart: int) -> Iterator[int]:
    """Instants of a window that are so far apart; the last one is at its end, which is a whole hour."""
    first = window.end - (window.end - window.start) // apart * apart
    return iter(range(first, window.end + 1, apart))


def preview_sentence(previewed: Previewed, window: Window, *, is_learned: bool = False) -> str:
    """What a preview shows, in words."""
    weeks = round((window.end - window.start) / WEEK)
    days = counted(max(round((window.end - window.start) / DAY), 1), "day")
    time = f"the last {counted(weeks, 'week') if weeks > 1 else days}"
    if not previewed.can_judge:
        return f"The history is too short to judge this threshold in {time}."
    has = "It has raised" if is_learned else "It would have raised"
    count = len(previewed.alerts)
    number = counted(count, "alert") if count else "no alert"
    is_open = any(alert.ended_at is None for alert in previewed.alerts)
    still = "" if not is_open else ", which is still open" if count == 1 else ", one of which is still open"
    return f"{has} {number} in {time}{_rate(count, weeks)}{still}."


def _rate(count: int, weeks: int) -> str:
    return f", about {round(count / weeks):,} a week" if weeks > 1 and count >= 2 * weeks else ""


def of_figure(alerts: Iterable[Alert], figure: str, queue: QueueName) -> Sequence[Alert]:
    """The stored alerts of a queue about a figure, oldest first; those because of splits are of their own."""
    is_splits = figure == "splits"
    found = [
        alert
        for alert in alerts
        if alert.base_ref == queue.base_ref
        and queue.queue_name in alert.queues
        and (alert.figure == "going_round" if is_splits else alert.figure == figure)
        and (alert.unit == "splits") == is_splits
    ]
    return sorted(found, key=lambda alert: alert.found_at)
