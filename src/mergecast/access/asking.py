"""A request as the guard sees it, and what became of it."""

from dataclasses import dataclass

from mergecast.access.rights import Caller, Right
from mergecast.model.repository import Repository


@dataclass(frozen=True, slots=True)
class Asking:
    authorizations: list[bytes]
    right: Right
    repository: Repository | None
    route: object  # its text is the method and the path, with the names of parameters
    address: str


@dataclass(frozen=True, slots=True)
class Admission:
    """Who was let in, and from where."""

    caller: Caller
    address: str
