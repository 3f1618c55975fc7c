"""Attributes about files, lines and commits."""

from dataclasses import replace

from mergecast.language.conditions.attribute import AllowedIn, Attribute, CommitAttribute, Count, ValueKind
from mergecast.language.conditions.attributes.rows import boolean, platform_count, texts
from mergecast.language.conditions.facts.snapshot_view import SnapshotView, recorded
from mergecast.queues.model.snapshot import Part


def _co_authors(view: SnapshotView) -> tuple[str, ...]:
    authors = (f"{commit.author} <{commit.author_email}>" for commit in view.authored_commits)
    return tuple(dict.fromkeys(authors))


def _dependabot(key: str, help: str) -> Attribute:
    return texts(f"dependabot-{key}", help, lambda view: view.dependabot_values(key), Part.COMMITS)


CHANGE: tuple[Attribute, ...] = (
    texts(
        "files",
        "Paths of all changed files; a renamed file counts under both paths.",
        lambda view: view.paths,
        Part.FILES,
        count=platform_count(lambda view: view.pull.changed_files),
    ),
    texts(
        "added-files",
        "Paths of added files, and the new paths of renamed files.",
        lambda view: view.added_paths,
        Part.FILES,
    ),
    texts(
        "modified-files",
        "Paths of files changed without being renamed.",
        lambda view: view.modified_paths,
        Part.FILES,
    ),
    texts(
        "removed-files",
        "Paths of removed files, and the old paths of renamed files.",
        lambda view: view.removed_paths,
        Part.FILES,
    ),
    texts(
        "added-lines",
        "Number of added lines; write `#added-lines`.",
        lambda view: (str(view.pull.additions),),
        count=platform_count(lambda view: view.pull.additions),
    ),
    texts(
        "deleted-lines",
        "Number of deleted lines; write `#deleted-lines`.",
        lambda view: (str(view.pull.deletions),),
        count=platform_count(lambda view: view.pull.deletions),
    ),
    texts(
        "modified-lines",
        "Number of added and deleted lines; write `#modified-lines`.",
        lambda view: (str(view.pull.additions + view.pull.deletions),),
        count=platform_count(lambda view: view.pull.additions + view.pull.deletions),
    ),
    boolean(
        "mergify-configuration-changed",
        "The pull request changes the configuration document on the default branch.",
        lambda view: view.changes_configuration,
        Part.FILES,
    ),
    texts(
        "scope",
        "Scopes of the pull request.",
        lambda view: recorded(view.snapshot.scopes, Part.SCOPES),
        Part.SCOPES,
    ),
    texts(
        "commits",
        "Commit messages, oldest first; `commits[0].author` reads a field of one commit, `[*]` of any.",
        lambda view: view.commit_messages,
        Part.COMMITS,
        count=platform_count(lambda view: view.pull.commits),
    ),
    texts(
        "commits-unverified",
        "Messages of commits whose signature is not verified.",
        lambda view: view.unverified_messages,
        Part.COMMITS,
    ),
    boolean(
        "linear-history",
        "No commit of the pull request is a merge commit.",
        lambda view: all(len(commit.parents) == 1 for commit in view.commits),
        Part.COMMITS,
    ),
    Attribute(
        "commits-behind",
        ValueKind.NUMBER,
        "Number of commits on the base branch that the pull request lacks; write `#commits-behind`.",
        lambda view: view.behind,
        frozenset({Part.BEHIND}),
        is_list=True,
        count=Count(lambda view: view.behind, is_required=True),
    ),
    texts(
        "updates",
        "Head commits that the pull request has had while open.",
        lambda view: tuple(change.sha for change in recorded(view.snapshot.head_history, Part.HEAD_HISTORY)),
        Part.HEAD_HISTORY,
    ),
    replace(
        texts(
            "co-authors", "Authors of the commits, without merge commits and bots.", _co_authors, Part.COMMITS
        ),
        allowed_in=AllowedIn.TEMPLATES,
    ),
    _dependabot("dependency-name", "Names of the dependencies that Dependabot updates."),
    _dependabot("dependency-type", "Types of the updated dependencies, such as `direct:production`."),
    _dependabot("update-type", "Types of the updates, such as `version-update:semver-minor`."),
)

COMMIT_FIELDS: tuple[CommitAttribute, ...] = (
    CommitAttribute("author", ValueKind.TEXT, "Name of the commit's author.", lambda commit: commit.author),
    CommitAttribute("committer", ValueKind.TEXT, "Name of the committer.", lambda commit: commit.committer),
    CommitAttribute(
        "email_author", ValueKind.TEXT, "Email address of the author.", lambda commit: commit.author_email
    ),
    CommitAttribute(
        "email_committer",
        ValueKind.TEXT,
        "Email address of the committer.",
        lambda commit: commit.committer_email,
    ),
    CommitAttribute("commit_message", ValueKind.TEXT, "Commit message.", lambda commit: commit.message),
    CommitAttribute(
        "commit_verification_verified",
        ValueKind.BOOLEAN,
        "The signature of the commit is verified.",
        lambda commit: commit.is_verified,
    ),
    CommitAttribute(
        "date_author", ValueKind.TIME, "When the commit was authored.", lambda commit: commit.authored_at
    ),
    CommitAttribute(
        "date_committer", ValueKind.TIME, "When the commit was committed.", lambda commit: commit.committed_at
    ),
)
