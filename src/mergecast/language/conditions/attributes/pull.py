"""Attributes of the pull request itself."""

from mergecast.language.conditions.attribute import Attribute, ValueKind
from mergecast.language.conditions.attributes.rows import boolean, number, text, texts, time
from mergecast.queues.model.snapshot import Part

PULL: tuple[Attribute, ...] = (
    number("number", "Number of the pull request.", lambda view: view.pull.number),
    text("title", "Title of the pull request.", lambda view: view.pull.title),
    text("body", "Description of the pull request, without HTML comments.", lambda view: view.body),
    text("body-raw", "Description of the pull request, including HTML comments.", lambda view: view.raw_body),
    text("author", "Login of the author.", lambda view: view.pull.author, kind=ValueKind.LOGIN),
    text("base", "Branch that the pull request targets.", lambda view: view.pull.base, kind=ValueKind.BRANCH),
    text("head", "Branch that contains the changes.", lambda view: view.pull.head, kind=ValueKind.BRANCH),
    text(
        "head-repo-full-name",
        "Repository that contains the changes, as `owner/name`; empty if it was deleted.",
        lambda view: view.pull.head_repository or "",
    ),
    boolean(
        "from-fork",
        "The changes come from another repository, even if it has been deleted since.",
        lambda view: view.pull.from_fork,
    ),
    text(
        "repository-name",
        "Name of the repository that the pull request targets.",
        lambda view: view.pull.repository,
    ),
    text(
        "repository-full-name",
        "Repository that the pull request targets, as `owner/name`.",
        lambda view: view.pull.full_name,
    ),
    text("milestone", "Title of the milestone.", lambda view: view.pull.milestone, kind=ValueKind.WORD),
    texts("label", "Labels of the pull request.", lambda view: view.pull.labels),
    texts("assignee", "Logins of the assignees.", lambda view: view.pull.assignees, kind=ValueKind.LOGIN),
    boolean("locked", "The conversation is locked.", lambda view: view.pull.locked),
    boolean("draft", "The pull request is a draft.", lambda view: view.pull.draft),
    boolean("closed", "The pull request is closed, whether merged or not.", lambda view: view.pull.closed),
    boolean("merged", "The pull request is merged.", lambda view: view.pull.merged),
    text(
        "merged-by",
        "Login of the user who merged the pull request.",
        lambda view: view.pull.merged_by,
        kind=ValueKind.LOGIN,
    ),
    text(
        "merge-commit-sha",
        "SHA of the merge commit; while the pull request is open, of the platform's test merge.",
        lambda view: view.pull.merge_commit_sha,
    ),
    boolean(
        "conflict",
        "The pull request conflicts with its base branch.",
        lambda view: view.pull.mergeable is False,
    ),
    time("created-at", "When the pull request was created.", lambda view: view.pull.created_at),
    time("updated-at", "When the pull request was last updated.", lambda view: view.pull.updated_at),
    time("closed-at", "When the pull request was closed.", lambda view: view.pull.closed_at),
    time("merged-at", "When the pull request was merged.", lambda view: view.pull.merged_at),
    texts(
        "depends-on",
        "Merged pull requests that `Depends-On` lines refer to, as `owner/name#12`.",
        lambda view: view.merged_dependencies,
        Part.DEPENDENCIES,
        kind=ValueKind.PULL_REQUEST,
    ),
)
