"""Reads merge queues from GitHub's GraphQL API: timelines of pull requests, and the current queues."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from mergecast.platform.fetch import PlatformDown
from mergecast.platform.patient import PatientApi, Refused, require_ok
from mergecast.sources.github.history_items import QUEUED, TIMELINE
from mergecast.sources.page import Item, Place
from mergecast.sources.payload import Payload, instant, is_number, member, members, text

_RENAMED = "GitHub has renamed this repository; use its new name, and --as to keep the name here"
MEANINGS = {
    301: _RENAMED,
    307: _RENAMED,
    401: "GitHub does not accept the token; set MERGECAST_GITHUB_TOKEN or pass --from-token-file",
    403: "the token may not read this; it needs read access to actions, checks, commit statuses, contents, "
    "merge queues and pull requests",
    404: "GitHub does not know this repository, or the token may not see it",
}
_ENTERPRISE = "/api/v3"
_ADDED, _MERGED = "AddedToMergeQueueEvent", "MergedEvent"
_TIMELINE = """
  number title url updatedAt baseRefName author { login }
  timelineItems(
    last: 100, itemTypes: [ADDED_TO_MERGE_QUEUE_EVENT, REMOVED_FROM_MERGE_QUEUE_EVENT, MERGED_EVENT]
  ) {
    nodes {
      __typename
      ... on AddedToMergeQueueEvent { id createdAt }
      ... on RemovedFromMergeQueueEvent { id createdAt reason beforeCommit { oid } }
      ... on MergedEvent { id createdAt actor { login } commit { oid } }
    }
  }
"""
# One query per 25 pull requests.
_PULLS = f"""
query QueueHistory($owner: String!, $name: String!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    pullRequests(first: 25, after: $after, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ {_TIMELINE} }}
    }}
  }}
}}
"""
_PULL = f"""
query QueueHistoryOfOne($owner: String!, $name: String!, $number: Int!) {{
  repository(owner: $owner, name: $name) {{ pullRequest(number: $number) {{ {_TIMELINE} }} }}
}}
"""
_QUEUE = """
query QueueSnapshot($owner: String!, $name: String!, $branch: String, $after: String) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    mergeQueue(branch: $branch) {
      entries(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id position enqueuedAt pullRequest { number title url author { login } } }
      }
    }
  }
}
"""


class TestedCommit(NamedTuple):
    """A group commit that a timeline names, and the pull request it was built for."""

    sha: str
    number: int
    base_ref: str
    left_at: int


@dataclass(frozen=True, slots=True)
class GraphQL:
    """The GraphQL API for one repository."""

    api: PatientApi
    url: str  # of the REST API
    repository: str

    async def pulls(self, after: str | None) -> tuple[list[Payload], str | None]:
        """The pull requests after a cursor, most recently changed first, and the next cursor."""
        found = member(await self._ask(_PULLS, {"after": after}), "pullRequests")
        return members(found, "nodes"), _following(found)

    async def pull(self, number: int) -> Payload:
        return member(await self._ask(_PULL, {"number": number}), "pullRequest")

    async def queue(self, base_ref: str | None) -> tuple[dict[Place, Item], str | None]:
        """The queue of a branch, and the branch's name; None means the default branch."""
        queued: dict[Place, Item] = {}
        after = None
        while True:
            answer = await self._ask(_QUEUE, {"branch": base_ref, "after": after})
            branch = base_ref or text(member(answer, "defaultBranchRef"), "name")
            entries = member(member(answer, "mergeQueue"), "entries")
            if branch is not None:
                queued |= dict(_queued(entry, branch) for entry in members(entries, "nodes"))
            after = _following(entries)
            if after is None:
                return queued, branch

    async def _ask(self, query: str, variables: Mapping[str, object]) -> Payload:
        owner, _, name = self.repository.partition("/")
        address = _address(self.url)
        body = {"query": query, "variables": {"owner": owner, "name": name, **variables}}
        answer = require_ok(await self.api.post(address, body), address, MEANINGS).value
        if not isinstance(answer, dict):
            raise PlatformDown("GitHub did not return an object")
        found = member(member(answer, "data"), "repository")
        errors = members(answer, "errors")
        # What GitHub could not read is null, which otherwise means that there is none.
        if not found or any(text(error, "type") != "NOT_FOUND" for error in errors):
            reasons = "; ".join(text(error, "message") or "" for error in errors)
            raise Refused(f"GitHub does not show {self.repository}: {reasons or 'no reason given'}")
        return found


def timeline_items(pull: Payload, since: int, *, is_queued: bool = False) -> list[Item]:
    """What happened to a pull request in the queue since then; nothing if it was never in one.

    Some pull requests are queued without a word in their timelines, which then only say that they merged.
    """
    nodes = _since(members(member(pull, "timelineItems"), "nodes"), since)
    if not is_queued and all(text(node, "__typename") == _MERGED for node in nodes):
        return []
    common = {
        "number": pull.get("number"), "base_ref": pull.get("baseRefName"), "title": pull.get("title"),
        "author": text(member(pull, "author"), "login"), "url": pull.get("url"),
    }  # fmt: skip
    return [Item(str(node.get("id")), TIMELINE, {**common, "node": node}) for node in nodes]


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


def _since(nodes: Sequence[Payload], since: int) -> Sequence[Payload]:
    """The part of a timeline in the window, including the entry that began its first stay."""
    first = next((i for i, node in enumerate(nodes) if (instant(node, "createdAt") or 0) >= since), None)
    if first is None:
        return ()
    is_inside = first > 0 and text(nodes[first - 1], "__typename") == _ADDED
    return nodes[first - 1 if is_inside else first :]


def _queued(entry: Payload, base_ref: str) -> tuple[Place, Item]:
    pull = member(entry, "pullRequest")
    number = pull.get("number")
    body = {
        "number": number, "base_ref": base_ref, "title": pull.get("title"),
        "author": text(member(pull, "author"), "login"), "url": pull.get("url"),
        "position": entry.get("position"), "enqueued_at": entry.get("enqueuedAt"),
    }  # fmt: skip
    return Place(base_ref, number if is_number(number) else 0), Item(
        f"queued-{entry.get('id')}", QUEUED, body
    )


def _following(connection: Payload) -> str | None:
    info = member(connection, "pageInfo")
    return text(info, "endCursor") if info.get("hasNextPage") is True else None


def _address(url: str) -> str:
    """The URL of the GraphQL API for that of the REST API: on Enterprise Server, both are below `/api`."""
    root = url.removesuffix(_ENTERPRISE)
    return f"{url}/graphql" if root == url else f"{root}/api/graphql"


def is_below(address: str, url: str) -> bool:
    """Whether a URL that GitHub links to is on the same host and may therefore receive the token."""
    return urlsplit(address)[:2] == urlsplit(url)[:2]
