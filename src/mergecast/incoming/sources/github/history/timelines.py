"""Timelines of pull requests: what happened to them in a queue, and which commits were tested for them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mergecast.incoming.sources.github.history.heads import FORCED, Heads
from mergecast.incoming.sources.github.history_items import ADDED, CLOSED, MERGED, REMOVED, TIMELINE
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, members, text

_BASE_CHANGED = "BaseRefChangedEvent"


class TestedCommit(NamedTuple):
    """A group commit that a timeline names, and the pull request it was built for."""

    sha: str
    number: int
    base_ref: str
    left_at: int


class _Entry(NamedTuple):
    """An entry of a timeline, and the base branch of the pull request at that time."""

    node: Payload
    kind: str | None
    at: int
    base_ref: str | None


def timeline_items(pull: Payload, since: int, *, is_queued: bool = False) -> list[Item]:
    """What happened to a pull request in queues since then; nothing if it was never in one.

    Some pull requests are queued without a word in their timelines, which then only say that they merged.
    """
    _, entries = _split(_entries(pull), since)
    if not is_queued and all(entry.kind in (MERGED, CLOSED) for entry in entries):
        return []
    common = {
        "number": pull.get("number"), "title": pull.get("title"), "url": pull.get("url"),
        "author": text(member(pull, "author"), "login"),
    }  # fmt: skip
    heads = Heads(pull)
    return [
        Item(
            str(entry.node.get("id")),
            TIMELINE,
            {**common, "base_ref": entry.base_ref, "node": entry.node, "pull_sha": heads.at(entry.at)},
        )
        for entry in entries
    ]


def _entries(pull: Payload) -> list[_Entry]:
    """A timeline, oldest first, without the closing that is part of a merge."""
    found: list[_Entry] = []
    base_ref = text(pull, "baseRefName")
    for node in reversed(members(member(pull, "timelineItems"), "nodes")):
        entry = _Entry(node, text(node, "__typename"), instant(node, "createdAt") or 0, base_ref)
        if entry.kind == _BASE_CHANGED:
            base_ref = text(node, "previousRefName") or base_ref
        elif entry.kind != FORCED:
            found.append(entry)
    merged_at = min((entry.at for entry in found if entry.kind == MERGED), default=None)
    return [
        entry
        for entry in _with_exits(reversed(found))
        if entry.kind != CLOSED or merged_at is None or entry.at < merged_at
    ]


def _with_exits(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """The entries; an exit has the base branch of its stay, which ends when that branch is changed."""
    queued_for = None
    for entry in entries:
        if entry.kind == REMOVED:
            yield entry._replace(base_ref=queued_for or entry.base_ref)
            queued_for = None
        else:
            yield entry
            queued_for = entry.base_ref if entry.kind == ADDED else queued_for


def last_left_out(pull: Payload, since: int) -> int | None:
    """The last instant in a queue that `timeline_items` leaves out, because it is from an earlier stay."""
    left_out, _ = _split(_entries(pull), since)
    return left_out[-1].at if left_out else None


def _split(entries: Sequence[_Entry], since: int) -> tuple[list[_Entry], list[_Entry]]:
    """What happened in a queue before the window, and everything in the window."""
    recent = [entry for entry in entries if entry.at >= since]
    earlier = [entry for entry in entries if entry.at < since and entry.kind in (ADDED, REMOVED)]
    is_inside = bool(recent and earlier) and earlier[-1].kind == ADDED
    return (earlier[:-1], [earlier[-1], *recent]) if is_inside else (earlier, recent)


def tested_commits(items: Iterable[Item]) -> list[TestedCommit]:
    """The group commits that the items of timelines name."""
    found = []
    for item in items:
        node, number, base_ref = (
            member(item.body, "node"), item.body.get("number"), text(item.body, "base_ref"),
        )  # fmt: skip
        sha, left_at = text(member(node, "beforeCommit"), "oid"), instant(node, "createdAt")
        if sha and is_number(number) and base_ref and left_at is not None:
            found.append(TestedCommit(sha, number, base_ref, left_at))
    return found
