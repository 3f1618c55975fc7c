"""The types of the attribute table: a row, the kind of its values, and where it may be used."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from mergecast.language.conditions import operators
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.operators import Operator
from mergecast.queues.model.snapshot import Commit, Part, Snapshot

Scalar = str | int | bool | None
Observed = Scalar | tuple[Scalar, ...]


class ValueKind(Enum):
    """The kind of value that an attribute has: its name in messages and the operators it allows."""

    BOOLEAN = "boolean", operators.BOOLEAN
    NUMBER = "number", operators.NUMBER
    TEXT = "text", operators.TEXT
    WORD = "word", operators.WORD
    BRANCH = "branch", operators.TEXT
    LOGIN = "login or team", operators.TEXT
    CHECK = "check name", operators.TEXT
    PULL_REQUEST = "pull request", operators.TEXT
    ENUMERATION = "one of a list", operators.ENUMERATION
    PERMISSION = "permission", operators.NUMBER
    TIME = "time", operators.ORDER
    PRESENT = "present time", operators.NUMBER
    SCHEDULE = "schedule", operators.EQUALITY

    def __init__(self, title: str, allowed: tuple[Operator, ...]) -> None:
        self.title = title
        self.operators = allowed


# Conditions on these kinds can change as time passes, without any event.
CLOCK_KINDS = frozenset({ValueKind.TIME, ValueKind.PRESENT, ValueKind.SCHEDULE})


class AllowedIn(Enum):
    """Where an attribute may be used."""

    ANYWHERE = "every condition"
    COMMANDS = "conditions of commands_restrictions"
    INJECTED = "conditions that the service adds"
    TEMPLATES = "templates"


class Sample(Enum):
    """The type of the placeholder value that is used when a template is validated."""

    LIST = "list"
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Count:
    """How `#` counts an attribute: by the platform's own count if it has one, else by length."""

    read: Callable[[SnapshotView], int] | None = None
    needs: frozenset[Part] | None = None  # None: the same as for the attribute itself
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """One row of the table; rows are compared by name."""

    name: str
    kind: ValueKind = field(compare=False)
    help: str = field(compare=False)
    read: Callable[[SnapshotView], Observed] = field(compare=False, repr=False)
    needs: frozenset[Part] = field(compare=False, default=frozenset())
    is_list: bool = field(compare=False, default=False)
    count: Count | None = field(compare=False, default=None)
    is_negatable: bool = field(compare=False, default=True)
    allowed_in: AllowedIn = field(compare=False, default=AllowedIn.ANYWHERE)
    members: tuple[str, ...] = field(compare=False, default=())
    is_folded: bool = field(compare=False, default=False)  # `checks-failed` means CHECKS_FAILED
    has_teams: bool = field(compare=False, default=True)  # a team as value means its members
    check_states: frozenset[str] = field(compare=False, default=frozenset())
    caveat: Callable[[Snapshot], str | None] | None = field(compare=False, default=None, repr=False)

    @property
    def operators(self) -> tuple[Operator, ...]:
        return () if self.allowed_in is AllowedIn.TEMPLATES else self.kind.operators

    @property
    def template_name(self) -> str:
        return self.name.replace("-", "_")

    @property
    def sample(self) -> Sample:
        return Sample.LIST if self.is_list else _SAMPLES.get(self.kind, Sample.TEXT)


_SAMPLES = {
    ValueKind.BOOLEAN: Sample.BOOLEAN,
    ValueKind.NUMBER: Sample.NUMBER,
    ValueKind.TIME: Sample.TIME,
    ValueKind.PRESENT: Sample.TIME,
    ValueKind.SCHEDULE: Sample.TIME,
}


@dataclass(frozen=True, slots=True)
class CommitAttribute:
    """One field of a commit, such as the `author` of `commits[*].author`."""

    name: str
    kind: ValueKind = field(compare=False)
    help: str = field(compare=False)
    read: Callable[[Commit], Scalar] = field(compare=False, repr=False)

    @property
    def operators(self) -> tuple[Operator, ...]:
        return self.kind.operators

    @property
    def is_negatable(self) -> bool:
        return self.kind is not ValueKind.TIME


class Section(Enum):
    """The kind of list that holds a condition; some attributes are allowed in one kind only."""

    RULES = "rules"  # every condition list except those of command restrictions
    COMMANDS = "commands_restrictions"
    INJECTED = "injected"  # conditions that the service adds
