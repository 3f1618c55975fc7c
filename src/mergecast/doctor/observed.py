"""What was observed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mergecast.queues.store.inspection import Inspection


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why something could not be observed."""

    reason: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder and its file system. If it does not exist, the file system is that of its nearest parent."""

    path: Path
    user: str
    owner: str | None  # None: it does not exist, or is hidden
    is_folder: bool
    may_use: bool  # read, write and search it; if it does not exist, create it
    file_system: str  # its type; empty if it is unknown
    free_bytes: int
    has_free_files: bool
    hidden_in: Path | None = None  # a parent that this user may not look into
    is_taken: bool = False  # by a server or a command
    server: tuple[str, str] | None = field(default=None, repr=False)  # the URL and the token of its server
    server_problem: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered, or why there is no answer."""

    status: int | None = None
    content: Any = None  # of JSON
    ahead_seconds: float | None = None  # how far its clock is ahead of this one
    location: str | None = None  # where it redirects to
    error: str | None = None
    body: bytes = field(default=b"", repr=False)

    def get(self, name: str) -> Any:
        """A member of an answer that is an object."""
        return self.content.get(name) if isinstance(self.content, dict) else None


@dataclass(frozen=True, slots=True)
class ServerAnswers:
    """What a Mergecast server says; without a token, it was only asked whether it is ready."""

    url: str
    ready: Answer
    description: Answer | None = None
    repositories: Answer | None = None
    sources: Mapping[str, Any] = field(default_factory=dict)  # by repository
    channels: Mapping[str, Any] = field(default_factory=dict)  # by repository or owner
    cannot_listen: str | None = None  # why a new server could not take this address


@dataclass(frozen=True, slots=True)
class PlatformAnswers:
    source: str
    url: str
    credential: str | None  # the name of the setting that it comes from
    probe: Answer
    # The status for each thing that an import reads, by repository.
    rights: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProviderAnswers:
    """What the OpenID Connect provider says about itself, and whether its documents can be used."""

    issuer: str
    discovery_url: str
    discovery: Answer
    problem: str | None = None  # with the document
    keys_url: str | None = None
    keys: Answer | None = None
    problem_of_keys: str | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """Everything; None stands for what does not matter."""

    folder: Folder | Unknown | None = None
    store: Inspection | Unknown | None = None
    server: ServerAnswers | Unknown | None = None
    at_own_address: ServerAnswers | Unknown | None = None  # asked if no server owns the folder
    public: Answer | Unknown | None = None
    platforms: tuple[PlatformAnswers | Unknown, ...] = ()  # in the order of the accounts
    provider: ProviderAnswers | Unknown | None = None
    jumped_seconds: float = 0.0  # by how much the clock was set meanwhile
