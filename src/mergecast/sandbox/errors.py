"""How a task can end without an answer."""

from enum import Enum, auto

from mergecast.errors import Conflict, FieldError, MergecastError


class Limit(Enum):
    """A limit that a task can exceed."""

    TIME = auto()
    MEMORY = auto()
    CRASH = auto()  # the child ended without an answer


class LimitReached(MergecastError):
    """A task exceeded a limit; the message is for whoever asked."""

    def __init__(self, limit: Limit, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class TooMuchToRead(Conflict):
    """A question is too long for a child."""

    def __init__(self, message: str) -> None:
        super().__init__([FieldError("path", "repository", message)])


class ChildEnded(Exception):
    """The child process ended."""


class ChildError(Exception):
    """An internal error in the child; the message is its traceback."""
