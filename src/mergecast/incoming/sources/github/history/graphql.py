"""GitHub's GraphQL API: pull requests with their timelines, and the current queues."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github_urls import graphql_url
from mergecast.incoming.platform.pages_read import MOST_PAGES, PagesRead
from mergecast.incoming.platform.patient import LACKS, PatientApi, Refused, RefusedToken, require_ok
from mergecast.incoming.sources.github.history.heads import COMMITS, FORCED_PUSHES
from mergecast.incoming.sources.github.history.position import Position
from mergecast.incoming.sources.github.history_items import GROUP, QUEUED
from mergecast.incoming.sources.page import Identity, Item, Place, WorkflowFiles
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, members, text

_FORBIDDEN = 403
_ALL_RIGHTS = "actions, checks, commit statuses, contents, merge queues and pull requests"
# The right that each part of a query needs.
_RIGHTS = {
    "pullRequests": "pull requests",
    "pullRequest": "pull requests",
    "mergeQueue": "merge queues",
    "defaultBranchRef": "contents",
    "commits": "contents",
}
_RENAMED = "GitHub has renamed this repository; use its new name, and --as to keep the name here"
MEANINGS = {
    301: _RENAMED,
    307: _RENAMED,
    401: "GitHub does not accept the token; set MERGECAST_GITHUB_TOKEN or pass --from-token-file",
    _FORBIDDEN: LACKS.format(_ALL_RIGHTS),
    404: "GitHub does not know this repository, or the token may not see it",
}
_PULL_FIELDS = """
  number title url updatedAt baseRefName author { login } %s
  timelineItems(last: 100, before: $before, itemTypes: [%s]) {
    pageInfo { hasPreviousPage startCursor }
    nodes { __typename %s }
  }
