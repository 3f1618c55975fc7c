"""What can be wrong with a condition, or go wrong while it is evaluated."""

from mergecast.errors import MergecastError


class InvalidValue(MergecastError):
    """The value of a condition, or a setting of the same kind, is not well formed; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidGlob(InvalidValue):
    """The text is not a glob."""


class InvalidDuration(InvalidValue):
    """The text is not a duration."""


class InvalidCondition(MergecastError):
    """The text is not a condition; `start` and `end` bound the part of it that is at error."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.start = start
        self.end = end


class PatternTooSlow(MergecastError):
    """A regular expression was stopped because it ran too long."""


class EvaluationError(MergecastError):
    """A condition could not be evaluated on this pull request; the message is shown beside it."""


class NotRecorded(MergecastError):
    """A condition needs a part of the pull request that was not recorded; the message names it."""


_LONGEST = 80


def excerpt(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
