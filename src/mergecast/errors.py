"""What we raise on purpose, and what each kind means to the caller."""

from dataclasses import dataclass

MOST_ERRORS = 100


class MergecastError(Exception):
    """Something expected went wrong; the message is for the user."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with the input: where it is and what would be right."""

    place: str  # path, query, header or body
    name: str  # the parameter, or a JSON pointer into the body
    message: str


class RejectedInput(MergecastError):
    """Several things are wrong; they are reported together, the first of them at least."""

    def __init__(self, errors: list[FieldError], more: int = 0) -> None:
        super().__init__("; ".join(f"{error.name}: {error.message}" for error in errors[:MOST_ERRORS]))
        self.errors = errors[:MOST_ERRORS]
        self.more = max(0, len(errors) - MOST_ERRORS) + more


class InvalidInput(RejectedInput):
    """The input breaks a rule."""


class NotFound(MergecastError):
    """What was asked for is not known here."""


class Conflict(RejectedInput):
    """The state of the thing asked for is in the way."""


class Unavailable(MergecastError):
    """The store, or somebody else we depend on, cannot do this now; the same request may succeed later."""

    def __init__(self, message: str, retry_seconds: int = 5) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds
