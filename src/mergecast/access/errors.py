"""How the guard refuses a request."""

from mergecast.errors import MergecastError


class Forbidden(MergecastError):
    """The credential is missing, invalid or not allowed; the response never says which."""

    def __init__(self) -> None:
        super().__init__("credential missing, invalid or not allowed: send Authorization: Bearer <token>")


class Unauthorized(Forbidden):
    """The same for clients of a protocol that asks for a credential only after the status 401."""


class TooManyRequests(MergecastError):
    """A limit is exhausted for now."""

    def __init__(self, message: str, retry_seconds: int) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class WeakToken(MergecastError):
    """The admin token is too short to be safe."""


class Refusal(Exception):
    """Why a credential was refused and whose it seems to be: for the log, never for the response."""

    def __init__(self, reason: str, who: str) -> None:
        super().__init__(reason)
        self.reason, self.who = reason, who
