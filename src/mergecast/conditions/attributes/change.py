"""Attributes about files, lines and commits."""

from dataclasses import replace

from mergecast.conditions.attribute import Attribute, CommitAttribute, Count, Kind, Use
from mergecast.conditions.attributes.rows import boolean, platform_count, texts
from mergecast.conditions.facts.snapshot_view import Reading, recorded
from mergecast.model.snapshot import Part


def _co_authors(seen: Reading) -> tuple[str, ...]:
    """Everybody who wrote a commit that is no merge, bots left out."""
    authors = (
        f"{commit.author} <{commit.author_email}>"
        for commit in seen.commits
        if len(commit.parents) == 1 and not (commit.author_login or "").endswith("[bot]")
    )
    return tuple(dict.fromkeys(authors))


def _dependabot(key: str, help: str) -> Attribute:
    return texts(f"dependabot-{key}", help, lambda seen: seen.dependabot_values(key), Part.COMMITS)


CHANGE: tuple[Attribute, ...] = (
    texts(
        "files",
        "Paths of all changed files; a rename has two.",
        lambda seen: seen.paths,
        Part.FILES,
        count=platform_count(lambda seen: seen.pull.changed_files),
    ),
    texts(
        "added-files",
        "Paths that are new, also by a rename.",
        lambda seen: seen.added_paths,
        Part.FILES,
    ),
    texts("modified-files", "Paths changed in place.", lambda seen: seen.modified_paths, Part.FILES),
    texts(
        "removed-files",
        "Paths that are gone, also by a rename.",
        lambda seen: seen.removed_paths,
        Part.FILES,
    ),
    texts(
        "added-lines",
        "Lines added; write `#added-lines`.",
        lambda seen: (str(seen.pull.additions),),
        count=platform_count(lambda seen: seen.pull.additions),
    ),
    texts(
        "deleted-lines",
        "Lines deleted; write `#deleted-lines`.",
        lambda seen: (str(seen.pull.deletions),),
        count=platform_count(lambda seen: seen.pull.deletions),
    ),
    texts(
        "modified-lines",
        "Lines added and deleted; write `#modified-lines`.",
        lambda seen: (str(seen.pull.additions + seen.pull.deletions),),
        count=platform_count(lambda seen: seen.pull.additions + seen.pull.deletions),
    ),
    boolean(
        "mergify-configuration-changed",
        "It changes the configuration document on the default branch.",
        lambda seen: seen.changes_configuration,
        Part.FILES,
    ),
    texts(
        "scope",
        "Scopes of the pull request.",
        lambda seen: recorded(seen.snapshot.scopes, Part.SCOPES),
        Part.SCOPES,
    ),
    texts(
        "commits",
        "Messages of the commits, oldest first; `commits[0].author` is a field of one, `[*]` of all.",
        lambda seen: seen.commit_messages,
        Part.COMMITS,
        count=platform_count(lambda seen: seen.pull.commits),
    ),
    texts(
        "commits-unverified",
        "Messages of the commits whose signature is not verified.",
        lambda seen: seen.unverified_messages,
        Part.COMMITS,
    ),
    boolean(
        "linear-history",
        "None of its commits is a merge.",
        lambda seen: all(len(commit.parents) == 1 for commit in seen.commits),
        Part.COMMITS,
    ),
    Attribute(
        "commits-behind",
        Kind.NUMBER,
        "How many commits the base branch is ahead; write `#commits-behind`.",
        lambda seen: seen.behind,
        frozenset({Part.BEHIND}),
        is_list=True,
        count=Count(lambda seen: seen.behind, is_required=True),
    ),
    texts(
        "updates",
        "Commits that were the head while the pull request was open.",
        lambda seen: tuple(change.sha for change in recorded(seen.snapshot.head_history, Part.HEAD_HISTORY)),
        Part.HEAD_HISTORY,
    ),
    replace(
        texts("co-authors", "Authors of the commits but merges and bots.", _co_authors, Part.COMMITS),
        use=Use.TEMPLATES,
    ),
    _dependabot("dependency-name", "Names of the dependencies that Dependabot updates."),
    _dependabot("dependency-type", "Their types, such as `direct:production`."),
    _dependabot("update-type", "Kinds of the updates, such as `version-update:semver-minor`."),
)

COMMIT_FIELDS: tuple[CommitAttribute, ...] = (
    CommitAttribute("author", Kind.TEXT, "Name of the author.", lambda commit: commit.author),
    CommitAttribute("committer", Kind.TEXT, "Name of the committer.", lambda commit: commit.committer),
    CommitAttribute("email_author", Kind.TEXT, "Address of the author.", lambda commit: commit.author_email),
    CommitAttribute(
        "email_committer", Kind.TEXT, "Address of the committer.", lambda commit: commit.committer_email
    ),
    CommitAttribute("commit_message", Kind.TEXT, "Message.", lambda commit: commit.message),
    CommitAttribute(
        "commit_verification_verified",
        Kind.BOOLEAN,
        "The signature is verified.",
        lambda commit: commit.is_verified,
    ),
    CommitAttribute("date_author", Kind.TIME, "When it was written.", lambda commit: commit.authored_at),
    CommitAttribute(
        "date_committer", Kind.TIME, "When it was committed.", lambda commit: commit.committed_at
    ),
)
