"""Fields with templates that several models share, and the format of commit messages."""

from __future__ import annotations

from typing import Annotated, Literal

from mergecast.configuration.models.options import Options, at_most, option
from mergecast.configuration.templates.legacy import Legacy

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
