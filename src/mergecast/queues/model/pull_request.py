"""One pull request and its parts, reduced to what rules can use. Instants are in microseconds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PullRequest:
    """The pull request itself."""

    number: int
    title: str
    body: str  # empty if there is none
    author: str | None  # a login; None if the account was deleted
    base: str
    head: str
    head_sha: str
    head_repository: str | None  # owner/name; None if it was deleted
    from_fork: bool
    owner: str  # of the repository of the base
    repository: str
    default_branch: str
    milestone: str | None
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    requested_reviewers: tuple[str, ...]
    requested_teams: tuple[str, ...]  # slugs
    locked: bool
    draft: bool
    closed: bool
    merged: bool
    merged_by: str | None
    merge_commit_sha: str | None
    mergeable: bool | None  # None until the platform has computed it
    changed_files: int
    additions: int
    deletions: int
    commits: int
    created_at: int
    updated_at: int
    closed_at: int | None
    merged_at: int | None

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.repository}"


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One entry of the list of changed files."""

    path: str
    status: str  # added, modified, changed, removed, renamed, copied or unchanged
    previous_path: str | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of the pull request."""

    sha: str
    message: str
    parents: tuple[str, ...]
    is_verified: bool
    author: str | None  # a name, as in git
    author_email: str | None
    authored_at: int | None
    committer: str | None
    committer_email: str | None
    committed_at: int | None
    author_login: str | None


@dataclass(frozen=True, slots=True)
class Review:
    """One submitted review."""

    author: str | None
    is_by_bot: bool
    state: str  # APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING
    submitted_at: int | None


@dataclass(frozen=True, slots=True)
class ReviewThread:
    """One conversation on the changes."""

    is_resolved: bool
    author: str | None


@dataclass(frozen=True, slots=True)
class CheckRun:
    """One attempt of a check on the head commit."""

    name: str
    app: str | None  # the slug of the app that published it
    conclusion: str | None  # None until it has completed
    completed_at: int | None


@dataclass(frozen=True, slots=True)
class CommitStatus:
    """One commit status of the head commit."""

    context: str
    state: str  # success, failure, error or pending
    updated_at: int | None


@dataclass(frozen=True, slots=True)
class Deployment:
    """One deployment of the head commit with its latest state."""

    environment: str
    state: str | None
    created_at: int | None


@dataclass(frozen=True, slots=True)
class HeadChange:
    """A former head commit, and the instant it became the head."""

    sha: str
    at: int


PERMISSIONS = ("admin", "maintain", "write", "triage", "read", "none")  # strongest first
