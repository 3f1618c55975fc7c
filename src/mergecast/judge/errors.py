"""How judging can end without a verdict."""

from enum import Enum

from mergecast.errors import Conflict, FieldError, MergecastError
from mergecast.judge.limits import DEADLINE_SECONDS, MEMORY_BYTES


class Limit(Enum):
    """What a document ran into while it was read, as the author is told."""

    TIME = (
        f"reading this document takes more than {DEADLINE_SECONDS:g} seconds, the limit of time; "
        "make it smaller, with fewer aliases and merge keys and simpler patterns and templates"
    )
    MEMORY = (
        f"reading this document takes more than {MEMORY_BYTES >> 20} MiB of memory, "
        "the limit of expanded size; "
        "make it smaller, with fewer aliases, merge keys and repetitions"
    )
    CRASH = (
        "reading this document ended the process that read it, so it is refused; "
        "it is nested too deeply or expands to too much"
    )


class LimitReached(MergecastError):
    """The document cannot be judged within a limit."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.value)
        self.limit = limit


class TooMuchToRead(Conflict):
    """A question is longer than a child takes: not by its document, which is bounded before."""

    def __init__(self, length: int, most: int) -> None:
        message = (
            f"all that is known of the pull requests takes {length:,} bytes with the document, "
            f"more than the {most:,} that can be simulated at once"
        )
        super().__init__([FieldError("path", "repository", message)])


class ChildEnded(Exception):
    """The process at the other end is gone."""


class ChildError(Exception):
    """An error of ours happened in the child; its traceback is the message."""
