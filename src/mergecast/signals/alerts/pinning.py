"""Reads what a reference period is pinned with, or says what is missing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.model.instant import DAY, HOUR, SECOND, Window, format_instant
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.reference_period import (
    FEWEST_MERGES,
    LONGEST,
    SHORTEST,
    Limits,
    QueueHour,
    ReferencePeriod,
)
from mergecast.queues.model.words import counted
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import read_hours
from mergecast.signals.thresholds.reference_figures import figures_of
from mergecast.signals.thresholds.reference_finds import finds
from mergecast.signals.thresholds.reference_spread import spreads_of

_LISTED = 10  # queues in a message


class WantedPeriod(NamedTuple):
    name: str
    base_ref: str
    queue_name: str
    window: Window
    limits: Limits


def wanted_of(period: ReferencePeriod) -> WantedPeriod:
    """As it was asked for."""
    window = Window(period.start, period.end)
    return WantedPeriod(period.name, period.base_ref, period.queue_name, window, period.limits)


def check_period(window: Window, now: int) -> None:
    """Refuse a period that cannot be a reference period, whatever happened in it."""
    days = (window.end - window.start) / DAY
    errors = []
    if window.end > now:
        message = (
            "is in the future; a reference period is one that is over, "
            f"at {format_instant(now - now % SECOND)} at the latest"
        )
        errors.append(FieldError("body", "/end_at", message))
    if window.start >= window.end:
        errors.append(FieldError("body", "/start_at", "must be before end_at"))
    elif window.end - window.start < SHORTEST:
        latest = format_instant(window.end - SHORTEST)
        message = (
            f"the period has {days:.3g} days, and a reference period needs at least 7: "
            f"start at {latest} or earlier"
        )
        errors.append(FieldError("body", "/start_at", message))
    elif window.end - window.start > LONGEST:
        earliest = format_instant(window.end - LONGEST)
        message = (
            f"the period has {days:.4g} days, and a reference period has at most 92: "
            f"start at {earliest} or later"
        )
        errors.append(FieldError("body", "/start_at", message))
    if errors:
        raise InvalidInput(errors)


def pin(
    reader: Reader, repository_id: int, wanted: WantedPeriod, now: int, pinned: Sequence[QueueHour] = ()
) -> tuple[ReferencePeriod, Sequence[QueueHour]]:
    """The period with what alerts would find, and the hours behind it.

    `pinned` are the hours of a period whose limits change: they stay as they are.
    """
    period, hours, before = measured_period(reader, repository_id, wanted, now, pinned)
    return replace(period, finds=finds(period, hours, before)), hours


def measured_period(
    reader: Reader, repository_id: int, wanted: WantedPeriod, now: int, pinned: Sequence[QueueHour] = ()
) -> tuple[ReferencePeriod, Sequence[QueueHour], list[QueueHour]]:
    """The period, the hours behind it, and all hours before it."""
    name, base_ref, queue_name, window, limits = wanted
    groups = known_groups(reader, repository_id, base_ref, queue_name)
    hours = pinned or read_hours(reader, repository_id, window, groups)
    merges = sum(hour.merges for hour in hours)
    if merges < FEWEST_MERGES:
        earlier = Window(window.end - LONGEST, window.end)
        raise _too_few(merges, read_hours(reader, repository_id, earlier, groups), window.end)
    before = read_hours(reader, repository_id, Window(0, window.start), groups)
    spreads = spreads_of(window, before, hours)
    figures = figures_of(hours)
    period = ReferencePeriod(name, base_ref, queue_name, *window, limits, now, merges, figures, spreads)
    return period, hours, before


def groups_of(reader: Reader, repository_id: int, base_ref: str, queue_name: str) -> list[int]:
    """The ids of the groups of a queue."""
    every = reader.groups(repository_id).items()
    return [id for id, group in every if (group.base_ref, group.queue_name) == (base_ref, queue_name)]


def known_groups(reader: Reader, repository_id: int, base_ref: str, queue_name: str) -> list[int]:
    """The same; a queue that no event names is refused, with the nearest name."""
    found = groups_of(reader, repository_id, base_ref, queue_name)
    if found:
        return found
    every = reader.groups(repository_id).values()
    queues = sorted({group.queue_name for group in every if group.base_ref == base_ref})
    if queues:
        message = _unknown("queue", queue_name, queues, f"known queues of {base_ref}: ")
        raise InvalidInput([FieldError("body", "/queue_name", message)])
    branches = sorted({group.base_ref for group in every})
    message = _unknown("branch", base_ref, branches, "known branches: ")
    raise InvalidInput([FieldError("body", "/base_ref", message)])


def _unknown(what: str, name: str, known: Sequence[str], has: str) -> str:
    meant = nearest(name, known)
    hint = f"; did you mean {meant}?" if meant else ""
    if not known:
        return f"no event names the {what} {name!r}; nothing is known about any {what} of this repository"
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"no event names the {what} {name!r}; {has}{', '.join(known[:_LISTED])}{more}{hint}"


def _too_few(merges: int, earlier: Sequence[QueueHour], end: int) -> InvalidInput:
    """Says when the period must start to have enough merges, if that is possible."""
    told = f"the period has {counted(merges, 'merge')}, and a reference period needs at least {FEWEST_MERGES}"
    found = 0
    for hour in reversed(earlier):
        found += hour.merges
        if found >= FEWEST_MERGES:
            start = min(hour.number * HOUR, end - SHORTEST)
            return _refused(f"{told}: start at {format_instant(start)} or earlier")
    return _refused(f"{told}; the 92 days before its end, the longest period possible, have {found}")


def _refused(message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", "/start_at", message)])
