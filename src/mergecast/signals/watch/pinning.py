"""Reads what a baseline is pinned with, or says what is missing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.model.baseline import FEWEST_MERGES, LONGEST, SHORTEST, Baseline, Limits, QueueHour
from mergecast.queues.model.instant import DAY, HOUR, SECOND, format_instant
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.window import Window
from mergecast.queues.model.words import counted
from mergecast.queues.store.baselines import read_hours
from mergecast.queues.store.reader import Reader
from mergecast.signals.detection.baseline_figures import figures_of
from mergecast.signals.detection.baseline_finds import finds
from mergecast.signals.detection.baseline_spread import spreads_of

_LISTED = 10  # queues in a message


class WantedBaseline(NamedTuple):
    name: str
    base_ref: str
    queue_name: str
    window: Window
    limits: Limits


def check_period(window: Window, now: int) -> None:
    """Refuse a period that cannot be a baseline, whatever happened in it."""
    days = (window.end - window.start) / DAY
    errors = []
    if window.end > now:
        message = (
            "is in the future; a baseline is a period that is over, "
            f"at {format_instant(now - now % SECOND)} at the latest"
        )
        errors.append(FieldError("body", "/end_at", message))
    if window.start >= window.end:
        errors.append(FieldError("body", "/start_at", "must be before end_at"))
    elif window.end - window.start < SHORTEST:
        latest = format_instant(window.end - SHORTEST)
        message = (
            f"the period has {days:.3g} days, and a baseline needs at least 7: start at {latest} or earlier"
        )
        errors.append(FieldError("body", "/start_at", message))
    elif window.end - window.start > LONGEST:
        earliest = format_instant(window.end - LONGEST)
        message = (
            f"the period has {days:.4g} days, and a baseline has at most 92: start at {earliest} or later"
        )
        errors.append(FieldError("body", "/start_at", message))
    if errors:
        raise InvalidInput(errors)


def pin(
    reader: Reader, repository_id: int, wanted: WantedBaseline, now: int
) -> tuple[Baseline, list[QueueHour]]:
    """The baseline, and the hours behind it."""
    name, base_ref, queue_name, window, limits = wanted
    groups = _groups(reader, repository_id, base_ref, queue_name)
    hours = read_hours(reader, repository_id, window, groups)
    merges = sum(hour.merges for hour in hours)
    if merges < FEWEST_MERGES:
        earlier = Window(window.end - LONGEST, window.end)
        raise _too_few(merges, read_hours(reader, repository_id, earlier, groups), window.end)
    before = read_hours(reader, repository_id, Window(0, window.start), groups)
    spreads = spreads_of(window, before, hours)
    baseline = Baseline(name, base_ref, queue_name, *window, limits, now, merges, figures_of(hours), spreads)
    return replace(baseline, finds=finds(baseline, hours, before)), hours


def groups_of(reader: Reader, repository_id: int, base_ref: str, queue_name: str) -> list[int]:
    """The ids of the groups of a queue."""
    every = reader.groups(repository_id).items()
    return [id for id, group in every if (group.base_ref, group.queue_name) == (base_ref, queue_name)]


def _groups(reader: Reader, repository_id: int, base_ref: str, queue_name: str) -> list[int]:
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
    told = f"the period has {counted(merges, 'merge')}, and a baseline needs at least {FEWEST_MERGES}"
    found = 0
    for hour in reversed(earlier):
        found += hour.merges
        if found >= FEWEST_MERGES:
            start = min(hour.number * HOUR, end - SHORTEST)
            return _refused(f"{told}: start at {format_instant(start)} or earlier")
    return _refused(f"{told}; the 92 days before its end, the longest period possible, have {found}")


def _refused(message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", "/start_at", message)])
