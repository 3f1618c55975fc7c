"""A snapshot as attributes read it."""

from collections.abc import Mapping
from functools import cached_property
from typing import TypeVar

from mergecast.language.conditions.errors import EvaluationError, NotRecorded
from mergecast.language.conditions.facts import metadata
from mergecast.language.conditions.facts.checks import HeadCheck, HeadChecks, derive_checks
from mergecast.language.conditions.facts.metadata import depends_on
from mergecast.language.conditions.facts.reviews import MAY_REVIEW, Reviewers, derive_reviewers
from mergecast.language.conditions.values import Team
from mergecast.queues.model.repository import DOCUMENT_PATHS
from mergecast.queues.model.snapshot import ChangedFile, Commit, Part, QueuePlace, Snapshot

T = TypeVar("T")


class SnapshotView:
    """What conditions read from one snapshot; each derived value is computed once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.pull = snapshot.pull

    @cached_property
    def raw_body(self) -> str:
        return self.pull.body.replace("\r\n", "\n")

    @cached_property
    def body(self) -> str:
        return _without_html_comments(self.raw_body)

    @cached_property
    def files(self) -> tuple[ChangedFile, ...]:
        return recorded(self.snapshot.files, Part.FILES)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """A renamed file counts under both paths."""
        ends = (path for file in self.files for path in (file.path, file.previous_path) if path)
        return tuple(dict.fromkeys(ends))

    @cached_property
    def added_paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files if file.status in {"added", "copied", "renamed"})

    @cached_property
    def modified_paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files if file.status in {"modified", "changed"})

    @cached_property
    def removed_paths(self) -> tuple[str, ...]:
        removed = (file.previous_path if file.status == "renamed" else file.path for file in self._removals)
        return tuple(path for path in removed if path)

    @property
    def _removals(self) -> tuple[ChangedFile, ...]:
        return tuple(file for file in self.files if file.status in {"removed", "renamed"})

    @cached_property
    def changes_configuration(self) -> bool:
        """Only the document on the default branch is in effect."""
        changed = not set(DOCUMENT_PATHS).isdisjoint(self.paths)
        return changed and self.pull.base == self.pull.default_branch

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        return recorded(self.snapshot.commits, Part.COMMITS)

    @property
    def authored_commits(self) -> list[Commit]:
        """The commits without merges and without commits by bots."""
        return [
            commit
            for commit in self.commits
            if len(commit.parents) == 1 and not (commit.author_login or "").endswith("[bot]")
        ]

    @cached_property
    def commit_messages(self) -> tuple[str, ...]:
        return tuple(commit.message for commit in self.commits)

    @cached_property
    def unverified_messages(self) -> tuple[str, ...]:
        return tuple(commit.message for commit in self.commits if not commit.is_verified)

    @cached_property
    def reviewers(self) -> Reviewers:
        reviews = recorded(self.snapshot.reviews, Part.REVIEWS)
        return derive_reviewers(reviews, self.snapshot.permissions)

    @cached_property
    def requested_people(self) -> tuple[str, ...]:
        """Requested reviewers who may review; one whose permission is unknown is kept."""
        permissions = self.snapshot.permissions or {}
        return tuple(
            login for login in self.pull.requested_reviewers if permissions.get(login, "write") in MAY_REVIEW
        )

    @cached_property
    def requested(self) -> tuple[str, ...]:
        """A team can be named with or without its organization."""
        spellings = ((f"@{slug}", f"@{self.pull.owner}/{slug}") for slug in self.pull.requested_teams)
        return (*self.requested_people, *(name for both in spellings for name in both))

    def threads(self, *, resolved: bool) -> int:
        threads = recorded(self.snapshot.review_threads, Part.REVIEW_THREADS)
        return sum(thread.is_resolved is resolved for thread in threads)

    @cached_property
    def checks(self) -> HeadChecks:
        if self.snapshot.check_runs is None and self.snapshot.statuses is None:
            raise NotRecorded("no checks were recorded")
        return derive_checks(self.snapshot)

    def checks_in(self, states: frozenset[str], app: str | None = None) -> tuple[HeadCheck, ...]:
        return tuple(check for check in self.checks.of(app) if check.state in states)

    def environments(self, states: frozenset[str]) -> tuple[str, ...]:
        """Environments whose latest deployment is in one of these states."""
        deployments = recorded(self.snapshot.deployments, Part.DEPLOYMENTS)
        by_age = sorted(deployments, key=lambda deployment: deployment.created_at or 0)
        latest = {deployment.environment: deployment.state for deployment in by_age}
        return tuple(environment for environment, state in latest.items() if state in states)

    @cached_property
    def dependabot(self) -> metadata.Entries:
        return metadata.dependabot_metadata(self.commits, self.pull.author)

    def dependabot_values(self, key: str) -> tuple[str, ...]:
        return tuple(value for name, value in self.dependabot if name == key)

    @cached_property
    def merged_dependencies(self) -> tuple[str, ...]:
        """A pull request without `Depends-On` needs no record of dependencies."""
        references = depends_on(self.pull)
        if not references:
            return ()
        states = recorded(self.snapshot.dependencies, Part.DEPENDENCIES)
        merged = {reference.lower() for reference, state in states.items() if state == "merged"}
        return tuple(reference for reference in references if reference.lower() in merged)

    @property
    def behind(self) -> int:
        return 0 if self.pull.merged else recorded(self.snapshot.behind, Part.BEHIND)

    @property
    def queue(self) -> QueuePlace:
        return recorded(self.snapshot.queue, Part.QUEUE)

    @property
    def sender(self) -> str:
        return recorded(self.snapshot.sender, Part.SENDER)

    def permission(self, login: str) -> str:
        return recorded(self.snapshot.permissions, Part.PERMISSIONS).get(login, "none")

    @cached_property
    def _teams(self) -> Mapping[str, tuple[str, ...]]:
        teams = recorded(self.snapshot.teams, Part.TEAMS)
        return {name.lower(): members for name, members in teams.items()}

    def members(self, team: Team) -> tuple[str, ...]:
        """The logins of a team in the organization that owns the repository."""
        owner = self.pull.owner
        if team.owner is not None and team.owner.lower() != owner.lower():
            raise EvaluationError(f"Team `{team}` is not part of the organization `{owner}`")
        members = self._teams.get(f"{owner}/{team.slug}".lower())
        if members is None:
            raise EvaluationError(f"Team `{team}` does not exist")
        return members


def recorded(value: T | None, part: Part) -> T:
    """The value of a part; raises NotRecorded if the snapshot lacks the part."""
    if value is None:
        raise NotRecorded(part.absent)
    return value


def _without_html_comments(body: str) -> str:
    """Written by hand: a regular expression would scan to the end again for each comment left open."""
    kept = []
    place = 0
    while (start := body.find("<!--", place)) >= 0 and (end := body.find("-->", start + 4)) >= 0:
        kept.append(body[place:start])
        place = end + len("-->")
    return "".join(kept) + body[place:]
