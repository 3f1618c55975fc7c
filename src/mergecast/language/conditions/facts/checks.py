"""The checks of the head commit: one state per app and name."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from mergecast.queues.model.snapshot import CheckRun, CommitStatus, Part, Snapshot

PENDING = "pending"

# A rule must not wait for the checks in which the service reports about that rule or about its queue. Other
# checks of the service, such as `Mergify Merge Protections`, count like those of any app.
_OWN_APPS = frozenset({"mergecast", "mergify"})
_REPORTS = re.compile(r"Summary|(Mergify|Mergecast) Merge Queue|(Rule|Queue): .*", re.DOTALL)


class HeadCheck(NamedTuple):
    """A check of the head commit in its latest state; `app` is None for statuses and unreported checks."""

    name: str
    app: str | None
    state: str


class HeadChecks:
    """All checks by name. Under a name without an app, a commit status hides check runs of that name."""

    def __init__(self, everything: Iterable[HeadCheck]) -> None:
        self._everything = tuple(sorted(everything, key=_by_name))

    @cached_property
    def visible(self) -> tuple[HeadCheck, ...]:
        hidden = {check.name for check in self._everything if check.app is None}
        return tuple(check for check in self._everything if check.app is None or check.name not in hidden)

    @cached_property
    def _index(self) -> dict[tuple[str | None, str], tuple[HeadCheck, ...]]:
        named: dict[tuple[str | None, str], tuple[HeadCheck, ...]] = {}
        for check in self.visible:
            named[None, check.name] = (*named.get((None, check.name), ()), check)
        return named | {(check.app, check.name): (check,) for check in self._everything if check.app}

    def named(self, app: str | None, name: str) -> tuple[HeadCheck, ...]:
        return self._index.get((app, name), ())

    def of(self, app: str | None) -> tuple[HeadCheck, ...]:
        """The checks of one app, or those that a name without an app can refer to."""
        if app is None:
            return self.visible
        return tuple(check for check in self._everything if check.app == app)


def derive_checks(snapshot: Snapshot) -> HeadChecks:
    """Check runs, statuses, and required checks that have not been reported yet."""
    latest = {
        (run.app, run.name): HeadCheck(run.name, run.app, run.conclusion or PENDING)
        for run in sorted(snapshot.check_runs or (), key=_by_completion)
        if run.app not in _OWN_APPS or not _REPORTS.fullmatch(run.name)
    }
    statuses = {
        status.context: HeadCheck(status.context, None, status.state)
        for status in sorted(snapshot.statuses or (), key=_by_update)
    }
    reported = {name for _, name in latest} | statuses.keys()
    awaited = (
        HeadCheck(name, None, PENDING) for name in dict.fromkeys(_required(snapshot)) if name not in reported
    )
    return HeadChecks((*latest.values(), *statuses.values(), *awaited))


def _by_name(check: HeadCheck) -> tuple[str, str]:
    return check.name, check.app or ""


def _by_completion(run: CheckRun) -> tuple[bool, int]:
    """A run that has not completed sorts as the latest."""
    return run.completed_at is None, run.completed_at or 0


def _by_update(status: CommitStatus) -> int:
    return status.updated_at or 0


def _required(snapshot: Snapshot) -> Iterable[str]:
    if snapshot.branch_protection:
        yield from snapshot.branch_protection.required_checks
    for rule in snapshot.rules or ():
        yield from rule.required_checks


def caveat(snapshot: Snapshot) -> str | None:
    """The remark to show when only one of the two kinds of checks was recorded."""
    for part, recorded in ((Part.CHECK_RUNS, snapshot.check_runs), (Part.STATUSES, snapshot.statuses)):
        if recorded is None:
            return part.absent
    return None
