"""Everything that rules can see of a pull request and its parts at one instant, as an immutable value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


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


NEVER_QUEUED = "NONE"
NOT_IN_A_QUEUE = -1


@dataclass(frozen=True, slots=True)
class ReviewRequirement:
    """Required reviews."""

    approvals: int = 0
    from_code_owners: bool = False
    of_last_push: bool = False


@dataclass(frozen=True, slots=True)
class BranchProtection:
    """The classic protection of a branch; without arguments, a branch that has none."""

    required_checks: tuple[str, ...] = ()
    is_strict: bool = False  # branches must be up to date before they are merged
    reviews: ReviewRequirement | None = None
    needs_resolved_threads: bool = False


@dataclass(frozen=True, slots=True)
class RequiredReviewer:
    """A reviewer that a ruleset requires, for files that match the patterns, or for all if there are none."""

    reviewer: str
    approvals: int
    file_patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BranchRule:
    """One rule of an active ruleset; fields that its type does not have are empty."""

    type: str
    required_checks: tuple[str, ...] = ()
    is_strict: bool = False
    reviews: ReviewRequirement | None = None
    needs_resolved_threads: bool = False
    required_reviewers: tuple[RequiredReviewer, ...] = ()


class Part(Enum):
    """A part of a snapshot that may be absent: its key in the record, and what reports say if it is."""

    FILES = "files", "no files were recorded"
    COMMITS = "commits", "no commits were recorded"
    REVIEWS = "reviews", "no reviews were recorded"
    REVIEW_THREADS = "review_threads", "no review threads were recorded"
    CHECK_RUNS = "check_runs", "no check runs were recorded"
    STATUSES = "statuses", "no commit statuses were recorded"
    BRANCH_PROTECTION = "branch_protection", "no branch protection was recorded"
    TEAMS = "teams", "no teams were recorded"
    PERMISSIONS = "permissions", "no permissions were recorded"
    DEPENDENCIES = "dependencies", "no dependencies were recorded"
    BEHIND = "behind", "the distance to the base branch was not recorded"
    DEPLOYMENTS = "deployments", "no deployments were recorded"
    REVIEW_DECISION = "review_decision", "no review decision was recorded"
    RULES = "rules", "no rulesets were recorded"
    HEAD_HISTORY = "head_history", "no head history was recorded"
    SCOPES = "scopes", "no scopes were recorded"
    DEQUEUE_REASON = "dequeue_reason", "no dequeue reason was recorded"
    EXTENDS = "extends", "no documents of other repositories were recorded"
    QUEUE = "queue", "no place in a queue was recorded"
    SENDER = "sender", "no sender of a command is known"

    def __init__(self, key: str, absent: str) -> None:
        self.key = key
        self.absent = absent


# The keys of a record. The sender of a command is not recorded.
RECORD_KEYS = ("pull", *(part.key for part in Part if part is not Part.SENDER), "recorded_at")


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """The platform's own decision; None if it requires no review."""

    state: str | None


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """The place in a queue; without arguments, in no queue."""

    name: str | None = None
    position: int = NOT_IN_A_QUEUE
    queued_at: int | None = None
    priority: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every part except `pull` is None if it was not recorded, so absence is never mistaken for a value.

    A meaningful null is a value: no protection is `BranchProtection()`, no queue is `QueuePlace()`, no
    decision is `ReviewDecision(None)`, and never dequeued is `NEVER_QUEUED`.
    """

    pull: PullRequest
    recorded_at: int
    files: tuple[ChangedFile, ...] | None = None
    commits: tuple[Commit, ...] | None = None
    reviews: tuple[Review, ...] | None = None
    review_threads: tuple[ReviewThread, ...] | None = None
    check_runs: tuple[CheckRun, ...] | None = None
    statuses: tuple[CommitStatus, ...] | None = None
    branch_protection: BranchProtection | None = None
    teams: Mapping[str, tuple[str, ...]] | None = field(default=None, hash=False)
    permissions: Mapping[str, str] | None = field(default=None, hash=False)
    dependencies: Mapping[str, str] | None = field(default=None, hash=False)
    behind: int | None = None
    deployments: tuple[Deployment, ...] | None = None
    review_decision: ReviewDecision | None = None
    rules: tuple[BranchRule, ...] | None = None
    head_history: tuple[HeadChange, ...] | None = None
    scopes: tuple[str, ...] | None = None
    dequeue_reason: str | None = None
    extends: Mapping[str, str] | None = field(default=None, hash=False)
    queue: QueuePlace | None = None
    sender: str | None = None  # who runs a command; not recorded, but set to evaluate a command restriction


@dataclass(frozen=True, slots=True)
class Needs:
    """The parts to fetch for a simulation, and the teams as `org/team`; None for teams means all."""

    parts: frozenset[str]
    teams: frozenset[str] | None = frozenset()

    def __or__(self, other: "Needs") -> "Needs":
        """Everything that at least one of the two needs."""
        teams = None if self.teams is None or other.teams is None else self.teams | other.teams
        return Needs(self.parts | other.parts, teams)


# What reviews depend on; only reviews by people with write access count.
REVIEW_PARTS = frozenset({Part.REVIEWS, Part.PERMISSIONS})
# A protected base may require nearly everything, and the description may contain a template.
MERGE_PARTS = frozenset(Part) - {Part.DEPLOYMENTS, Part.TEAMS, Part.EXTENDS, Part.SENDER}
EVERYTHING = Needs(frozenset(part.key for part in Part), teams=None)
