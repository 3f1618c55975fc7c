"""What a commit message is made of."""

from __future__ import annotations

from typing import Annotated, Literal

from mergecast.configuration.models.options import Options, at_most, option
from mergecast.configuration.templates.legacy import Legacy

LegacyTemplate = Annotated[str, Legacy()]


class CommitMessageFormat(Options):
    """The parts of a commit message."""

    title: Literal["inherit", "pr-title"] = option(
        "First line: as the repository is set up, or title and number of the pull request.", "inherit"
    )
    body: Literal["inherit", "pr-body", "empty"] = option(
        "The rest: as the repository is set up, the description of the pull request, or nothing.", "inherit"
    )
    trailers: Annotated[tuple[Literal["co-authored-by", "approved-by", "merged-by"], ...], at_most()] = (
        option("Lines at the end that name people.", ())
    )
