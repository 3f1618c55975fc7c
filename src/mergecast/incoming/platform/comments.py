"""Keeps one comment of its own on a pull request: creates it, and later replaces its text."""

from typing import NamedTuple

import msgspec

from mergecast.errors import MergecastError
from mergecast.incoming.platform.github import GitHub, PlatformCaller, decoded

_OF_APP = "ghs_"  # a token of an installation, such as the one that a workflow gets
_WRITTEN = (200, 201)
_REFUSED = (401, 403, 404)


class CannotComment(MergecastError):
    """The platform does not let this token write comments."""


class _Author(msgspec.Struct, frozen=True):
    type: str = ""


class _Comment(msgspec.Struct, frozen=True):
    id: int
    html_url: str = ""
    body: str | None = ""
    user: _Author | None = None


class Thread(NamedTuple):
    """The conversation of a pull request."""

    repository: str
    number: int

    @property
    def path(self) -> str:
        return f"/repos/{self.repository}/issues/{self.number}/comments"


async def keep_comment(github: GitHub, thread: Thread, marker: str, body: str, caller: PlatformCaller) -> str:
    """Write the comment that begins with this marker; returns its address."""
    existing = await _find(github, thread, marker, caller)
    content = msgspec.json.encode({"body": body})
    if existing is None:
        answer = await github.write("POST", thread.path, content, caller)
    else:
        path = f"/repos/{thread.repository}/issues/comments/{existing.id}"
        answer = await github.write("PATCH", path, content, caller)
    if answer.status in _REFUSED:
        raise CannotComment(
            f"the token may not comment on {thread.repository}#{thread.number}: give the job the permission "
            "`pull-requests: write`; pull requests from forks get a token that can only read"
        )
    if answer.status not in _WRITTEN:
        raise CannotComment(f"GitHub refused the comment with the status {answer.status}")
    return decoded(answer, _Comment).html_url


async def _find(github: GitHub, thread: Thread, marker: str, caller: PlatformCaller) -> _Comment | None:
    async for page in github.pages(f"{thread.path}?per_page=100", caller):
        if page.status not in _WRITTEN:
            return None
        for comment in decoded(page, list[_Comment]):
            if (comment.body or "").startswith(marker) and _may_be_own(comment, caller):
                return comment
    return None


def _may_be_own(comment: _Comment, caller: PlatformCaller) -> bool:
    """An app must not overwrite a comment in which a person has quoted the marker."""
    is_bot = comment.user is not None and comment.user.type == "Bot"
    return is_bot or not caller.token.startswith(_OF_APP)
