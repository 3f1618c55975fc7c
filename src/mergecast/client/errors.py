"""What can go wrong between a command and a server."""

from mergecast.errors import MergecastError


class Unreachable(MergecastError):
    """The server does not answer, or cannot answer now."""


class CredentialEnded(MergecastError):
    """The server accepted the credential at first, and does not any more."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"{url} no longer accepts the credential of this command: it was revoked, has expired or has "
            "lost its right; start the command again with another one"
        )


class UnknownAnswer(MergecastError):
    """The server's answer has another form than this command expects."""

    def __init__(self, difference: str) -> None:
        super().__init__(
            f"the server's answer has another form than this command expects ({difference}); "
            "use a command and a server of the same version"
        )


class ErrorResponse(MergecastError):
    """The server answered with a problem document."""

    def __init__(self, status: int, problem: dict[str, object]) -> None:
        super().__init__(str(problem.get("detail", f"the server answered with status {status}")))
        self.status, self.title = status, str(problem.get("title", "Error"))
        self.errors = _errors(problem.get("errors"))
        self.more = problem.get("more_errors", 0)


def _errors(errors: object) -> list[tuple[str, str]]:
    """The name and message of each error."""
    if not isinstance(errors, list):
        return []
    return [(str(one.get("name")), str(one.get("message"))) for one in errors if isinstance(one, dict)]
