"""How a task can end without an answer."""

from enum import Enum

from mergecast.errors import Conflict, FieldError, MergecastError
from mergecast.sandbox.limits import DEADLINE_SECONDS, MEMORY_BYTES


class Limit(Enum):
    """The limit that a document exceeded; the value is the message for its author."""

    TIME = (
        f"reading this document takes more than {DEADLINE_SECONDS:g} seconds, the time limit; "
        "make it smaller, with fewer aliases and merge keys and simpler patterns and templates"
    )
    MEMORY = (
        f"reading this document takes more than {MEMORY_BYTES >> 20} MiB of memory, "
        "the limit for expanded documents; "
        "make it smaller, with fewer aliases, merge keys and repetitions"
    )
    CRASH = (
        "reading this document crashed the process that read it; "
        "it is nested too deeply or expands to too much"
    )


class LimitReached(MergecastError):
    """The document exceeded a limit."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.value)
        self.limit = limit


class TooMuchToRead(Conflict):
    """The records of a question are too long for a child; the length of documents is checked before."""

    def __init__(self, length: int, most: int) -> None:
        message = (
            f"the pull requests and the document take {length:,} bytes, "
            f"more than the {most:,} that can be simulated at once"
        )
        super().__init__([FieldError("path", "repository", message)])


class ChildEnded(Exception):
    """The child process ended."""


class ChildError(Exception):
    """An internal error in the child; the message is its traceback."""
