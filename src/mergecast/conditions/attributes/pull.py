"""Attributes of the pull request itself."""

from mergecast.conditions.attribute import Attribute, ValueKind
from mergecast.conditions.attributes.rows import boolean, number, text, texts, time
from mergecast.model.snapshot import Part

PULL: tuple[Attribute, ...] = (
    number("number", "Number of the pull request.", lambda view: view.pull.number),
    text("title", "Title.", lambda view: view.pull.title),
    text("body", "Description without HTML comments.", lambda view: view.body),
    text("body-raw", "Description as it was written.", lambda view: view.raw_body),
    text("author", "Login of the author.", lambda view: view.pull.author, kind=ValueKind.LOGIN),
    text("base", "Branch that the pull request is for.", lambda view: view.pull.base, kind=ValueKind.BRANCH),
    text("head", "Branch that holds the changes.", lambda view: view.pull.head, kind=ValueKind.BRANCH),
    text(
        "head-repo-full-name",
        "Repository that holds the changes, as `owner/name`; empty when it was deleted.",
        lambda view: view.pull.head_repository or "",
    ),
    boolean(
        "from-fork",
        "The changes come from another repository, even if that was deleted since.",
        lambda view: view.pull.from_fork,
    ),
    text(
        "repository-name",
        "Name of the repository that the pull request is for.",
        lambda view: view.pull.repository,
    ),
    text("repository-full-name", "The same as `owner/name`.", lambda view: view.pull.full_name),
    text("milestone", "Title of the milestone.", lambda view: view.pull.milestone, kind=ValueKind.WORD),
    texts("label", "Labels.", lambda view: view.pull.labels),
    texts("assignee", "Logins of the assignees.", lambda view: view.pull.assignees, kind=ValueKind.LOGIN),
    boolean("locked", "The conversation is locked.", lambda view: view.pull.locked),
    boolean("draft", "It is a draft.", lambda view: view.pull.draft),
    boolean("closed", "It is closed, merged or not.", lambda view: view.pull.closed),
    boolean("merged", "It is merged.", lambda view: view.pull.merged),
    text("merged-by", "Login of whoever merged it.", lambda view: view.pull.merged_by, kind=ValueKind.LOGIN),
    text(
        "merge-commit-sha",
        "The merge commit; while open, the platform's trial merge.",
        lambda view: view.pull.merge_commit_sha,
    ),
    boolean("conflict", "It conflicts with its base branch.", lambda view: view.pull.mergeable is False),
    time("created-at", "When it was created.", lambda view: view.pull.created_at),
    time("updated-at", "When it was last updated.", lambda view: view.pull.updated_at),
    time("closed-at", "When it was closed.", lambda view: view.pull.closed_at),
    time("merged-at", "When it was merged.", lambda view: view.pull.merged_at),
    texts(
        "depends-on",
        "Pull requests named by `Depends-On` that are merged, as `owner/name#12`.",
        lambda view: view.merged_dependencies,
        Part.DEPENDENCIES,
        kind=ValueKind.PULL_REQUEST,
    ),
)
