"""Fields with templates that several models share, and the format of commit messages."""

from __future__ import annotations

from typing import Annotated, Literal

from mergecast.configuration.models.options import Options, at_most, option
from mergecast.configuration.templates.legacy import Legacy
from mergecast.configuration.templates.placeholders import Placeholders

_MESSAGE_VARIABLES = (
    "author",
    "number",
    "title",
    "body",
    "base",
    "head",
    "labels",
    "assignees",
    "approvers",
    "queue_dequeue_reason",
)
_TITLE_VARIABLES = ("title", "number", "destination_branch", "base", "author")

Message = Annotated[str, Placeholders(_MESSAGE_VARIABLES)]
Title = Annotated[str, Placeholders(_TITLE_VARIABLES)]
Body = Annotated[str, Placeholders((*_TITLE_VARIABLES, "body", "cherry_pick_error", "cherry_picked_commits"))]
UserTemplate = Annotated[str, Placeholders(("author",))]
BotAccount = Annotated[str, Placeholders(("author",))] | None
LegacyTemplate = Annotated[str, Legacy()]


class CommitMessageFormat(Options):
    """Content of a commit message."""

    title: Literal["inherit", "pr-title"] = option(
        "First line: the repository's default, or the title and number of the pull request.", "inherit"
    )
    body: Literal["inherit", "pr-body", "empty"] = option(
        "Body: the repository's default, the description of the pull request, or nothing.", "inherit"
    )
    trailers: Annotated[tuple[Literal["co-authored-by", "approved-by", "merged-by"], ...], at_most()] = (
        option("Trailers with the names of people.", ())
    )
