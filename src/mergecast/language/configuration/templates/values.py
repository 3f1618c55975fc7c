"""Values of legacy templates that have fields, and sample values for validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from mergecast.language.conditions.attribute import Attribute, Sample, ValueKind
from mergecast.language.conditions.attributes import TEMPLATE_ATTRIBUTES


@dataclass(frozen=True, slots=True)
class CommitView:
    """A commit in templates; as text it is its message."""

    sha: str
    parents: tuple[str, ...]
    commit_message: str
    commit_verification_verified: bool
    author: str | None
    committer: str | None
    date_author: datetime | None
    date_committer: datetime | None
    email_author: str | None
    email_committer: str | None
    gh_author_login: str | None

    def __str__(self) -> str:
        return self.commit_message


@dataclass(frozen=True, slots=True)
class AuthorView:
    """The author of a commit."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


@dataclass(frozen=True, slots=True)
class HeadView:
    """A former head commit; as text it is its SHA."""

    head_sha: str
    timestamp: datetime

    def __str__(self) -> str:
        return self.head_sha


_SHA = "0123456789abcdef0123456789abcdef01234567"
_BY_TYPE: Mapping[Sample, Any] = {Sample.TEXT: "Say hello", Sample.NUMBER: 1, Sample.BOOLEAN: False}
_ITEMS = {ValueKind.LOGIN: "octocat", ValueKind.CHECK: "build", ValueKind.PULL_REQUEST: "octocat/hello#1"}


def sample_values(today: date) -> dict[str, Any]:
    """A value for each attribute, as of a pull request with one commit, review, label and so on."""
    now = datetime.combine(today, time(), UTC)
    commit = CommitView(
        sha=_SHA,
        parents=(_SHA,),
        commit_message="Say hello",
        commit_verification_verified=True,
        author="Octocat",
        committer="Octocat",
        date_author=now,
        date_committer=now,
        email_author="octocat@example.com",
        email_committer="octocat@example.com",
        gh_author_login="octocat",
    )
    return {name: _sample(row, now) for name, row in TEMPLATE_ATTRIBUTES.items()} | {
        "commits": (commit,),
        "co_authors": (AuthorView("Octocat", "octocat@example.com"),),
        "updates": (HeadView(_SHA, now),),
        "commits_behind": 1,
    }


def _sample(row: Attribute, now: datetime) -> Any:
    if row.sample is Sample.LIST:
        return (_ITEMS.get(row.kind, "hello"),)
    return _BY_TYPE.get(row.sample, now)
