"""How validators report problems, and what they need to know about the reading."""

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mergecast.language.configuration.deprecations import Deprecated

Steps = tuple[Any, ...]  # keys and list indexes


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem at or below a value."""

    message: str
    steps: Steps = ()
    deprecated: "Deprecated | None" = None
    at_key: bool = False  # the key itself is wrong, not its value


class InvalidField(ValueError):
    """Raised by a validator, with every problem of the value."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


def invalid(message: str) -> InvalidField:
    """The exception for a value with a single problem."""
    return InvalidField(Problem(message))


@dataclass(slots=True)
class ReadContext:
    """What validators need to know, and what they count.

    A validator does not know the path of its value, but a problem gets a path. So a first validation counts
    the deprecated uses, and if there are any, a second one (`lists_deprecated`) reports each as a problem.
    """

    today: date
    lists_deprecated: bool = False
    deprecated_uses: int = field(default=0)
    slips: int = field(default=0)

    def deprecated_use(self, use: "Deprecated", name: str) -> Problem | None:
        """Count a deprecated use, or return the problem if it is past its deadline."""
        if self.lists_deprecated:
            return Problem(use.message(self.today, name), deprecated=use)
        if self.has_expired(use):
            return Problem(use.error_message(name), deprecated=use)
        self.deprecated_uses += 1
        return None

    def has_expired(self, use: "Deprecated") -> bool:
        return not self.lists_deprecated and self.today > use.deadline


def context_of(context: Any) -> ReadContext:
    """The reader's context; for values made in code, one in which nothing has expired."""
    return context if isinstance(context, ReadContext) else ReadContext(date.min)
