"""The types of values that conditions compare attributes with."""

import re
from dataclasses import dataclass
from enum import Enum

from mergecast.language.conditions.globs import Glob
from mergecast.language.conditions.times.intervals import Interval
from mergecast.language.conditions.times.schedules import Schedule
from mergecast.language.conditions.times.timestamps import Instant, RelativeTime


class Placeholder(Enum):
    """A value that depends on the pull request."""

    AUTHOR = "{{ author }}"


class Permission(Enum):
    """A permission in the repository, weakest first."""

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        return list(Permission).index(self)


@dataclass(frozen=True, slots=True)
class Team:
    """A team; without an owner, a team of the organization that owns the repository."""

    owner: str | None
    slug: str

    def __str__(self) -> str:
        return f"@{self.owner}/{self.slug}" if self.owner else f"@{self.slug}"


@dataclass(frozen=True, slots=True)
class CheckName:
    """The name of a check; with an app, only the check that this app reported."""

    app: str | None
    name: str

    def __str__(self) -> str:
        return f"@{self.app}/{self.name}" if self.app else self.name


Value = (
    bool
    | int
    | str
    | re.Pattern[str]
    | Glob
    | Placeholder
    | Permission
    | Team
    | CheckName
    | Instant
    | RelativeTime
    | Interval
    | Schedule
)
