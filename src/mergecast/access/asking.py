"""A request as the guard sees it, and what became of it."""

from typing import NamedTuple

from mergecast.access.rights import Caller, Right
from mergecast.model.repository import Repository


class Asking(NamedTuple):
    authorizations: list[bytes]
    right: Right
    repository: Repository | None
    route: object  # its text is the method and the path, with the names of parameters
    address: str


class Admission(NamedTuple):
    """Who was let in, and from where."""

    caller: Caller
    address: str
