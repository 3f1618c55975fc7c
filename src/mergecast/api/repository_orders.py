"""The orders of the list of repositories, and where its next page begins.

Figures change between two pages. So the end of a page is not only a repository, but also the value that it
was sorted by: whatever happens to that repository, the next page begins behind this value.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence

from mergecast.errors import FieldError, InvalidInput
from mergecast.queues.store.values import KnownRepository, by_name
from mergecast.signals.health.repository_rows import RowFigures

_NAME = "name"
# What the first sentence of a page weighs more comes later: it is what someone looks for with `-state`.
_STATES = ("fine", "looking", "slow", "silent", "failing", "stuck")
_COUNTED: dict[str, Callable[[KnownRepository], float | None]] = {
    "events": lambda known: known.events,
    "last_event_at": lambda known: -1 if known.last_at is None else known.last_at,
}
_FIGURES: dict[str, Callable[[RowFigures], float | None]] = {
    "state": lambda row: _STATES.index(row.state),
    "in_queue": lambda row: row.in_queue,
    "merged": lambda row: row.merged.value,
    "failure_rate": lambda row: row.failure_rate.value,
    "time_in_queue_p50": lambda row: row.time_in_queue_p50.value,
    "time_in_queue_p50_change": lambda row: row.time_in_queue_p50.change,
    "time_in_queue_p95": lambda row: row.time_in_queue_p95.value,
}
_NAMES = (_NAME, *_COUNTED, *_FIGURES)
ORDERS = (*_NAMES, *(f"-{name}" for name in _NAMES))

Figures = Mapping[int, RowFigures]
_Key = tuple[bool, float, tuple[str, str]]


def needs_figures(order: str) -> bool:
    return order.removeprefix("-") in _FIGURES


class Sorted:
    """Repositories in an order. Equal ones are sorted by name, and those without a value come last."""

    def __init__(self, known: Sequence[KnownRepository], order: str, figures: Figures) -> None:
        self._order, self._figures = order, figures
        if order.removeprefix("-") == _NAME:
            self.all = sorted(known, key=by_name, reverse=order.startswith("-"))
        else:
            self.all = sorted(known, key=self._key)

    def place_after(self, after: str) -> int:
        """The place behind the end of a page: a name, or as `end` writes it."""
        order, _, rest = after.partition(":")
        if not rest:
            return self._place_after_name(after)
        if order != self._order:
            message = (
                f"continues a list in the order {order}; leave it out to list in the order {self._order}"
            )
            raise InvalidInput([FieldError("query", "after", message)])
        value, _, name = rest.partition(":")
        return bisect_right(self.all, self._key_of(_number(value, after), _parts(name)), key=self._key)

    def end(self, last: KnownRepository) -> str:
        """How a page that ends with this repository says so."""
        if self._order.removeprefix("-") == _NAME:
            return str(last.repository)
        value = self._value(last)
        return f"{self._order}:{'' if value is None else repr(float(value))}:{last.repository}"

    def _place_after_name(self, name: str) -> int:
        for place, known in enumerate(self.all):
            if str(known.repository) == name:
                return place + 1
        raise _no_place(name)

    def _key(self, known: KnownRepository) -> _Key:
        return self._key_of(self._value(known), by_name(known))

    def _key_of(self, value: float | None, name: tuple[str, str]) -> _Key:
        if value is None:
            return True, 0, name
        return False, -value if self._order.startswith("-") else value, name

    def _value(self, known: KnownRepository) -> float | None:
        name = self._order.removeprefix("-")
        if name in _COUNTED:
            return _COUNTED[name](known)
        row = self._figures.get(known.id)
        return None if row is None else _FIGURES[name](row)


def _number(text: str, after: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise _no_place(after) from None
    if not math.isfinite(value):
        raise _no_place(after)
    return value


def _parts(name: str) -> tuple[str, str]:
    owner, _, repository = name.partition("/")
    return owner, repository


def _no_place(after: str) -> InvalidInput:
    message = f"there is no repository {after} in this list; `next` of the page before names one"
    return InvalidInput([FieldError("query", "after", message)])
