"""Runs of CI on queue branches: the list of workflow runs, and the checks of single commits."""

from collections.abc import AsyncGenerator, Collection, Iterable
from typing import Any
from urllib.parse import quote, urlencode

from mergecast.incoming.platform.patient import PatientApi, require_ok
from mergecast.incoming.platform.several import read_several
from mergecast.incoming.sources.github.history.graphql import MEANINGS
from mergecast.incoming.sources.github.history.rest_lists import all_pages, list_if_any
from mergecast.incoming.sources.github.history.timelines import TestedCommit
from mergecast.incoming.sources.github.history_items import CHECK_RUN, IS_EARLY, JOB, STATUS, WORKFLOW_RUN
from mergecast.incoming.sources.github.queue_branch import read_queue_branch
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import Payload, instant, is_number, text
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window, format_instant

_MOST_RESULTS = 1000  # GitHub lists no more results of one filtered search
# The bounds of a slice are round, so that the next poll requests the same URL, which is free of charge
# if nothing changed.
_WIDE, _NARROW = DAY, 6 * HOUR
_LONG = 2 * DAY
_SHORTEST = MINUTE
_LONGEST_TEST = DAY  # a commit that left the queue now was tested since then
# Each run takes a request. Those of a longer time would use up GitHub's limit for hours.
_SPAN = 14 * DAY
# A poll may list a run as running that ends before the poll does: the next one looks at it again.
_OVERLAP = 5 * MINUTE
_AT_ONCE = 6
_PART = 24  # runs
# What translation reads, and what people may want to look up. The steps of a job are much longer.
_KEPT = (
    *("id", "run_id", "run_attempt", "name", "workflow_name", "status", "conclusion", "created_at"),
    *("started_at", "completed_at", "labels", "runner_name", "html_url", "check_run_url"),
)


class Runs:
    """The CI runs of one repository in slices of time, newest first."""

    def __init__(
        self,
        api: PatientApi,
        place: str,  # the URL of the repository
        window: Window,
        begins: int,
        numbers: Collection[int] | None = None,
    ) -> None:
        """Runs that began before `begins` are marked; with numbers, only theirs are kept."""
        self._api, self._place, self._begins, self._numbers = api, place, begins, numbers
        self._until = window.end
        self._width = _WIDE if window.end - window.start > _LONG else _NARROW
        self._tested: dict[int, frozenset[str]] = {}  # commits by the slice that lists their runs
        self._found: list[Item] = []
        self.jobs = Jobs(api, self._place, window)
        # Slices that were read before their turn, because a commit was looked for there.
        self.ahead: set[Window] = set()

    async def before(self, until: int) -> int:
        """Read the slice that ends at `until` or contains it; returns where that slice begins."""
        since = self._slice(until - 1)
        if Window(since, since + self._width) not in self.ahead:
            await self._read(since)
        self.ahead = {slice for slice in self.ahead if slice.start < since}
        return since

    async def _read(self, since: int) -> None:
        slice = Window(since, since + self._width)
        runs = await self._list(slice)
        self._tested[since] = frozenset(text(run, "head_sha") or "" for run in runs)
        wanted = [run for run in runs if self._is_wanted(run)]
        self._found += [_run_item(run, self._begins) for run in wanted]
        self.jobs.note(wanted)
        self.ahead.add(slice)

    def _is_wanted(self, run: Payload) -> bool:
        branch = read_queue_branch(text(run, "head_branch"))
        return self._numbers is None or (branch is not None and branch.number in self._numbers)

    def found(self) -> list[Item]:
        """The runs in all slices that were read since the last call."""
        found, self._found = self._found, []
        return found

    async def checks(self, commit: TestedCommit) -> list[Item]:
        """What other CI systems reported about a commit; nothing if the list of workflow runs has it."""
        if await self._is_listed(commit):
            return []
        common = {"number": commit.number, "base_ref": commit.base_ref, "head_sha": commit.sha}
        commit_place = f"{self._place}/commits/{quote(commit.sha)}"
        # A commit that GitHub has since deleted has no lists.
        address = f"{commit_place}/check-runs?filter=all&per_page=100"
        if checks := await list_if_any(self._api, address, "check_runs"):
            return [_named(check, CHECK_RUN, common) for check in checks]
        statuses = await list_if_any(self._api, f"{commit_place}/statuses?per_page=100", None)
        return [_named(status, STATUS, common) for status in statuses or ()]

    async def _is_listed(self, commit: TestedCommit) -> bool:
        left_at = min(commit.left_at, self._until)
        for since in range(self._slice(left_at - _LONGEST_TEST), left_at + 1, self._width):
            if since not in self._tested:
                await self._read(since)
            if commit.sha in self._tested[since]:
                return True
        return False

    def _slice(self, instant: int) -> int:
        return instant // self._width * self._width

    async def _list(self, window: Window) -> list[dict[str, Any]]:
        """All runs of a window, which is split in halves while GitHub would truncate the list."""
        created = f"{format_instant(window.start)}..{format_instant(window.end - SECOND)}"
        query = urlencode({"event": "merge_group", "created": created, "per_page": 100})
        address = f"{self._place}/actions/runs?{query}"
        answer = require_ok(await self._api.get(address), address, MEANINGS)
        total = answer.value.get("total_count") if isinstance(answer.value, dict) else None
        if is_number(total) and total >= _MOST_RESULTS and window.end - window.start > _SHORTEST:
            middle = (window.start + window.end) // (2 * SECOND) * SECOND
            return [
                *await self._list(Window(middle, window.end)),
                *await self._list(Window(window.start, middle)),
            ]
        return await all_pages(self._api, answer, address, "workflow_runs")


