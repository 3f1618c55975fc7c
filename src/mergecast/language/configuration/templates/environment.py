"""The sandbox for legacy templates: the same input always gives the same text."""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import wraps
from types import BuiltinFunctionType, FunctionType, MethodType, NoneType
from typing import Any

from jinja2 import StrictUndefined
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEscapeFormatter, SandboxedFormatter
from markupsafe import Markup

from mergecast.language.conditions.errors import excerpt

_LONGEST_DETAIL = 200
_PRINTABLE = (str, int, float, bool, NoneType, list, tuple, dict, date, StrictUndefined)
# They give a different text each time.
_RANDOM_NAMES = ("lipsum", "cycler", "joiner")
_RANDOM_FILTERS = ("random",)
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType, BlockReference)
# Methods of dates that depend on the clock or the time zone of the machine.
_MACHINE_TIME = frozenset({"now", "today", "utcnow", "fromtimestamp", "utcfromtimestamp", "astimezone"})
_NAIVE_TIME = frozenset({"timestamp"})
# Seconds since the epoch, which the C library counts in the time zone of the machine.
_EPOCH_DIRECTIVE = re.compile(r"(?<!%)(?:%%)*%[-_0^#]*[0-9]*[EO]?s")


class NotDeterministic(ValueError):
    """A template uses something that can differ from run to run."""


def brief(error: Exception) -> str:
    """The message of an error on one line, for use in another message."""
    return excerpt(" ".join(str(error).split()), _LONGEST_DETAIL)


def make_environment(*, has_samples: bool = False) -> ImmutableSandboxedEnvironment:
    """A sandbox that is strict about unknown names and prints only values that have a text.

    With sample values, a list has every element that a template asks for.
    """
    kind = _SampleSandbox if has_samples else _Sandbox
    environment = kind(undefined=StrictUndefined, autoescape=False, finalize=_printable)
    for name in _RANDOM_NAMES:
        del environment.globals[name]
    environment.filters = dict(_FILTERS)
    environment.globals.update({name: _wrapped(name, value) for name, value in environment.globals.items()})
    return environment


class _Sandbox(ImmutableSandboxedEnvironment):
    def getattr(self, obj: Any, attribute: str) -> Any:
        _refuse_machine_time(obj, attribute)
        return _wrapped(attribute, _checked(obj, attribute, super().getattr(obj, attribute)))

    def getitem(self, obj: Any, argument: Any) -> Any:
        _refuse_machine_time(obj, argument)
        return _wrapped(argument, _checked(obj, argument, super().getitem(obj, argument)))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """`"…".format(…)` inside the sandbox, which may format dates too."""
        text = getattr(value, "__self__", None)
        if super().wrap_str_format(value) is None or not isinstance(text, str):
            return None
        formatter = (
            _EscapingFormatter(self, escape=text.escape) if isinstance(text, Markup) else _Formatter(self)
        )
        if value.__name__ == "format_map":
            return lambda names: type(text)(formatter.vformat(text, (), names))
        return lambda *values, **names: type(text)(formatter.vformat(text, values, names))


class _SampleSandbox(_Sandbox):
    """`title.split(':')[1]` exists in some titles, whatever the sample is."""

    def getitem(self, obj: Any, argument: Any) -> Any:
        found = super().getitem(obj, argument)
        if not isinstance(found, StrictUndefined) or not isinstance(argument, int):
            return found
        return next(iter(obj), "") if isinstance(obj, str | list | tuple) else found


class _DateFields:
    def format_field(self, value: Any, format_spec: str) -> Any:
        if isinstance(value, date):
            _refuse_epoch(format_spec)
        return super().format_field(value, format_spec)  # type: ignore[misc]


class _Formatter(_DateFields, SandboxedFormatter):
    pass


class _EscapingFormatter(_DateFields, SandboxedEscapeFormatter):
    pass


def _checked(value: Any, attribute: Any, found: Any) -> Any:
    """`strftime` of a date looks at its format first."""
    if not isinstance(value, date) or attribute != "strftime":
        return found

    def strftime(format: str) -> str:
        _refuse_epoch(format)
        return str(found(format))

    return strftime


def _refuse_epoch(format: str) -> None:
    if _EPOCH_DIRECTIVE.search(format):
        raise NotDeterministic("`%s` depends on the time zone of the machine; use `timestamp()`")


def _refuse_machine_time(value: Any, attribute: Any) -> None:
    if isinstance(value, datetime) and value.tzinfo is None and attribute in _NAIVE_TIME:
        raise NotDeterministic(f"`{attribute}` of a time without an offset depends on the machine")
    if isinstance(value, date) and attribute in _MACHINE_TIME:
        raise NotDeterministic(
            f"`{attribute}` depends on the machine; use an attribute such as `current_datetime`"
        )


class _Unprintable:
    """Python would print an address in memory; lists, filters and `~` print their members too."""

    __slots__ = ("_reason",)

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __str__(self) -> str:
        raise NotDeterministic(self._reason)

    def __repr__(self) -> str:
        raise NotDeterministic(self._reason)

    def __format__(self, _: str) -> str:
        raise NotDeterministic(self._reason)


class _Function(_Unprintable):
    __slots__ = ("_call",)

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        super().__init__(f"the function `{name}` cannot be printed; write `{name}()` to call it")
        self._call = call

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._call(*arguments, **named)


class _Lazy(_Unprintable):
    __slots__ = ("_items",)

    def __init__(self, items: Iterator[Any]) -> None:
        super().__init__("a generator cannot be printed; make it a list with `| list`")
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return self._items

    def __next__(self) -> Any:
        return next(self._items)


def _wrapped(name: Any, value: Any) -> Any:
    return _Function(str(name), value) if isinstance(value, _FUNCTIONS) else value


def _lazily(filter_: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(filter_)  # keeps the mark that says which context the filter is passed
    def run(*arguments: Any, **named: Any) -> Any:
        result = filter_(*arguments, **named)
        return _Lazy(result) if isinstance(result, Iterator) else result

    return run


_FILTERS = {name: _lazily(run) for name, run in FILTERS.items() if name not in _RANDOM_FILTERS}


def _printable(value: Any) -> Any:
    if isinstance(value, _PRINTABLE) or _has_text(value):
        return value
    raise NotDeterministic(f"a {type(value).__name__} cannot be printed")


def _has_text(value: Any) -> bool:
    return any("__str__" in vars(kind) for kind in type(value).__mro__[:-1])
