"""GitHub's history of a merge queue, newest first: timelines, then the runs of CI on queue branches."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from mergecast.model.instant import DAY, MINUTE, format_instant
from mergecast.model.window import Window
from mergecast.platform.fetch import Fetched, PlatformDown
from mergecast.platform.github import links
from mergecast.platform.patient import PatientApi, require_ok
from mergecast.sources.github.history_items import CHECK_RUN, TIMELINE, WORKFLOW_RUN
from mergecast.sources.github.payload import Payload, instant, member, members, text
from mergecast.sources.page import Item, Page

_ENTERPRISE = "/api/v3"
_MOST_RESULTS = 1000  # GitHub lists no more of one filtered search
_WIDEST, _NARROWEST = 1 * DAY, MINUTE
_MEANINGS = {
    401: "GitHub does not accept the token; set MERGECAST_GITHUB_TOKEN",
    403: "the token may not read this repository",
    404: "GitHub does not know this repository, or the token may not see it",
}
# One query per 25 pull requests, with the events of the queue in each timeline.
_QUERY = """
query QueueHistory($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 25, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}) {
      pageInfo { hasNextPage endCursor }
      nodes {
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
      }
    }
  }
}
"""


class _Position(msgspec.Struct):
    """Where an import stands: pull requests first, then runs of CI, then checks of other CI systems."""

    after: str | None = None
    are_pulls_read: bool = False
    runs_until: int | None = None


async def history(
    api: PatientApi, url: str, repository: str, window: Window, cursor: str | None
) -> AsyncIterator[Page]:
    """Everything about the queue in the window; `cursor` is where an earlier import broke off."""
    position = msgspec.json.decode(cursor, type=_Position) if cursor else _Position()
    tested: dict[str, tuple[int, str]] = {}
    while not position.are_pulls_read:
        pulls, after = await _pulls(api, url, repository, position.after)
        recent = [pull for pull in pulls if (instant(pull, "updatedAt") or 0) >= window.start]
        is_last = after is None or len(recent) < len(pulls)
        position = _Position(after, is_last)
        tested |= _tested_commits(recent)
        yield _page([item for pull in recent for item in _timeline_items(pull)], position, _oldest(recent))
    until = window.end if position.runs_until is None else position.runs_until
    while until > window.start:
        runs, since = await _runs(api, url, repository, Window(window.start, until))
        until = since
        position = _Position(None, are_pulls_read=True, runs_until=until)
        for run in runs:
            tested.pop(text(run, "head_sha") or "", None)
        yield _page([_run_item(run) for run in runs], position, until)
    for sha, (number, base_ref) in tested.items():
        checks = await _checks(api, url, repository, sha)
        yield _page([_check_item(check, number, base_ref) for check in checks], position, until)


async def _pulls(
    api: PatientApi, url: str, repository: str, after: str | None
) -> tuple[list[Payload], str | None]:
    owner, _, name = repository.partition("/")
    root = url.removesuffix(_ENTERPRISE)
    address = f"{url}/graphql" if root == url else f"{root}/api/graphql"
    body = msgspec.json.encode({"query": _QUERY, "variables": {"owner": owner, "name": name, "after": after}})
    answer = _decoded(require_ok(await api.post(address, body), address, _MEANINGS))
    repository_found = member(member(answer, "data"), "repository")
    if not repository_found:
        errors = "; ".join(text(error, "message") or "" for error in members(answer, "errors"))
        raise PlatformDown(f"GitHub does not give the history of {repository}: {errors or 'no reason given'}")
    found = member(repository_found, "pullRequests")
    info = member(found, "pageInfo")
    return members(found, "nodes"), text(info, "endCursor") if info.get("hasNextPage") is True else None


def _timeline_items(pull: Payload) -> list[Item]:
    author = text(member(pull, "author"), "login")
    common = {
        "number": pull.get("number"), "base_ref": pull.get("baseRefName"), "title": pull.get("title"),
        "author": author, "url": pull.get("url"),
    }  # fmt: skip
    nodes = members(member(pull, "timelineItems"), "nodes")
    is_queued = any(text(node, "__typename") != "MergedEvent" for node in nodes)
    return [Item(str(node.get("id")), TIMELINE, {**common, "node": node}) for node in nodes if is_queued]


def _tested_commits(pulls: list[Payload]) -> dict[str, tuple[int, str]]:
    """The group commits that timelines name, and whose they are."""
    found = {}
    for pull in pulls:
        number, base_ref = pull.get("number"), text(pull, "baseRefName")
        for node in members(member(pull, "timelineItems"), "nodes"):
            sha = text(member(node, "beforeCommit"), "oid")
            if sha and isinstance(number, int) and base_ref:
                found[sha] = (number, base_ref)
    return found


async def _runs(
    api: PatientApi, url: str, repository: str, window: Window
) -> tuple[list[dict[str, Any]], int]:
    """The runs of the newest part of the window that GitHub lists whole, and where that part begins."""
    width = _WIDEST
    while True:
        since = max(window.start, window.end - width)
        created = f"{format_instant(since)}..{format_instant(window.end)}"
        query = urlencode({"event": "merge_group", "created": created, "per_page": 100})
        address = f"{url}/repos/{quote(repository)}/actions/runs?{query}"
        answer = require_ok(await api.get(address), address, _MEANINGS)
        total = _decoded(answer).get("total_count")
        if not isinstance(total, int) or total < _MOST_RESULTS or width <= _NARROWEST:
            return await _all(api, url, answer, "workflow_runs"), since
        width = max(_NARROWEST, width // 4)


async def _checks(api: PatientApi, url: str, repository: str, sha: str) -> list[dict[str, Any]]:
    """The checks of one group, for CI systems other than GitHub Actions."""
    address = f"{url}/repos/{quote(repository)}/commits/{quote(sha)}/check-runs?filter=all&per_page=100"
    answer = await api.get(address)
    # A commit that GitHub has dropped since is not an error: its checks are gone.
    return await _all(api, url, answer, "check_runs") if answer.status == 200 else []  # noqa: PLR2004


async def _all(api: PatientApi, url: str, answer: Fetched, name: str) -> list[dict[str, Any]]:
    """This page and those that follow it; the token goes to no other host."""
    found = [dict(item) for item in members(_decoded(answer), name)]
    while following := links(answer).get("next"):
        if not following.startswith(f"{url}/"):
            raise PlatformDown("GitHub links a page to another host")
        answer = require_ok(await api.get(following), following, _MEANINGS)
        found += [dict(item) for item in members(_decoded(answer), name)]
    return found


def _decoded(answer: Fetched) -> Payload:
    try:
        decoded = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PlatformDown(f"GitHub does not answer in JSON: {error}") from None
    if not isinstance(decoded, dict):
        raise PlatformDown("GitHub does not answer with an object")
    return decoded


def _run_item(run: dict[str, Any]) -> Item:
    id = f"run-{run.get('id')}-{run.get('run_attempt')}-{run.get('status')}"
    return Item(id, WORKFLOW_RUN, run)


def _check_item(check: dict[str, Any], number: int, base_ref: str) -> Item:
    body = {**check, "number": number, "base_ref": base_ref}
    return Item(f"check-{check.get('id')}-{check.get('status')}", CHECK_RUN, body)


def _oldest(pulls: list[Payload]) -> int | None:
    return instant(pulls[-1], "updatedAt") if pulls else None


def _page(items: list[Item], position: _Position, reached: int | None) -> Page:
    return Page(tuple(items), msgspec.json.encode(position).decode(), reached)
