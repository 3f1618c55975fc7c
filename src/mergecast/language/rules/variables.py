"""The values that templates can use: plain variables, and attributes for the legacy dialect."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from mergecast.language.conditions.attribute import Attribute, Sample
from mergecast.language.conditions.attributes import TEMPLATE_ATTRIBUTES
from mergecast.language.conditions.facts.snapshot_view import recorded
from mergecast.language.configuration.templates.render import render_legacy, render_message
from mergecast.language.configuration.templates.values import AuthorView, CommitView, HeadView
from mergecast.language.rules.context import Context
from mergecast.queues.model.instant import to_datetime
from mergecast.queues.model.snapshot import NEVER_QUEUED, Commit, Part

V = TypeVar("V")


class Variables(Mapping[str, V]):
    """Values that are read only if a template uses them, because reading an unrecorded one raises."""

    def __init__(self, reads: Mapping[str, Callable[[], V]]) -> None:
        self._reads = reads

    def __getitem__(self, name: str) -> V:
        return self._reads[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._reads

    def __iter__(self) -> Iterator[str]:
        return iter(self._reads)

    def __len__(self) -> int:
        return len(self._reads)


def fill(text: str, context: Context, **more: str) -> str:
    """Render a text with plain variables; raises CannotRender or NotRecorded."""
    return render_message(text, _plain(context, more), _attributes(context, {}), context.today)


def fill_legacy(text: str, context: Context, **more: object) -> str:
    """Render a text of the legacy dialect; raises CannotRender or NotRecorded."""
    return render_legacy(text, _attributes(context, more))


def _plain(context: Context, more: Mapping[str, str]) -> Variables[str]:
    pull, view = context.pull, context.view
    return Variables(
        {
            "author": lambda: pull.author or "",
            "number": lambda: str(pull.number),
            "title": lambda: pull.title,
            "body": lambda: view.body,
            "base": lambda: pull.base,
            "head": lambda: pull.head,
            "labels": lambda: ", ".join(pull.labels),
            "assignees": lambda: _mentions(pull.assignees),
            "approvers": lambda: _mentions(view.reviewers.in_state("APPROVED")),
            "queue_dequeue_reason": lambda: _dequeue_reason(context),
            "repository_full_name": lambda: pull.full_name,
            "merged_by": lambda: pull.merged_by or "",
            "cherry_pick_error": lambda: "",
            "cherry_picked_commits": lambda: "\n".join(commit.sha for commit in view.commits),
            **{name: lambda value=value: value for name, value in more.items()},  # type: ignore[misc]
        }
    )


def _mentions(logins: tuple[str, ...]) -> str:
    return ", ".join(f"@{login}" for login in logins)


def _dequeue_reason(context: Context) -> str:
    reason = recorded(context.snapshot.dequeue_reason, Part.DEQUEUE_REASON)
    return "" if reason == NEVER_QUEUED else reason


def _attributes(context: Context, more: Mapping[str, object]) -> Variables[Any]:
    reads: dict[str, Callable[[], Any]] = {
        name: lambda row=row: _value(row, context)  # type: ignore[misc]
        for name, row in TEMPLATE_ATTRIBUTES.items()
    }
    reads["commits"] = lambda: tuple(_commit(commit) for commit in context.view.commits)
    reads["co_authors"] = lambda: co_authors(context)
    reads["updates"] = lambda: _updates(context)
    reads["commits_behind"] = lambda: context.view.behind
    return Variables(reads | {name: lambda value=value: value for name, value in more.items()})


def _value(row: Attribute, context: Context) -> Any:
    """As in validation: a missing text is empty, and instants are date-times."""
    if row.sample is Sample.TIME:
        seen = context.now if row.name in {"current-datetime", "schedule"} else row.read(context.view)
        return to_datetime(seen) if isinstance(seen, int) else None
    value = context.evaluator.value_of(row)
    return "" if value is None else value


def _commit(commit: Commit) -> CommitView:
    return CommitView(
        sha=commit.sha,
        parents=commit.parents,
        commit_message=commit.message,
        commit_verification_verified=commit.is_verified,
        author=commit.author,
        committer=commit.committer,
        date_author=_moment(commit.authored_at),
        date_committer=_moment(commit.committed_at),
        email_author=commit.author_email,
        email_committer=commit.committer_email,
        gh_author_login=commit.author_login,
    )


def _moment(instant: int | None) -> datetime | None:
    return None if instant is None else to_datetime(instant)


def co_authors(context: Context) -> tuple[AuthorView, ...]:
    """The authors of all commits except merges, without bots; one per email address."""
    views = {
        commit.author_email: AuthorView(commit.author or "", commit.author_email or "")
        for commit in reversed(context.view.authored_commits)
    }
    return tuple(reversed(views.values()))


def _updates(context: Context) -> tuple[HeadView, ...]:
    changes = recorded(context.snapshot.head_history, Part.HEAD_HISTORY)
    return tuple(HeadView(change.sha, to_datetime(change.at)) for change in changes)
