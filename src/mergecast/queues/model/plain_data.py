"""Reads the platform's answers field by field: every error is noted with its place, and none is raised."""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from mergecast.errors import FieldError
from mergecast.queues.model.instant import NotAnInstant, parse_instant


class _Absent(Enum):
    ABSENT = "nothing"


_ABSENT = _Absent.ABSENT
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "a number"),
    (float, "a number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "an object"),
)
_SHOWN = 60


def pointer(key: str, above: str = "") -> str:
    """The JSON pointer to the value of a key.

    >>> pointer("a/b~c", "/pull")
    '/pull/a~1b~0c'
    """
    return f"{above}/{key.replace('~', '~0').replace('/', '~1')}"


class Node:
    """A value and its place. Errors are collected, and a harmless default is returned."""

    __slots__ = ("_above", "_errors", "_key", "value")

    def __init__(
        self, value: Any, errors: list[FieldError], above: "Node | None" = None, key: str | int = ""
    ) -> None:
        self.value = value
        self._errors = errors
        self._above, self._key = above, key

    @property
    def pointer(self) -> str:
        """The JSON pointer to this value; few values need it, because few have an error."""
        return "" if self._above is None else pointer(str(self._key), self._above.pointer)

    @property
    def is_absent(self) -> bool:
        return self.value is _ABSENT

    @property
    def is_null(self) -> bool:
        """Whether there is nothing to read here; the platform leaves fields out or writes null."""
        return self.value is None or self.value is _ABSENT

    def member(self, key: str) -> "Node":
        """The value under this key. If this is not an object, that is noted once, not for every member."""
        if isinstance(self.value, dict):
            return Node(self.value.get(key, _ABSENT), self._errors, self, key)
        self.wrong("an object")
        self._errors = []
        return Node(_ABSENT, [], self, key)

    def members(self) -> list[tuple[str, "Node"]]:
        if not isinstance(self.value, dict):
            self.wrong("an object")
            return []
        return [(key, self.member(key)) for key in self.value]

    def items(self) -> list["Node"]:
        if not isinstance(self.value, list):
            self.wrong("a list")
            return []
        return [Node(item, self._errors, self, place) for place, item in enumerate(self.value)]

    def text(self) -> str:
        if isinstance(self.value, str):
            return self.value
        self.wrong("a text")
        return ""

    def text_or_null(self) -> str | None:
        return None if self.is_null else self.text()

    def boolean(self) -> bool:
        if isinstance(self.value, bool):
            return self.value
        self.wrong("a boolean")
        return False

    def boolean_or_null(self) -> bool | None:
        return None if self.is_null else self.boolean()

    def integer(self, *, at_least: int = 0) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < at_least:
            self.wrong(f"a whole number of at least {at_least}")
            return at_least
        return self.value

    def integer_or_null(self) -> int | None:
        return None if self.is_null else self.integer()

    def instant(self) -> int:
        if not isinstance(self.value, str):
            self.wrong("a date-time such as 2026-01-31T09:00:00Z")
            return 0
        try:
            return parse_instant(self.value)
        except NotAnInstant as error:
            self.error(str(error))
            return 0

    def instant_or_null(self) -> int | None:
        return None if self.is_null else self.instant()

    def choice(self, known: Iterable[str]) -> str:
        options = tuple(known)
        if self.value not in options:
            self.wrong("one of " + ", ".join(options))
        return str(self.value)

    def wrong(self, expected: str) -> None:
        """Note that something else was expected here."""
        if self.is_absent:
            self.error(f"is missing; it is {expected}")
        else:
            self.error(f"must be {expected}, not {_kind(self.value)}")

    def error(self, message: str) -> None:
        self._errors.append(FieldError("body", self.pointer, message))


def _kind(value: Any) -> str:
    if isinstance(value, str) and value:
        return f"`{value[:_SHOWN]}`"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)[:_SHOWN] if abs(value) < 10**_SHOWN else "an endless number"
    return next((title for kind, title in _KINDS if isinstance(value, kind)), "null")
