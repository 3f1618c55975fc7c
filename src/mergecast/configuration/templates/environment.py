"""The sandbox in which templates of the older dialect run."""

from __future__ import annotations

from datetime import date
from types import NoneType
from typing import Any

from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

_PRINTABLE = (str, int, float, bool, NoneType, list, tuple, dict, date, StrictUndefined)
# They give another text each time, and a simulation is a function of its input alone.
_UNSTEADY_NAMES = ("lipsum", "cycler", "joiner")
_UNSTEADY_FILTERS = ("random",)


class NotPrintable(ValueError):
    """A value that has no text of its own, such as a function."""


def make_environment() -> ImmutableSandboxedEnvironment:
    """Strict about unknown names; only values with a text of their own are printed."""
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, finalize=_printable
    )
    for name in _UNSTEADY_NAMES:
        del environment.globals[name]
    for name in _UNSTEADY_FILTERS:
        del environment.filters[name]
    return environment


def _printable(value: Any) -> Any:
    """Of anything else Python would print an address in memory, which differs from run to run."""
    if isinstance(value, _PRINTABLE) or _has_text(value):
        return value
    kind = type(value).__name__.replace("_", " ")
    raise NotPrintable(f"a {kind} cannot be printed; a generator becomes a list with `| list`")


def _has_text(value: Any) -> bool:
    return any("__str__" in vars(kind) for kind in type(value).__mro__[:-1])
