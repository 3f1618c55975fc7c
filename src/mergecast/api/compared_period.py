"""The period that a summary is compared with, if the request names one."""

from collections.abc import Mapping
from typing import Any

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.model.window import Window
from mergecast.queues.stats.statistic import BEFORE

_START, _END = BEFORE


def compared_window(values: Mapping[str, Any], window: Window, now: int) -> Window | None:
    """None without `before_start_at` and `before_end_at`: the usual one is meant."""
    given = [name for name in BEFORE if name in values]
    if not given:
        return None
    errors = [
        FieldError("query", name, f"is required with {given[0]}") for name in BEFORE if name not in values
    ]
    errors += [FieldError("query", name, "must not be in the future") for name in given if values[name] > now]
    if errors:
        raise InvalidInput(errors)
    found = Window(values[_START], values[_END])
    _check(found, window)
    return found


def _check(found: Window, window: Window) -> None:
    if found.start >= found.end:
        raise InvalidInput([FieldError("query", _START, f"must be before {_END}")])
    if found.start < window.end and window.start < found.end:
        message = (
            "the period to compare with overlaps the period itself; "
            f"{_END} must not be after start_at, or {_START} not before end_at"
        )
        raise InvalidInput([FieldError("query", _START, message)])
