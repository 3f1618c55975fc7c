"""GitHub's history of a merge queue, newest first: timelines, and the runs of CI on queue branches."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote

from msgspec import structs

from mergecast.incoming.platform.github import headers_for
from mergecast.incoming.platform.patient import PatientApi, Refused
from mergecast.incoming.sources.github.branch_rules import branch_rules, queue_rule
from mergecast.incoming.sources.github.history.graphql import AT_ONCE, GraphQL, PullList
from mergecast.incoming.sources.github.history.position import (
    LONGEST_RUN,
    Position,
    begin,
    joined,
    written,
)
from mergecast.incoming.sources.github.history.queue_settings import settings_items
from mergecast.incoming.sources.github.history.rest_lists import list_if_any
from mergecast.incoming.sources.github.history.runs import Runs
from mergecast.incoming.sources.github.history.timelines import last_left_out, tested_commits, timeline_items
from mergecast.incoming.sources.github.history_items import ABSENT, REQUIRED_CHECKS
from mergecast.incoming.sources.history_reader import HistoryReader, QueueReader
from mergecast.incoming.sources.page import Absence, Identity, Item, Page, Part, Place, Queued, WorkflowFiles
from mergecast.incoming.sources.payload import Payload, is_number, member, text
from mergecast.queues.answers.audit import BranchRules
from mergecast.queues.model.instant import DAY, Window, format_instant

# Runs are read this far ahead of timelines, because they show which commits need no further requests.
_LEAD = DAY
_STATUS_CHECKS = "required_status_checks"
_OK = 200


async def history(api: PatientApi, url: str, repository: str, part: Part) -> AsyncGenerator[Page]:
    """Everything about the queue in a part that has not been read."""
    window, position = part.window, begin(part)
    graphql = GraphQL(api, url, repository)
    runs = Runs(api, _place(url, repository), window, part.begins)
    runs.ahead.update(position.runs_ahead)
    runs.jobs.read.update(position.jobs_read)
    pulls = _Pulls(graphql, runs, position, window)
    first_run = window.start - LONGEST_RUN
    while True:
        runs_until = position.runs_until
        if returning := position.to_return_to(window.start)[:AT_ONCE]:
            items = await pulls.read_again(returning)
        elif _are_runs_next(position, first_run, window.start):
            items = []
            runs_until = await runs.before(position.runs_until)
        elif not position.are_pulls_read(window.start):
            items = await pulls.read_next()
        else:
            return
        # Slices count as read once the jobs of their runs are read, too.
        if runs.jobs.are_waiting:
            yield _page((*items, *runs.found()), position, window)
            items = []
        async for jobs in runs.jobs.parts():
            position.jobs_read = sorted(runs.jobs.read)
            yield _page(jobs, position, window)
        runs.jobs.read.clear()
        position.runs_until, position.runs_ahead, position.jobs_read = runs_until, sorted(runs.ahead), []
        yield _page((*items, *runs.found()), position, window)


def _place(url: str, repository: str) -> str:
    return f"{url}/repos/{quote(repository)}"


def _page(items: Iterable[Item], position: Position, window: Window) -> Page:
    reached = max(position.runs_until, position.pulls_until, window.start)
    return Page(tuple(items), written(position), reached)


def _are_runs_next(position: Position, first_run: int, since: int) -> bool:
    if position.are_pulls_read(since):
        return position.runs_until > first_run
    return position.runs_until > max(first_run, position.pulls_until - _LEAD)


class _Pulls:
    """The timelines of pull requests, and the checks of commits that GitHub Actions did not test."""

    def __init__(self, graphql: GraphQL, runs: Runs, position: Position, window: Window) -> None:
        self._graphql, self._runs, self._position, self._window = graphql, runs, position, window
        self._listed = PullList(graphql, position, window.start)

    async def read_next(self) -> list[Item]:
        """The next pull requests of the list."""
        return await self._items(await self._listed.following())

    async def read_again(self, numbers: Sequence[int]) -> list[Item]:
        """Pull requests with stays from before the part that they were listed in."""
        return await self._items(await self._listed.again(numbers))

    async def _items(self, pulls: Sequence[Payload]) -> list[Item]:
        since, items = self._window.start, []
        for pull in pulls:
            whole, number = await self._graphql.with_timeline(pull, since), pull.get("number")
            items += timeline_items(whole, since)
            if is_number(number):
                self._position.note(number, last_left_out(whole, since))
        return [*items, *await _checks(self._runs, items, self._position.checked_since)]


async def _checks(runs: Runs, items: Iterable[Item], checked_since: int | None = None) -> list[Item]:
    commits = {commit.sha: commit for commit in tested_commits(items)}
    new = [commit for commit in commits.values() if checked_since is None or commit.left_at < checked_since]
    return [item for commit in new for item in await runs.checks(commit)]


async def identity(api: PatientApi, url: str, repository: str) -> Identity | None:
    return await GraphQL(api, url, repository).identity()


async def queued(api: PatientApi, url: str, repository: str, base_refs: Iterable[str]) -> Queued:
    """The pull requests in the queues of these branches and of the default branch."""
    graphql = GraphQL(api, url, repository)
    default = await graphql.queue(None)
    others = [await graphql.queue(base_ref) for base_ref in sorted(set(base_refs) - {default.branch})]
    branches, places, items, known = set[str](), set[Place](), list[Item](), dict[str, BranchRules]()
    for queue in (default, *others):
        places |= queue.entries.keys()
        items += [item for own in queue.entries.values() for item in own]
        if queue.branch is not None:
            branches.add(queue.branch)
            rules = await _rules(api, _place(url, repository), queue.branch)
            items += rules.items(queue.branch, queue.configuration, format_instant(api.now()))
            settings = rules.of_branch.queue or queue_rule(queue.configuration)
            if settings is not None:
                known[queue.branch] = structs.replace(rules.of_branch, queue=settings)
    return Queued(frozenset(branches), frozenset(places), tuple(items), known)


async def workflows(
    api: PatientApi, url: str, repository: str, branch: str, known: str | None
) -> WorkflowFiles | None:
    """The workflow files of a branch, unless their tree is the known one, or the token may not read them."""
    try:
        return await GraphQL(api, url, repository).workflows(branch, known)
    except Refused:
        return None


async def read_one_by_one(
    api: PatientApi, url: str, repository: str, places: Iterable[Place], window: Window
) -> list[Item]:
    """The timelines of individual pull requests, which may contain what a list did not."""
    graphql, numbers = GraphQL(api, url, repository), [place.number for place in places]
    runs = Runs(api, _place(url, repository), window, window.start, numbers=numbers)
    newest = [await graphql.pull(number) for number in numbers]
    pulls = [await graphql.with_timeline(pull, window.start) for pull in newest]
    items = [item for pull in pulls for item in timeline_items(pull, window.start, is_queued=True)]
    checks = await _checks(runs, items)
    jobs = [job async for part in runs.jobs.parts() for job in part]
    return [*items, *checks, *jobs, *runs.found()]


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


HISTORY = HistoryReader(
    pages=history,
    headers=headers_for,
    join=joined,
    queue=QueueReader(queued, read_one_by_one, absent_item, workflows),
    identity=identity,
)


class _Rules(NamedTuple):
    """What GitHub tells of the rules of a branch."""

    listed: Sequence[Payload]
    of_branch: BranchRules

    def items(self, branch: str, configuration: Payload, at: str) -> list[Item]:
        """The settings of the queue of the branch, and the checks that it requires."""
        settings = settings_items(branch, configuration, self.listed, at)
        required = self.of_branch.required
        return [*settings, _item(branch, list(required), at)] if required else settings


async def _rules(api: PatientApi, place: str, branch: str) -> _Rules:
    """The rules of a branch.

    Nothing is known about required checks if the token may not read all rules. Rules that require a workflow
    do not name its checks, so with such a rule nothing is known either.
    """
    name = quote(branch, safe="")
    rules = await list_if_any(api, f"{place}/rules/branches/{name}?per_page=100", None)
    protection = await api.get(f"{place}/branches/{name}")
    found = branch_rules(rules or ())
    if rules is None or protection.status != _OK or any(text(rule, "type") == "workflows" for rule in rules):
        return _Rules(rules or (), structs.replace(found, required=None))
    shown = protection.value if isinstance(protection.value, dict) else {}
    names = {*(found.required or ()), *_of_protection(shown)}
    return _Rules(rules, structs.replace(found, required=tuple(sorted(names))))


def _of_protection(branch: Payload) -> set[str]:
    contexts = member(member(branch, "protection"), _STATUS_CHECKS).get("contexts")
    return {name for name in contexts if isinstance(name, str)} if isinstance(contexts, list) else set()


def _item(branch: str, names: list[str], at: str) -> Item:
    """One item a day, however often the rules are read, and another when they change."""
    digest = sha256("\n".join((branch, *names)).encode()).hexdigest()[:24]
    return Item(
        f"required-{digest}-{at[:10]}", REQUIRED_CHECKS, {"base_ref": branch, "names": names, "at": at}
    )