"""
# One query per 25 pull requests.
_PULLS = """
query QueueHistory($owner: String!, $name: String!, $after: String, $before: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 25, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor }
      nodes { %s }
    }
  }
}
"""
_PULL = """
query QueueHistoryOfOne($owner: String!, $name: String!, $number: Int!, $before: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { %s } }
}
"""
_IDENTITY = """
query Identity($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { databaseId nameWithOwner }
}
"""
_QUEUE = """
query QueueSnapshot($owner: String!, $name: String!, $branch: String, $after: String) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    mergeQueue(branch: $branch) {
      configuration {
        maximumEntriesToBuild maximumEntriesToMerge minimumEntriesToMerge minimumEntriesToMergeWaitTime
        mergingStrategy checkResponseTimeout
      }
      entries(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id position enqueuedAt pullRequest { number title url headRefOid author { login } }
          headCommit { oid committedDate } baseCommit { oid }
        }
      }
    }
  }
}
"""


_WORKFLOWS = """
query WorkflowFiles($owner: String!, $name: String!, $ref: String!, $folder: String!, $texts: Boolean!) {
  repository(owner: $owner, name: $name) {
    ref(qualifiedName: $ref) { target { oid } }
    object(expression: $folder) {
      ... on Tree { oid entries @include(if: $texts) { name object { ... on Blob { text } } } }
    }
  }
}
"""
_FOLDER = ".github/workflows"


class ReadQueue(NamedTuple):
    """The queue of a branch, as it was read."""

    entries: dict[Place, list[Item]]
    branch: str | None  # the name of the branch
    configuration: Payload  # empty if the branch has no queue


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """Which entries of timelines are read, and the fields of each."""

    entries: Mapping[str, str]  # by type, such as `ClosedEvent`
    pull: str = ""  # more fields of the pull request itself

    def __call__(self, query: str) -> str:
        """The query for pull requests with these entries."""
        types = ", ".join(re.sub(r"(?<!^)(?=[A-Z])", "_", type).upper() for type in self.entries)
        fragments = " ".join(
            f"... on {type} {{ id createdAt {fields} }}" for type, fields in self.entries.items()
        )
        return query % (_PULL_FIELDS % (self.pull, types, fragments))


# What shows stays in GitHub's merge queue.
_QUEUE_ENTRIES = TimelineQuery(
    {
        "AddedToMergeQueueEvent": "",
        "RemovedFromMergeQueueEvent": "reason beforeCommit { oid }",
        "MergedEvent": "actor { login } commit { oid }",
        "ClosedEvent": "",
        "BaseRefChangedEvent": "previousRefName",
        **FORCED_PUSHES,
    },
    pull=COMMITS,
)


@dataclass(frozen=True, slots=True)
class GraphQL:
    """The GraphQL API for one repository."""

    api: PatientApi
    url: str  # of the REST API
    repository: str
    timelines: TimelineQuery = _QUEUE_ENTRIES
    meanings: Mapping[int, str] = field(default_factory=lambda: MEANINGS)

    async def pulls(self, after: str | None) -> tuple[list[Payload], str | None]:
        """The pull requests after a cursor, most recently changed first, and the next cursor.

        Each has the newest part of its timeline.
        """
        found = member(await self._ask(self.timelines(_PULLS), {"after": after}), "pullRequests")
        return members(found, "nodes"), _following(found)

    async def pull(self, number: int, before: str | None = None) -> Payload:
        """A pull request with the part of its timeline before a cursor, or with the newest part."""
        return member(
            await self._ask(self.timelines(_PULL), {"number": number, "before": before}), "pullRequest"
        )

    async def with_timeline(self, pull: Payload, since: int) -> Payload:
        """The pull request with its timeline since then, and what is on the same page before."""
        number, page = pull.get("number"), member(pull, "timelineItems")
        nodes, before = members(page, "nodes"), _preceding(page)
        read = PagesRead()
        while is_number(number) and before is not None and _reaches(nodes, since):
            read.add(before)
            page = member(await self.pull(number, before), "timelineItems")
            nodes = [*members(page, "nodes"), *nodes]
            before = _preceding(page)
        return {**pull, "timelineItems": {"nodes": nodes}}

    async def queue(self, base_ref: str | None) -> ReadQueue:
        """The queue of a branch; None means the default branch."""
        queued: dict[Place, list[Item]] = {}
        after = None
        read = PagesRead()
        while True:
            read.add(after)
            answer = await self._ask(_QUEUE, {"branch": base_ref, "after": after})
            branch = base_ref or text(member(answer, "defaultBranchRef"), "name")
            queue = member(answer, "mergeQueue")
            entries = member(queue, "entries")
            if branch is not None:
                queued |= dict(_queued(entry, branch) for entry in members(entries, "nodes"))
            after = _following(entries)
            if after is None:
                return ReadQueue(queued, branch, member(queue, "configuration"))

    async def workflows(self, branch: str, known: str | None) -> WorkflowFiles | None:
        """The workflow files of a branch; None if there are none, or if their tree is the known one."""
        asked = {"ref": f"refs/heads/{branch}", "folder": f"{branch}:{_FOLDER}"}
        if known is not None:
            answer = await self._ask(_WORKFLOWS, {**asked, "texts": False})
            if text(member(answer, "object"), "oid") == known:
                return None
        answer = await self._ask(_WORKFLOWS, {**asked, "texts": True})
        commit = text(member(member(answer, "ref"), "target"), "oid")
        tree = text(member(answer, "object"), "oid")
        if commit is None or tree is None:
            return None
        texts = {
            f"{_FOLDER}/{name}": content
            for entry in members(member(answer, "object"), "entries")
            if (name := text(entry, "name")) and name.endswith((".yml", ".yaml"))
            if (content := text(member(entry, "object"), "text")) is not None
        }
        return WorkflowFiles(commit, tree, texts)

    async def identity(self) -> Identity | None:
        """What identifies the repository, unless GitHub refuses to say it; it may still show the history."""
        try:
            answer = await self._ask(_IDENTITY, {})
        except Refused:
            return None
        id, full_name = answer.get("databaseId"), text(answer, "nameWithOwner")
        return Identity(id, full_name) if is_number(id) and full_name is not None else None

    async def _ask(self, query: str, variables: Mapping[str, object]) -> Payload:
        owner, _, name = self.repository.partition("/")
        address = graphql_url(self.url)
        body = {"query": query, "variables": {"owner": owner, "name": name, **variables}}
        answer = require_ok(await self.api.post(address, body), address, self.meanings).value
        if not isinstance(answer, dict):
            raise PlatformDown("GitHub did not return an object")
        found = member(member(answer, "data"), "repository")
        errors = members(answer, "errors")
        # What GitHub could not read is null, which otherwise means that there is none.
        if (rights := _rights_for(errors)) is not None:
            raise RefusedToken(f"{address}: {LACKS.format(rights)}", _FORBIDDEN)
        if not found or any(text(error, "type") != "NOT_FOUND" for error in errors):
            reasons = "; ".join(text(error, "message") or "" for error in errors)
            raise Refused(f"GitHub does not show {self.repository}: {reasons or 'no reason given'}")
        return found


def _rights_for(errors: Iterable[Payload]) -> str | None:
    """The rights that a token lacks for what it asked; None if that is not what is wrong."""
    forbidden = [error for error in errors if text(error, "type") == "FORBIDDEN"]
    if not forbidden:
        return None
    places = [step for error in forbidden for step in error.get("path") or ()]
    found = dict.fromkeys(_RIGHTS[step] for step in places if isinstance(step, str) and step in _RIGHTS)
    return " and ".join(found) or _ALL_RIGHTS


def _queued(entry: Payload, base_ref: str) -> tuple[Place, list[Item]]:
    """A pull request in the queue, with the group that is built for it."""
    pull = member(entry, "pullRequest")
    number = pull.get("number")
    body = {
        "number": number, "base_ref": base_ref, "title": pull.get("title"),
        "author": text(member(pull, "author"), "login"), "url": pull.get("url"),
        "position": entry.get("position"), "enqueued_at": entry.get("enqueuedAt"),
        "pull_sha": pull.get("headRefOid"),
    }  # fmt: skip
    items = [Item(f"queued-{entry.get('id')}", QUEUED, body)]
    head, base = member(entry, "headCommit"), member(entry, "baseCommit")
    if oid := text(head, "oid"):
        group = {
            "number": number, "base_ref": base_ref, "head_sha": oid, "base_sha": text(base, "oid"),
            "built_at": text(head, "committedDate"),
        }  # fmt: skip
        items.append(Item(f"group-{number}-{oid}", GROUP, group))
    return Place(base_ref, number if is_number(number) else 0), items


def _following(connection: Payload) -> str | None:
    info = member(connection, "pageInfo")
    return text(info, "endCursor") if info.get("hasNextPage") is True else None


def _preceding(connection: Payload) -> str | None:
    info = member(connection, "pageInfo")
    return text(info, "startCursor") if info.get("hasPreviousPage") is True else None


def _reaches(nodes: Sequence[Payload], since: int) -> bool:
    """Whether all that was read of a timeline happened since then."""
    return all((instant(node, "createdAt") or 0) >= since for node in nodes[:1])


def is_below(address: str, url: str) -> bool:
    """Whether a URL that GitHub links to is on the same host and may therefore receive the token."""
    return urlsplit(address)[:2] == urlsplit(url)[:2]


AT_ONCE = 25  # pull requests that are read one by one for a page


class PullList:
    """Reads the pull requests that have changed since then, and moves the position."""

    def __init__(self, graphql: GraphQL, position: Position, since: int) -> None:
        self._graphql, self._position, self._since = graphql, position, since
        self._may_restart = position.after is not None
        self._read = PagesRead(MOST_PAGES)

    async def following(self) -> list[Payload]:
        """The pull requests of the next page."""
        position = self._position
        pulls, following = await self._page()
        recent = [pull for pull in pulls if (instant(pull, "updatedAt") or 0) >= self._since]
        if following is not None and recent and len(recent) == len(pulls):
            position.after, position.pulls_until = following, instant(recent[-1], "updatedAt") or 0
            self._read.add(following)
        else:  # an import that reaches further back continues with the same page
            position.is_list_read, position.pulls_until = following is None and recent == pulls, self._since
        return recent

    async def again(self, numbers: Sequence[int]) -> list[Payload]:
        """Pull requests that were listed before, and whose timelines are to be read further back."""
        for number in numbers:
            self._position.note(number, None)
        return [await self._graphql.pull(number) for number in numbers]

    async def _page(self) -> tuple[list[Payload], str | None]:
        try:
            return await self._graphql.pulls(self._position.after)
        except Refused:
            if not self._may_restart:
                raise
            # GitHub may no longer know this cursor: the list is read from its beginning.
            self._position.after = None
            return await self._graphql.pulls(None)
        finally:
            self._may_restart = False
