"""Rights, callers, and the requests that the guard decides on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from mergecast.queues.model.repository import Repository, is_name, is_owner


class Credential(NamedTuple):
    token: bytes
    # Every kind is compared by this digest alone. All kinds are long and random, or signed: a slow hash
    # would protect nothing, and would only help clients that want to keep the server busy.
    digest: bytes

    def __repr__(self) -> str:
        return "Credential(…)"


class Right(StrEnum):
    """What a route requires of its caller; every route names one."""

    # The default hash of enums is a Python method, which takes five times as long.
    __hash__ = str.__hash__

    PUBLIC = "public"  # nothing; only for the public paths, which bypass the guard
    LIST = "list"  # any valid credential; the answer lists what it may read
    READ = "read"  # read and simulate
    BADGE = "badge"  # as READ, or nothing for the repositories whose badges the operator publishes
    TOOLS = "tools"  # a credential of a valid form: the requests behind a tool decide what it may do
    INGEST = "ingest"  # send events and snapshots
    PRODUCTS = "products"  # set which products are enabled
    SETTINGS = "settings"  # set thresholds, reference periods, prices and notification rules
    CHANNELS = "channels"  # manage where notices go, of a repository or of an owner
    SOURCES = "sources"  # add sources to the server, pause and delete them
    OPERATE = "operate"  # operator only


# By the scope of an application key. Every key can read; the other scopes add to that.
RIGHTS_OF_SCOPE = {
    "read": frozenset({Right.LIST, Right.READ}),
    "ingest": frozenset({Right.INGEST}),
    "admin": frozenset({Right.PRODUCTS, Right.SETTINGS, Right.CHANNELS}),
    "sources": frozenset({Right.SOURCES}),  # only together with all owners
}
ANY_OWNER = "*"
_NONE: frozenset[Right] = frozenset()


class CredentialKind(StrEnum):
    """The four kinds of credentials, people who sign in with OIDC, and the lack of a credential."""

    ADMIN = "admin token"
    APPLICATION = "application key"
    SERVICE = "service token"
    PLATFORM = "platform token"
    OIDC = "OIDC user"
    NONE = "visitor"  # has no credential


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of a valid credential, with these rights on these repositories."""

    kind: CredentialKind
    name: str  # the id of a key or the subject of a token, for the log; never a secret
    identity: bytes | str  # requests with the same identity share their limits
    rights: frozenset[Right]
    owner: str | None = None  # in lower case; the caller reaches all repositories of this owner
    repositories: frozenset[Repository] = frozenset()  # or these only
    # Or those of several owners, with different rights; then `rights` has all of them together.
    by_owner: Mapping[str, frozenset[Right]] = field(default_factory=dict)

    @property
    def is_operator(self) -> bool:
        return self.kind is CredentialKind.ADMIN

    def may(self, right: Right, repository: Repository | None, owner: str | None = None) -> bool:
        """`repository` is None if the path names none, or an invalid one; then it may name an owner."""
        if right not in self.rights:
            return False
        if right is Right.LIST:
            return True
        if right is Right.SOURCES:  # they belong to no owner
            return self.is_operator or right in self.by_owner.get(ANY_OWNER, _NONE)
        if self.by_owner:
            return self._may_of_owner(right, owner if repository is None else repository.owner.lower())
        is_own = owner is not None and owner == self.owner
        return is_own or self.reaches(repository)

    def _may_of_owner(self, right: Right, owner: str | None) -> bool:
        if owner is None:
            return False
        return right in self.by_owner.get(owner, _NONE) or right in self.by_owner.get(ANY_OWNER, _NONE)

    def reaches(self, repository: Repository | None) -> bool:
        if repository is not None and self._may_of_owner(Right.READ, repository.owner.lower()):
            return True
        if repository is not None and (
            repository in self.repositories or repository.owner.lower() == self.owner
        ):
            return True
        return self.is_operator

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind


class AccessRequest(NamedTuple):
    """What the guard reads of a request: its head, and what its route needs."""

    authorizations: list[bytes]
    right: Right
    repository: Repository | None
    route: object  # its text is the method and the path, with the names of parameters
    address: str
    cookie: bytes | None = None  # the secret of a session; it counts only without an Authorization header
    owner: str | None = None  # in lower case, if the path names an owner and no repository
    is_foreign: bool = False  # it changes something, and does not come from a page of this server


class Admission(NamedTuple):
    """An admitted request: its caller and address."""

    caller: Caller
    address: str
    credential: Credential | None = None  # None for a visitor
    request: AccessRequest | None = None  # None for a visitor


def visitor(limit_key: str) -> Caller:
    """Someone without a credential; visitors from one place share their limits."""
    return Caller(CredentialKind.NONE, "", f"visitor {limit_key}", frozenset())


OPERATOR = Caller(CredentialKind.ADMIN, "", "", frozenset(Right))


# The same few repositories are requested again and again.
@lru_cache(maxsize=4096)
def repository_named(owner: str | None, name: str | None) -> Repository | None:
    """None for an invalid name.

    The patterns are checked before names are compared without case: `K` (the Kelvin sign) is `k` in
    lower case.
    """
    if owner is None or name is None or not is_owner(owner) or not is_name(name):
        return None
    return Repository(owner, name)
