"""Keeps one comment of its own on a pull request: creates it, and later replaces its text."""

from typing import NamedTuple

import msgspec

from mergecast.errors import MergecastError
from mergecast.incoming.platform.github import OK, GitHub, PlatformCaller, decoded

# `GET /user` refuses tokens of installations, such as the one that a workflow gets; this answers all.
_WHO = "query { viewer { login } }"
_WRITTEN = (200, 201)
_REFUSED = (401, 403, 404)


class CannotComment(MergecastError):
    """The platform does not let this token write comments."""


class _Author(msgspec.Struct, frozen=True):
    login: str = ""


class _Viewer(msgspec.Struct, frozen=True):
    viewer: _Author | None = None


class _Answer(msgspec.Struct, frozen=True):
    data: _Viewer | None = None


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
    """Write the token's own comment that begins with this marker; returns its address."""
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
    """The token's own comment: anyone can write one that begins with the marker."""
    own: str | None = None
    async for page in github.pages(f"{thread.path}?per_page=100", caller):
        if page.status not in _WRITTEN:
            return None
        for comment in decoded(page, list[_Comment]):
            if (comment.body or "").startswith(marker):
                own = own or await _own_login(github, thread, caller)
                if comment.user is not None and comment.user.login == own:
                    return comment
    return None


async def _own_login(github: GitHub, thread: Thread, caller: PlatformCaller) -> str:
    answer = await github.query(_WHO, {}, caller)
    data = decoded(answer, _Answer).data if answer.status == OK else None
    if data is None or data.viewer is None or not data.viewer.login:
        raise CannotComment(
            f"{thread.repository}#{thread.number} has a comment of Mergecast, and GitHub does not say "
            "whether this token wrote it; nothing was written"
        )
    return data.viewer.login
