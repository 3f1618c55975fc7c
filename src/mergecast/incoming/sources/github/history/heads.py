"""The last commit of a pull request at some instant, from its commits and the pushes that replaced some.

GitHub does not say when a commit was pushed, only when it was made: it counts as pushed then. A forced push
has a date, and names the commits before and after it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mergecast.incoming.sources.payload import Payload, instant, member, members, text

# Part of a query for pull requests, which costs no more with it.
COMMITS = "commits(last: 20) { nodes { commit { oid committedDate } } }"
FORCED = "HeadRefForcePushedEvent"
FORCED_PUSHES: Mapping[str, str] = {FORCED: "beforeCommit { oid committedDate } afterCommit { oid }"}


class _ForcedPush(NamedTuple):
    at: int
    after: str | None
    before: str | None
    made_at: int | None  # the commit before


class Heads:
    """The last commits of a pull request over time, as far as GitHub tells."""

    def __init__(self, pull: Payload) -> None:
        listed = [member(node, "commit") for node in members(member(pull, "commits"), "nodes")]
        self._commits = [(instant(one, "committedDate"), text(one, "oid")) for one in listed]
        nodes = members(member(pull, "timelineItems"), "nodes")
        self._forced = sorted(filter(None, map(_forced_push, nodes)), key=lambda push: push.at)

    def at(self, at: int) -> str | None:
        """The last commit at an instant; None if it is not known."""
        following = next((push for push in self._forced if push.at > at), None)
        if following is not None:
            is_older = following.made_at is not None and following.made_at <= at
            return following.before if is_older else None
        made = [oid for made_at, oid in self._commits if made_at is not None and made_at <= at]
        forced = self._forced[-1].after if self._forced else None
        # Commits that were made before a forced push and are still there are part of it.
        known = [oid for _, oid in self._commits]
        if forced is not None and (not made or _is_behind(made[-1], forced, known)):
            return forced
        return made[-1] if made else None


def _is_behind(commit: str | None, other: str, ordered: list[str | None]) -> bool:
    return commit in ordered and other in ordered and ordered.index(commit) < ordered.index(other)


def _forced_push(node: Payload) -> _ForcedPush | None:
    at = instant(node, "createdAt")
    if text(node, "__typename") != FORCED or at is None:
        return None
    before = member(node, "beforeCommit")
    after = text(member(node, "afterCommit"), "oid")
    return _ForcedPush(at, after, text(before, "oid"), instant(before, "committedDate"))
