"""How validators report problems, and what they need to know about the reading."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mergecast.configuration.deprecations import Deprecated

Steps = tuple[str | int, ...]


class Phase(IntEnum):
    """Errors of the first phase that fails are reported, those of later ones would be guesses."""

    SHAPE = 1
    SYNTAX = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem at or below a value."""

    message: str
    phase: Phase = Phase.SYNTAX
    steps: Steps = ()
    deprecated: Deprecated | None = None
    at_key: bool = False  # the key itself is wrong, not its value


class InvalidField(ValueError):
    """Raised by a validator, with every problem of the value."""

    def __init__(self, *refusals: Problem) -> None:
        super().__init__("; ".join(refusal.message for refusal in refusals))
        self.refusals = refusals


def wrong_syntax(message: str) -> InvalidField:
    return InvalidField(Problem(message))


def wrong_shape(message: str) -> InvalidField:
    return InvalidField(Problem(message, Phase.SHAPE))


@dataclass(slots=True)
class ReadContext:
    """Under which terms a document is read, and what reading it met on the way.

    Validators do not know where in the document they stand, but a refusal gets its path. So the uses are
    counted in a first reading, and when there are any a second reading refuses them all, whatever the day.
    """

    today: date
    listing: bool = False
    deprecated_uses: int = field(default=0)
    slips: int = field(default=0)

    def note(self, use: Deprecated, name: str) -> Problem | None:
        """Count a deprecated use, or refuse it when its time is over."""
        if self.listing:
            return Problem(use.message(name), deprecated=use)
        if self.over(use):
            return Problem(use.refusal(name), deprecated=use)
        self.deprecated_uses += 1
        return None

    def over(self, use: Deprecated) -> bool:
        return not self.listing and self.today > use.deadline


def context_of(context: Any) -> ReadContext:
    """The reader's context; for values made in code, one in which nothing has expired."""
    return context if isinstance(context, ReadContext) else ReadContext(date.min)
