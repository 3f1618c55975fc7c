"""How judging can end without a verdict."""

from enum import Enum

from mergecast.errors import MergecastError


class Limit(Enum):
    """What a document ran into while it was read, as the author is told."""

    TIME = (
        "reading this document takes more than 4 seconds, the limit of time; "
        "make it smaller, with fewer aliases and merge keys and simpler patterns and templates"
    )
    MEMORY = (
        "reading this document takes more than 300 MiB of memory, the limit of expanded size; "
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


class ChildEnded(Exception):
    """The process at the other end is gone."""


class ChildFault(Exception):
    """A fault of ours happened in the child; its traceback is the message."""
