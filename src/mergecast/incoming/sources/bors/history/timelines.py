"""Timelines of pull requests: what people wrote to bors, what it replied, and which commits it tested."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mergecast.incoming.sources.bors.bors_stays import bors_stays
from mergecast.incoming.sources.bors.commands import CommandKind, command_lines
from mergecast.incoming.sources.bors.history.bot import Bot
from mergecast.incoming.sources.bors.history.inline_comments import INLINE
from mergecast.incoming.sources.bors.observation import CLOSED, COMMENT, REPLY, STAGED, read_item
from mergecast.incoming.sources.github.history.graphql import TimelineQuery
from mergecast.incoming.sources.github.history.heads import COMMITS, FORCED_PUSHES, Heads
from mergecast.incoming.sources.page import Item, storable
from mergecast.incoming.sources.payload import Payload, instant, member, members, text
from mergecast.queues.model.instant import DAY, format_instant

_COMMIT = "actor { login } commit { committedDate messageHeadline }"
TIMELINES = TimelineQuery(
    {
        "IssueComment": "body author { login }",
        "PullRequestReview": "databaseId body submittedAt author { login }",
        "MergedEvent": _COMMIT,
        "ReferencedEvent": _COMMIT,
        "ClosedEvent": "actor { login }",
        "BaseRefChangedEvent": "previousRefName",
        **FORCED_PUSHES,
    },
    pull=f"id body createdAt lastEditedAt {COMMITS}",
)
# A stay that was under way at the beginning of a window began at most this long before, except a few.
LONGEST_STAY = 3 * DAY
# No reply needs more to be understood, except that links to runs tell batches apart.
_LONGEST_REPLY = 4000
_REPEATABLE = (CommandKind.MERGE, CommandKind.TRY, CommandKind.RETRY)
_DESCRIPTION = "/description"  # ends the id of the item
_OF_BATCH = re.compile(r"Merge((?: #[0-9]{1,19})+)")


class _Entry(NamedTuple):
    """An entry of a timeline that concerns the queue."""

    at: int
    kind: str
    id: str
    node: dict[str, Any]
    base_ref: str | None


class ReadTimeline(NamedTuple):
    items: list[Item]
    left_out_at: int | None  # the last instant of what is too old


def read_timeline(pull: Payload, since: int, bot: Bot) -> ReadTimeline:
    """What happened to a pull request since then, and the beginning of a stay that was under way."""
    common = {
        "number": pull.get("number"), "title": pull.get("title"), "url": pull.get("url"),
        "author": text(member(pull, "author"), "login"),
    }  # fmt: skip
    left_out, recent = _split(_entries(pull, bot), since)
    heads = Heads(pull)
    items = [
        Item(
            storable(entry.id),
            entry.kind,
            {**common, "base_ref": entry.base_ref, "node": entry.node, "head_sha": heads.at(entry.at)},
        )
        for entry in recent
    ]
    return ReadTimeline(items, left_out[-1].at if left_out else None)


def _split(entries: list[_Entry], since: int) -> tuple[list[_Entry], list[_Entry]]:
    """What is left out, and the rest; nothing of a pull request on which no one talked to the bot."""
    if all(entry.kind in (CLOSED, STAGED) for entry in entries):
        return [], []
    # What was said after an old description is not read, so it may have had its answer long ago.
    old = [entry for entry in entries if entry.id.endswith(_DESCRIPTION) and entry.at < since - LONGEST_STAY]
    entries = [entry for entry in entries if entry not in old]
    seen = [one for entry in entries for one in read_item(entry.kind, entry.id, _body(entry))]
    under_way = [stay.entered_at for stay in bors_stays(seen) if stay.exit is None or stay.exit.at >= since]
    start = min(since, *under_way) if under_way else since
    # A command to retry repeats the last one, which may have been a try.
    first = next((one for one in seen if one.at >= start and one.command in _REPEATABLE), None)
    if first is not None and first.command is CommandKind.RETRY:
        repeated = (one.at for one in seen if one.at < first.at and one.command in _REPEATABLE)
        start = min(start, max(repeated, default=start))
    left_out = [*old, *(entry for entry in entries if entry.at < start)]
    return left_out, [entry for entry in entries if entry.at >= start]


def _body(entry: _Entry) -> dict[str, Any]:
    return {"number": 0, "base_ref": entry.base_ref or "", "node": entry.node}


def _entries(pull: Payload, bot: Bot) -> list[_Entry]:
    """The description, and the entries of a timeline that concern the queue, oldest first."""
    found: list[_Entry] = []
    base_ref = text(pull, "baseRefName")
    for node in reversed(members(member(pull, "timelineItems"), "nodes")):
        if text(node, "__typename") == "BaseRefChangedEvent":
            base_ref = text(node, "previousRefName") or base_ref
        else:
            found += _read(node, pull, base_ref, bot)
    found += _described(pull, base_ref, bot)
    return sorted(found, key=lambda entry: entry.at)


def _described(pull: Payload, base_ref: str | None, bot: Bot) -> Iterator[_Entry]:
    """The description, which bors reads once, when the pull request is opened.

    What it said then is not known if someone has edited it since.
    """
    at, id = instant(pull, "createdAt"), text(pull, "id")
    is_by_bot = bot.is_called(text(member(pull, "author"), "login") or "")
    if at is not None and id is not None and text(pull, "lastEditedAt") is None and not is_by_bot:
        yield from _said(_Entry(at, COMMENT, f"{id}{_DESCRIPTION}", dict(pull), base_ref), bot)


def _read(node: Payload, pull: Payload, base_ref: str | None, bot: Bot) -> Iterator[_Entry]:
    at, id, type = instant(node, "createdAt"), text(node, "id"), text(node, "__typename")
    if at is None or id is None:
        return
    if type in ("IssueComment", "PullRequestReview", INLINE):
        # Someone may begin a review, with its comments on lines, long before others see it.
        said_at = instant(node, "submittedAt") or at
        yield from _said(_Entry(said_at, COMMENT, id, dict(node), base_ref), bot)
        return
    by_bot = bot.is_called(text(member(node, "actor"), "login") or "")
    if type in ("MergedEvent", "ClosedEvent"):
        closing = {"__typename": type, "createdAt": node.get("createdAt"), "isByBot": by_bot}
        yield _Entry(at, CLOSED, id, closing, base_ref)
    commit = member(node, "commit")
    staged_at = instant(commit, "committedDate")
    if by_bot and staged_at is not None and _is_for(commit, pull.get("number")):
        staged = {"createdAt": commit.get("committedDate")}
        yield _Entry(staged_at, STAGED, f"{id}/staged", staged, base_ref)


def _said(entry: _Entry, bot: Bot) -> Iterator[_Entry]:
    """A comment, without what is of no concern here."""
    body, author = text(entry.node, "body") or "", text(member(entry.node, "author"), "login") or ""
    kept = {"createdAt": format_instant(entry.at), "author": {"login": author}}
    if bot.is_called(author):
        yield entry._replace(kind=REPLY, node={**kept, "body": _whole_lines(body)})
    elif lines := command_lines(body, bot.trigger):
        yield entry._replace(node={**kept, "body": lines})


def _whole_lines(reply: str) -> str:
    """The first lines of a reply: part of a line could be taken for the name of a check."""
    return reply if len(reply) <= _LONGEST_REPLY else reply[:_LONGEST_REPLY].rpartition("\n")[0]


def _is_for(commit: Payload, number: object) -> bool:
    """Whether bors made the commit to test this pull request: as part of a batch, or squashed.

    A commit that squashes a pull request has its title and its number.
    """
    title = text(commit, "messageHeadline") or ""
    batch = _OF_BATCH.fullmatch(title)
    if batch is not None:
        return f"#{number}" in batch[1].split()
    return title.endswith(f"(#{number})")
