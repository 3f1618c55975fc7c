"""The jobs of workflow runs: which checks ran, when each was queued, and on which machine."""

from collections.abc import AsyncGenerator, Iterable
from typing import Any

from mergecast.incoming.platform.patient import PatientApi
from mergecast.incoming.platform.several import read_several
from mergecast.incoming.sources.github.history.rest_lists import list_if_any
from mergecast.incoming.sources.github.history_items import JOB
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import instant, is_number
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.window import Window

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
