"""GitHub's history of a merge queue, newest first: timelines, and the runs of CI on queue branches."""

from collections.abc import AsyncIterator, Iterable

import msgspec

from mergecast.model.instant import DAY, HOUR, format_instant
from mergecast.model.window import Window
from mergecast.platform.patient import PatientApi, Refused
from mergecast.sources.github.graphql import GraphQL
from mergecast.sources.github.history_items import ABSENT
from mergecast.sources.github.runs import Runs
from mergecast.sources.github.timelines import tested_commits, timeline_items
from mergecast.sources.page import (
    MOST_PAGES,
    Absence,
    Identity,
    Item,
    Page,
    PagesRead,
    Place,
    Queued,
    read_position,
)
from mergecast.sources.payload import instant

# A run that a poll sees end may have begun this long ago: GitHub waits no longer for checks.
_LONGEST_RUN = 6 * HOUR
# Runs are read this far ahead of timelines, because they show which commits need no further requests.
_LEAD = DAY


class _Position(msgspec.Struct):
    """How far back an import has read CI runs and pull requests."""

    runs_until: int
    pulls_until: int
    after: str | None = None
    are_pulls_read: bool = False


async def history(
    api: PatientApi, url: str, repository: str, window: Window, cursor: str | None
) -> AsyncIterator[Page]:
    """Everything about the queue in the window; `cursor` is where an earlier import stopped."""
    position = read_position(cursor, _Position) or _Position(window.end, window.end)
    position.runs_until = min(position.runs_until, window.end)
    read = PagesRead(MOST_PAGES)
    graphql, runs = GraphQL(api, url, repository), Runs(api, url, repository, window)
    first_run = window.start - _LONGEST_RUN
    is_resumed = position.after is not None
    while position.runs_until > first_run or not position.are_pulls_read:
        if _are_runs_next(position, first_run):
            items, position.runs_until = await runs.before(position.runs_until)
        else:
            try:
                items = await _read_pulls(graphql, runs, position, window)
            except Refused:
                if not is_resumed:
                    raise
                # GitHub may no longer know this cursor: the list is read from its beginning.
                position.after, is_resumed = None, False
                continue
            is_resumed = False
            read.add(position.after)
        reached = max(position.runs_until, position.pulls_until)
        yield Page(tuple(items), msgspec.json.encode(position).decode(), max(reached, window.start))


def _are_runs_next(position: _Position, first_run: int) -> bool:
    if position.are_pulls_read:
        return True
    return position.runs_until > max(first_run, position.pulls_until - _LEAD)


async def _read_pulls(graphql: GraphQL, runs: Runs, position: _Position, window: Window) -> list[Item]:
    """The next pull requests, with the checks of commits that GitHub Actions did not test."""
    pulls, position.after = await graphql.pulls(position.after)
    recent = [pull for pull in pulls if (instant(pull, "updatedAt") or 0) >= window.start]
    position.are_pulls_read = position.after is None or not recent or len(recent) < len(pulls)
    position.pulls_until = window.start if position.are_pulls_read else instant(recent[-1], "updatedAt") or 0
    whole = [await graphql.with_timeline(pull, window.start) for pull in recent]
    items = [item for pull in whole for item in timeline_items(pull, window.start)]
    return [*items, *await _checks(runs, items)]


async def _checks(runs: Runs, items: Iterable[Item]) -> list[Item]:
    commits = {commit.sha: commit for commit in tested_commits(items)}
    return [item for commit in commits.values() for item in await runs.checks(commit)]


async def identity(api: PatientApi, url: str, repository: str) -> Identity | None:
    return await GraphQL(api, url, repository).identity()


async def queued(api: PatientApi, url: str, repository: str, base_refs: Iterable[str]) -> Queued:
    """The pull requests in the queues of these branches and of the default branch."""
    graphql = GraphQL(api, url, repository)
    found, default = await graphql.queue(None)
    others = sorted(set(base_refs) - {default})
    for base_ref in others:
        found |= (await graphql.queue(base_ref))[0]
    branches = frozenset(name for name in (default, *others) if name is not None)
    return Queued(branches, frozenset(found), tuple(found.values()))


async def read_one_by_one(
    api: PatientApi, url: str, repository: str, places: Iterable[Place], window: Window
) -> list[Item]:
    """The timelines of individual pull requests, which may contain what a list did not."""
    graphql, runs = GraphQL(api, url, repository), Runs(api, url, repository, window)
    newest = [await graphql.pull(place.number) for place in places]
    pulls = [await graphql.with_timeline(pull, window.start) for pull in newest]
    items = [item for pull in pulls for item in timeline_items(pull, window.start, is_queued=True)]
    return [*items, *await _checks(runs, items)]


def absent_item(absence: Absence) -> Item:
    at = format_instant(absence.at)
    seen = None if absence.last_seen_at is None else format_instant(absence.last_seen_at)
    body = {
        "number": absence.place.number,
        "base_ref": absence.place.base_ref,
        "at": at,
        "last_seen_at": seen,
    }
    # A pull request whose base branch was changed may be missing from the queues of both branches.
    return Item(f"absent-{absence.place.number}-{at}-{absence.place.base_ref}"[:200], ABSENT, body)
