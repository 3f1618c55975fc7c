"""A key that the operator gives to an application: whose repositories, and what it may do there."""

from dataclasses import dataclass, field

SCOPES = ("read", "ingest", "admin")


@dataclass(frozen=True, slots=True)
class ApplicationKey:
    id: str
    digest: bytes = field(repr=False)  # of the whole key; the key itself is kept nowhere
    name: str
    owner: str
    scopes: tuple[str, ...]  # of SCOPES, in their order
    created_at: int
    expires_at: int | None = None
    last_used_at: int | None = None
