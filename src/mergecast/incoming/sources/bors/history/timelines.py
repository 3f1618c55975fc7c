"""Timelines of pull requests: what people wrote to bors, what it replied, and which commits it tested."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from mergecast.incoming.sources.bors.bors_stays import bors_stays
from mergecast.incoming.sources.bors.commands import CommandKind, command_lines
from mergecast.incoming.sources.bors.observation import CLOSED, COMMENT, REPLY, STAGED, read_item
from mergecast.incoming.sources.github.history.graphql import TimelineQuery
from mergecast.incoming.sources.page import Item, storable
from mergecast.incoming.sources.payload import Payload, instant, member, members, text
from mergecast.queues.model.instant import format_instant

_COMMIT = "actor { login } commit { committedDate messageHeadline }"
TIMELINES = TimelineQuery(
    {
        "IssueComment": "body author { login }",
        "PullRequestReview": "body submittedAt author { login }",
        "MergedEvent": _COMMIT,
        "ReferencedEvent": _COMMIT,
        "ClosedEvent": "actor { login }",
        "BaseRefChangedEvent": "previousRefName",
    }
)
# No reply needs more to be understood, except that links to runs tell batches apart.
_LONGEST_REPLY = 4000
_REPEATABLE = (CommandKind.MERGE, CommandKind.TRY, CommandKind.RETRY)
_BOT_SUFFIX = "[bot]"
_OF_BATCH = re.compile(r"Merge((?: #[0-9]{1,19})+)")

IsBot = Callable[[str], bool]


class _Entry(NamedTuple):
    """An entry of a timeline that concerns the queue."""

    at: int
    kind: str
    id: str
    node: dict[str, Any]
    base_ref: str | None


def bot_named(name: str | None) -> IsBot:
    """Tells the bot from people: by its login, or else by the word bors in it.

    >>> is_bot = bot_named(None)
    >>> [is_bot(login) for login in ("bors[bot]", "bors", "mathlib-bors", "bors-ng", "borsuk")]
    [True, True, True, True, False]
    """
    if name is not None:
        return lambda login: _plain(login) == _plain(name)
    return lambda login: "bors" in re.split(r"[^a-z0-9]+", _plain(login))


def _plain(login: str) -> str:
    """GraphQL leaves out a suffix that REST and the web pages show."""
    return login.lower().removesuffix(_BOT_SUFFIX)


class ReadTimeline(NamedTuple):
    items: list[Item]
    left_out_at: int | None  # the last instant of what is too old


def read_timeline(pull: Payload, since: int, is_bot: IsBot) -> ReadTimeline:
    """What happened to a pull request since then, and the beginning of a stay that was under way."""
    common = {
        "number": pull.get("number"), "title": pull.get("title"), "url": pull.get("url"),
        "author": text(member(pull, "author"), "login"),
    }  # fmt: skip
    left_out, recent = _split(_entries(pull, is_bot), since)
    items = [
        Item(storable(entry.id), entry.kind, {**common, "base_ref": entry.base_ref, "node": entry.node})
        for entry in recent
    ]
    return ReadTimeline(items, left_out[-1].at if left_out else None)


def _split(entries: list[_Entry], since: int) -> tuple[list[_Entry], list[_Entry]]:
    """What is left out, and the rest; nothing of a pull request on which no one talked to the bot."""
    if all(entry.kind in (CLOSED, STAGED) for entry in entries):
        return [], []
    seen = [one for entry in entries for one in read_item(entry.kind, entry.id, _body(entry))]
    under_way = [stay.entered_at for stay in bors_stays(seen) if stay.exit is None or stay.exit.at >= since]
    start = min(since, *under_way) if under_way else since
    # A command to retry repeats the last one, which may have been a try.
    first = next((one for one in seen if one.at >= start and one.command in _REPEATABLE), None)
    if first is not None and first.command is CommandKind.RETRY:
        repeated = (one.at for one in seen if one.at < first.at and one.command in _REPEATABLE)
        start = min(start, max(repeated, default=start))
    return [entry for entry in entries if entry.at < start], [entry for entry in entries if entry.at >= start]


def _body(entry: _Entry) -> dict[str, Any]:
    return {"number": 0, "base_ref": entry.base_ref or "", "node": entry.node}


def _entries(pull: Payload, is_bot: IsBot) -> list[_Entry]:
    """The entries of a timeline that concern the queue, oldest first."""
    found: list[_Entry] = []
    base_ref = text(pull, "baseRefName")
    for node in reversed(members(member(pull, "timelineItems"), "nodes")):
        if text(node, "__typename") == "BaseRefChangedEvent":
            base_ref = text(node, "previousRefName") or base_ref
        else:
            found += _read(node, pull, base_ref, is_bot)
    return sorted(found, key=lambda entry: entry.at)


def _read(node: Payload, pull: Payload, base_ref: str | None, is_bot: IsBot) -> Iterator[_Entry]:
    at, id, type = instant(node, "createdAt"), text(node, "id"), text(node, "__typename")
    if at is None or id is None:
        return
    if type in ("IssueComment", "PullRequestReview"):
        # Someone may begin a review long before others see it.
        said_at = instant(node, "submittedAt") or at
        yield from _said(_Entry(said_at, COMMENT, id, dict(node), base_ref), is_bot)
        return
    by_bot = is_bot(text(member(node, "actor"), "login") or "")
    if type in ("MergedEvent", "ClosedEvent"):
        closing = {"__typename": type, "createdAt": node.get("createdAt"), "isByBot": by_bot}
        yield _Entry(at, CLOSED, id, closing, base_ref)
    commit = member(node, "commit")
    staged_at = instant(commit, "committedDate")
    if by_bot and staged_at is not None and _is_for(commit, pull.get("number")):
        staged = {"createdAt": commit.get("committedDate")}
        yield _Entry(staged_at, STAGED, f"{id}/staged", staged, base_ref)


def _said(entry: _Entry, is_bot: IsBot) -> Iterator[_Entry]:
    """A comment, without what is of no concern here."""
    body, author = text(entry.node, "body") or "", text(member(entry.node, "author"), "login") or ""
    kept = {"createdAt": format_instant(entry.at), "author": {"login": author}}
    if is_bot(author):
        yield entry._replace(kind=REPLY, node={**kept, "body": body[:_LONGEST_REPLY]})
    elif lines := command_lines(body):
        yield entry._replace(node={**kept, "body": lines})


def _is_for(commit: Payload, number: object) -> bool:
    """Whether bors made the commit to test this pull request: as part of a batch, or squashed.

    A commit that squashes a pull request has its title and its number.
    """
    title = text(commit, "messageHeadline") or ""
    batch = _OF_BATCH.fullmatch(title)
    if batch is not None:
        return f"#{number}" in batch[1].split()
    return title.endswith(f"(#{number})")
