"""Attributes of the pull request itself."""

from mergecast.conditions.attribute import Attribute, Kind
from mergecast.conditions.attributes.rows import boolean, number, text, texts, time
from mergecast.model.snapshot import Part

PULL: tuple[Attribute, ...] = (
    number("number", "Number of the pull request.", lambda seen: seen.pull.number),
    text("title", "Title.", lambda seen: seen.pull.title),
    text("body", "Description without HTML comments.", lambda seen: seen.body),
    text("body-raw", "Description as it was written.", lambda seen: seen.raw_body),
    text("author", "Login of the author.", lambda seen: seen.pull.author, kind=Kind.LOGIN),
    text("base", "Branch that the pull request is for.", lambda seen: seen.pull.base, kind=Kind.BRANCH),
    text("head", "Branch that holds the changes.", lambda seen: seen.pull.head, kind=Kind.BRANCH),
    text(
        "head-repo-full-name",
        "Repository that holds the changes, as `owner/name`; empty when it was deleted.",
        lambda seen: seen.pull.head_repository or "",
    ),
    boolean(
        "from-fork",
        "The changes come from another repository, even if that was deleted since.",
        lambda seen: seen.pull.from_fork,
    ),
    text(
        "repository-name",
        "Name of the repository that the pull request is for.",
        lambda seen: seen.pull.repository,
    ),
    text("repository-full-name", "The same as `owner/name`.", lambda seen: seen.pull.full_name),
    text("milestone", "Title of the milestone.", lambda seen: seen.pull.milestone, kind=Kind.WORD),
    texts("label", "Labels.", lambda seen: seen.pull.labels),
    texts("assignee", "Logins of the assignees.", lambda seen: seen.pull.assignees, kind=Kind.LOGIN),
    boolean("locked", "The conversation is locked.", lambda seen: seen.pull.locked),
    boolean("draft", "It is a draft.", lambda seen: seen.pull.draft),
    boolean("closed", "It is closed, merged or not.", lambda seen: seen.pull.closed),
    boolean("merged", "It is merged.", lambda seen: seen.pull.merged),
    text("merged-by", "Login of whoever merged it.", lambda seen: seen.pull.merged_by, kind=Kind.LOGIN),
    text(
        "merge-commit-sha",
        "The merge commit; while open, the platform's trial merge.",
        lambda seen: seen.pull.merge_commit_sha,
    ),
    boolean("conflict", "It conflicts with its base branch.", lambda seen: seen.pull.mergeable is False),
    time("created-at", "When it was created.", lambda seen: seen.pull.created_at),
    time("updated-at", "When it was last updated.", lambda seen: seen.pull.updated_at),
    time("closed-at", "When it was closed.", lambda seen: seen.pull.closed_at),
    time("merged-at", "When it was merged.", lambda seen: seen.pull.merged_at),
    texts(
        "depends-on",
        "Pull requests named by `Depends-On` that are merged, as `owner/name#12`.",
        lambda seen: seen.merged_dependencies,
        Part.DEPENDENCIES,
        kind=Kind.PULL_REQUEST,
    ),
)
