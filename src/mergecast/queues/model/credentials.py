"""What the store keeps about credentials: application keys, and the sessions of browsers."""

from dataclasses import dataclass, field

SCOPES = ("read", "ingest", "admin", "sources")


@dataclass(frozen=True, slots=True)
class ApplicationKey:
    id: str
    digest: bytes = field(repr=False)  # of the whole key; the key itself is kept nowhere
    name: str
    owner: str  # * for the repositories of all owners
    scopes: tuple[str, ...]  # of SCOPES, in their order
    created_at: int
    expires_at: int | None = None
    last_used_at: int | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """Stands for a credential; anyone who holds its secret, a cookie or a code, acts with that credential."""

    digest: bytes = field(repr=False)  # of the secret, which is kept nowhere
    is_code: bool
    kind: str  # of the credential
    name: str  # of the credential's holder, for people
    credential: bytes = field(repr=False)  # the digest of the credential
    key_id: str | None  # of an application key
    sealed: str | None = field(
        repr=False
    )  # a token, or a statement about an OIDC user, encrypted with the secret
    created_at: int
    expires_at: int
