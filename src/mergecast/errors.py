"""Expected errors, and what each kind means to the caller."""

from collections.abc import Callable
from dataclasses import dataclass, field

MOST_ERRORS = 100


class MergecastError(Exception):
    """An expected error; the message is for the user."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One error in the input: where it is and what would be right."""

    place: str  # path, query, header or body
    name: str  # the parameter, or a JSON pointer into the body
    message: str
    # Follows the message. To find out what was meant takes long, so it is done for errors that are listed.
    hint: Callable[[], str] = field(default=str, compare=False, repr=False)

    def with_hint(self) -> "FieldError":
        return FieldError(self.place, self.name, self.message + self.hint())


class RejectedInput(MergecastError):
    """One or more errors in the input; at most `MOST_ERRORS` are listed."""

    def __init__(self, errors: list[FieldError], more: int = 0) -> None:
        self.errors = [error.with_hint() for error in errors[:MOST_ERRORS]]
        super().__init__("; ".join(f"{error.name}: {error.message}" for error in self.errors))
        self.more = max(0, len(errors) - MOST_ERRORS) + more


class InvalidInput(RejectedInput):
    """The input is invalid."""


class NotFound(MergecastError):
    """The requested thing is not stored here."""


class RefusedCredential(MergecastError):
    """A server or a platform does not accept the credential: it is wrong, or does not have the right."""


class Conflict(RejectedInput):
    """The request conflicts with the current state."""


class SeveralDocuments(Conflict):
    """A repository has several configuration documents, of which only the first is read."""


class Unavailable(MergecastError):
    """The store or another dependency cannot do this now; the same request may succeed later."""

    def __init__(self, message: str, retry_seconds: int = 5) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class Stopping(Unavailable):
    """The server stops, and so does the work that it does by itself."""
