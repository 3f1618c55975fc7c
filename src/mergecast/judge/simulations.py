"""What is asked about a document and pull requests, and what is answered: the values both processes know."""

from typing import Literal

import msgspec

from mergecast.judge.documents import Verdict

NEEDS = "needs"
SNAPSHOT = "snapshot"
PULL_REQUEST = "pull_request"
REPOSITORY = "repository"

Form = Literal["markdown", "text"]


class Setting(msgspec.Struct, frozen=True):
    """A candidate with all that a simulation depends on besides pull requests; texts come in JSON."""

    text: msgspec.Raw
    now: int
    owner: str
    repository: str
    products: tuple[str, ...] | None = None
    remotes: dict[str, str] = {}  # documents of other repositories by `owner/name`
    is_live: bool = False  # the facts come from the platform, not from a record
    form: Form = "markdown"


class NeedsQuestion(msgspec.Struct, frozen=True):
    """What would a simulation of this document have to know?"""

    setting: Setting


class SnapshotQuestion(msgspec.Struct, frozen=True):
    """Is this a recorded pull request?"""

    number: int
    now: int
    record: msgspec.Raw


class PullRequestQuestion(msgspec.Struct, frozen=True):
    """What would the document do to this pull request?"""

    setting: Setting
    number: int
    record: msgspec.Raw


class Record(msgspec.Struct, frozen=True):
    """One recorded pull request among several."""

    number: int
    record: msgspec.Raw


class RepositoryQuestion(msgspec.Struct, frozen=True):
    """What would the document do to these open pull requests, and what differently than the one in force?"""

    setting: Setting
    records: tuple[Record, ...]
    not_looked_at: int = 0
    in_force: str | None = None  # None: there is none, or it cannot be read
    remarks: tuple[str, ...] = ()  # what is to be noted of how the facts were found


class NeedsFound(Verdict, frozen=True, kw_only=True):
    parts: frozenset[str] = frozenset()
    teams: frozenset[str] | None = frozenset()  # None: all that the repository has
    extends: str | None = None


class RecordError(msgspec.Struct, frozen=True):
    """One thing wrong in a record: a JSON pointer, and what would be right."""

    pointer: str
    message: str


class SnapshotRead(msgspec.Struct, frozen=True):
    """What is to be known of a record that is kept; it is good when no error was found."""

    errors: tuple[RecordError, ...] = ()
    more_errors: int = 0
    is_open: bool = False
    has_instant: bool = False  # it says itself when it was recorded


class Simulated(Verdict, frozen=True, kw_only=True):
    """The summary is in the form asked for. Only a record that nobody checked before can have errors."""

    title: str = ""
    summary: str = ""
    deprecations: msgspec.Raw = msgspec.Raw(b"[]")
    record_errors: tuple[RecordError, ...] = ()
    more_record_errors: int = 0
