"""What the guard answers instead of letting a request through."""

from mergecast.errors import MergecastError


class Forbidden(MergecastError):
    """No credential that may do this; the caller is never told why."""

    def __init__(self) -> None:
        super().__init__("credential missing, invalid or not allowed: send Authorization: Bearer <token>")


class TooManyRequests(MergecastError):
    """A limit is used up for the moment."""

    def __init__(self, message: str, retry_seconds: int) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class WeakToken(MergecastError):
    """The token is so short that it could be guessed."""


class Refusal(Exception):
    """Why a credential was refused, and whose it seems to be: for the log, never for the caller."""

    def __init__(self, reason: str, who: str) -> None:
        super().__init__(reason)
        self.reason, self.who = reason, who
