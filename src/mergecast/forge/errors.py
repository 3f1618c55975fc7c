"""What is in the way of reading a pull request."""

from mergecast.errors import Conflict, FieldError, MergecastError
from mergecast.model.repository import Repository


class NotGiven(MergecastError):
    """The platform does not tell this: there is no such thing, or it is not for this token."""

    def __init__(self, message: str, *, is_missing: bool = False) -> None:
        super().__init__(message)
        self.is_missing = is_missing  # there is no such thing, or so the platform says


class HeadMoved(Conflict):
    """What was read before and after belongs to two states of the pull request."""

    def __init__(self, number: int) -> None:
        message = f"pull request {number} changed while it was being read; try again"
        super().__init__([FieldError("path", "number", message)])


class Moved(Conflict):
    """The repository has another name now."""

    def __init__(self, repository: Repository, name: str) -> None:
        message = f"the repository {repository} is called {name} now; ask for it by that name"
        super().__init__([FieldError("path", "repository", message)])
        self.name = name