def _run_item(run: dict[str, Any], begins: int) -> Item:
    id = f"run-{run.get('id')}-{run.get('run_attempt')}-{run.get('status')}"
    if (instant(run, "created_at") or 0) >= begins:
        return Item(id, WORKFLOW_RUN, run)
    # An import that reaches further back reads it again, without the mark.
    return Item(f"{id}-early", WORKFLOW_RUN, {**run, IS_EARLY: True})


def _named(body: dict[str, Any], kind: str, common: dict[str, Any]) -> Item:
    """An item that also names its pull request."""
    return Item(
        f"{kind}-{body.get('id')}-{body.get('status') or body.get('state')}", kind, {**body, **common}
    )


class Jobs:
    """Reads the jobs of runs that ended in a window, and not long before its end."""

    def __init__(self, api: PatientApi, place: str, window: Window) -> None:
        self._api, self._place = api, place
        self._since = max(window.start - _OVERLAP, window.end - _SPAN)
        self._waiting: list[dict[str, Any]] = []
        self.read: set[int] = set()  # the ids of runs whose jobs were read

    def note(self, runs: Iterable[dict[str, Any]]) -> None:
        """Remember the runs whose jobs are to be read."""
        self._waiting += [
            run
            for run in runs
            if run.get("status") == "completed"
            and is_number(run.get("id"))
            and run["id"] not in self.read
            and (instant(run, "updated_at") or 0) >= self._since
        ]

    @property
    def are_waiting(self) -> bool:
        return bool(self._waiting)

    async def parts(self) -> AsyncGenerator[list[Item]]:
        """The jobs of the runs that were noted, those of a few runs at a time."""
        while self._waiting:
            part, self._waiting = self._waiting[:_PART], self._waiting[_PART:]
            found = await read_several(self._of_run, part, _AT_ONCE)
            self.read.update(run["id"] for run in part)
            yield found

    async def _of_run(self, run: dict[str, Any]) -> list[Item]:
        address = f"{self._place}/actions/runs/{run['id']}/jobs?filter=all&per_page=100"
        jobs = await list_if_any(self._api, address, "jobs")
        group = {"head_branch": run.get("head_branch"), "head_sha": run.get("head_sha")}
        return [
            Item(f"job-{job.get('id')}-{job.get('status')}", JOB, {**_kept(job), **group})
            for job in jobs or ()
        ]


def _kept(job: dict[str, Any]) -> dict[str, Any]:
    return {name: job[name] for name in _KEPT if name in job}
