"""A source that somebody wants to add."""

from dataclasses import dataclass, field

from mergecast.queues.model.repository import Repository


@dataclass(frozen=True, slots=True)
class WantedSource:
    source: str
    repository: str  # its name on the platform
    here: Repository
    url: str
    token: str | None = field(default=None, repr=False)
    app_id: str | None = None  # of a GitHub App that is used in place of a token
