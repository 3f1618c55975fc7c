"""Errors in the text of a condition, and errors while evaluating one."""

from mergecast.errors import MergecastError


class InvalidValue(MergecastError):
    """A value in a condition, or an option of the same kind, is malformed; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidGlob(InvalidValue):
    """The text is not a glob."""


class InvalidDuration(InvalidValue):
    """The text is not a duration."""


class InvalidCondition(MergecastError):
    """The text is not a condition; `start` and `end` delimit the part that is wrong."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.start = start
        self.end = end


class PatternTooSlow(MergecastError):
    """A regular expression was stopped because it ran too long."""


class EvaluationError(MergecastError):
    """A condition cannot be evaluated on this pull request; reports show the message next to it."""


class NotRecorded(MergecastError):
    """A condition needs a part of the pull request that was not recorded; the message names the part."""


_LONGEST = 80


def excerpt(text: str, most: int = _LONGEST) -> str:
    """The beginning of a text that may be arbitrarily long; `…` stands for what is left out."""
    return text if len(text) <= most else f"{text[:most]}…"
