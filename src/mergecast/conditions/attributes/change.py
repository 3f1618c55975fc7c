"""Attributes about files, lines and commits."""

from dataclasses import replace

from mergecast.conditions.attribute import AllowedIn, Attribute, CommitAttribute, Count, ValueKind
from mergecast.conditions.attributes.rows import boolean, platform_count, texts
from mergecast.conditions.facts.snapshot_view import SnapshotView, recorded
from mergecast.model.snapshot import Part


def _co_authors(view: SnapshotView) -> tuple[str, ...]:
    """Everybody who wrote a commit that is no merge, bots left out."""
    authors = (
        f"{commit.author} <{commit.author_email}>"
        for commit in view.commits
        if len(commit.parents) == 1 and not (commit.author_login or "").endswith("[bot]")
    )
    return tuple(dict.fromkeys(authors))


def _dependabot(key: str, help: str) -> Attribute:
    return texts(f"dependabot-{key}", help, lambda view: view.dependabot_values(key), Part.COMMITS)


CHANGE: tuple[Attribute, ...] = (
    texts(
        "files",
        "Paths of all changed files; a rename has two.",
        lambda view: view.paths,
        Part.FILES,
        count=platform_count(lambda view: view.pull.changed_files),
    ),
    texts(
        "added-files",
        "Paths that are new, also by a rename.",
        lambda view: view.added_paths,
        Part.FILES,
    ),
    texts("modified-files", "Paths changed in place.", lambda view: view.modified_paths, Part.FILES),
    texts(
        "removed-files",
        "Paths that are gone, also by a rename.",
        lambda view: view.removed_paths,
        Part.FILES,
    ),
    texts(
        "added-lines",
        "Lines added; write `#added-lines`.",
        lambda view: (str(view.pull.additions),),
        count=platform_count(lambda view: view.pull.additions),
    ),
    texts(
        "deleted-lines",
        "Lines deleted; write `#deleted-lines`.",
        lambda view: (str(view.pull.deletions),),
        count=platform_count(lambda view: view.pull.deletions),
    ),
    texts(
        "modified-lines",
        "Lines added and deleted; write `#modified-lines`.",
        lambda view: (str(view.pull.additions + view.pull.deletions),),
        count=platform_count(lambda view: view.pull.additions + view.pull.deletions),
    ),
    boolean(
        "mergify-configuration-changed",
        "It changes the configuration document on the default branch.",
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
        "Messages of the commits, oldest first; `commits[0].author` is a field of one, `[*]` of all.",
        lambda view: view.commit_messages,
        Part.COMMITS,
        count=platform_count(lambda view: view.pull.commits),
    ),
    texts(
        "commits-unverified",
        "Messages of the commits whose signature is not verified.",
        lambda view: view.unverified_messages,
        Part.COMMITS,
    ),
    boolean(
        "linear-history",
        "None of its commits is a merge.",
        lambda view: all(len(commit.parents) == 1 for commit in view.commits),
        Part.COMMITS,
    ),
    Attribute(
        "commits-behind",
        ValueKind.NUMBER,
        "How many commits the base branch is ahead; write `#commits-behind`.",
        lambda view: view.behind,
        frozenset({Part.BEHIND}),
        is_list=True,
        count=Count(lambda view: view.behind, is_required=True),
    ),
    texts(
        "updates",
        "Commits that were the head while the pull request was open.",
        lambda view: tuple(change.sha for change in recorded(view.snapshot.head_history, Part.HEAD_HISTORY)),
        Part.HEAD_HISTORY,
    ),
    replace(
        texts("co-authors", "Authors of the commits but merges and bots.", _co_authors, Part.COMMITS),
        allowed_in=AllowedIn.TEMPLATES,
    ),
    _dependabot("dependency-name", "Names of the dependencies that Dependabot updates."),
    _dependabot("dependency-type", "Their types, such as `direct:production`."),
    _dependabot("update-type", "Kinds of the updates, such as `version-update:semver-minor`."),
)

COMMIT_FIELDS: tuple[CommitAttribute, ...] = (
    CommitAttribute("author", ValueKind.TEXT, "Name of the author.", lambda commit: commit.author),
    CommitAttribute("committer", ValueKind.TEXT, "Name of the committer.", lambda commit: commit.committer),
    CommitAttribute(
        "email_author", ValueKind.TEXT, "Address of the author.", lambda commit: commit.author_email
    ),
    CommitAttribute(
        "email_committer", ValueKind.TEXT, "Address of the committer.", lambda commit: commit.committer_email
    ),
    CommitAttribute("commit_message", ValueKind.TEXT, "Message.", lambda commit: commit.message),
    CommitAttribute(
        "commit_verification_verified",
        ValueKind.BOOLEAN,
        "The signature is verified.",
        lambda commit: commit.is_verified,
    ),
    CommitAttribute("date_author", ValueKind.TIME, "When it was written.", lambda commit: commit.authored_at),
    CommitAttribute(
        "date_committer", ValueKind.TIME, "When it was committed.", lambda commit: commit.committed_at
    ),
)
