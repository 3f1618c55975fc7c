"""One removal with the runs that say something about it."""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from mergecast.queues.model.instant import HOUR, SECOND
from mergecast.signals.verdict.runs import Run, Runs
from mergecast.signals.verdict.stays import Stays

MOST_SUSPECTS: Final = 12
SEEN_AFTER: Final = SECOND  # a run that ends so soon after a removal may be why
LOCAL_FOR: Final = 26 * HOUR
_MOST_RUNS: Final = 40  # of failed and of passed ones; the last count


class Case(NamedTuple):
    """Suspects are changes, this one first; runs are in the order of their ends."""

    stay: int
    at: int  # when it was removed
    suspects: tuple[int, ...]
    suspected: int  # how many there were before the less suspicious ones were left out
    own_failures: tuple[Run, ...]  # of runs that it was a member of
    failed: tuple[Run, ...]
    passed: tuple[Run, ...]
    passed_without: tuple[Run, ...]  # of others that it had failed with, or proven ones among them
    stays: frozenset[int]  # of the suspects

    @property
    def change(self) -> int:
        return self.suspects[0]

    @property
    def last(self) -> Run:
        return self.own_failures[-1]


class Scene(NamedTuple):
    """Everything that is known up to an instant."""

    stays: Stays
    runs: Runs
    until: int

    def case(self, stay: int) -> Case | None:
        """The case of a stay that left; None if none of its runs failed."""
        change, at = self.stays.change(stay), self.stays.known[stay].left_at or self.until
        own = [run for run in self._runs_of([change]) if run.ended_at <= at + SEEN_AFTER]
        failures = [run for run in own if not run.has_passed]
        if not failures:
            return None
        trees = [self.stays.changes(run.tree) for run in failures if run.is_evidence]
        suspected = list(dict.fromkeys([change, *(other for tree in trees for other in tree)]))
        first = min(run.started_at for run in failures)
        local = [*own, *(run for run in self._local(suspected, first) if change not in self._members(run))]
        local.sort(key=_end)
        proven = self._proven(local) - {change}
        suspects = [other for other in suspected if other not in proven]
        suspects, failed = self._limited(suspects, local, proven)
        return Case(
            stay,
            at,
            tuple(suspects),
            len(suspected) - len(proven.intersection(suspected)),
            tuple(failures),
            tuple(failed[-_MOST_RUNS:]),
            tuple(self._meeting(suspects, (run for run in local if run.has_passed))[-_MOST_RUNS:]),
            tuple(run for run in local if run.has_passed and change not in self.stays.changes(run.tree)),
            frozenset(stay for change in suspects for stay in self.stays.of_change(change)),
        )

    def _members(self, run: Run) -> list[int]:
        return self.stays.changes(run.members)

    def _runs_of(self, changes: Iterable[int]) -> list[Run]:
        """The runs that these changes were members of, in the order of their ends."""
        found = {
            run.number: run
            for change in changes
            for stay in self.stays.of_change(change)
            for run in self.runs.of(stay)
            if run.ended_at <= self.until
        }
        return sorted(found.values(), key=_end)

    def _local(self, suspected: list[int], first: int) -> list[Run]:
        """The runs of the suspects' commits, and those that tested one of them since the first failure."""
        stays = {stay for change in suspected for stay in self.stays.of_change(change)}
        found = {run.number: run for run in self._runs_of(suspected)}
        since = max(first, self.until - LOCAL_FOR)
        for run in self.runs.since(since):
            if run.ended_at <= self.until and not stays.isdisjoint(run.tree):
                found[run.number] = run
        return list(found.values())

    def _proven(self, local: list[Run]) -> set[int]:
        passed = [run for run in local if run.has_passed and not run.is_retry]
        return {change for run in passed for change in self.stays.changes(run.tree)}

    def _limited(
        self, suspects: list[int], local: list[Run], proven: set[int]
    ) -> tuple[list[int], list[Run]]:
        """The suspects, or the most suspicious of too many, and the failed runs that they can explain."""
        failed = self._meeting(suspects, (run for run in local if not run.has_passed))
        if len(suspects) <= MOST_SUSPECTS:
            return suspects, failed
        suspects = self._most_suspicious(suspects, failed)
        kept = {*suspects, *proven}
        return suspects, [run for run in failed if self._is_explained(run, suspects[0], kept)]

    def _meeting(self, suspects: list[int], runs: Iterable[Run]) -> list[Run]:
        wanted = set(suspects)
        return [run for run in runs if not wanted.isdisjoint(self.stays.changes(run.tree))]

    def _most_suspicious(self, suspects: list[int], failed: list[Run]) -> list[int]:
        """This one and those in most failed trees; of equals, those it met first."""
        counts = Counter(change for run in failed for change in self.stays.changes(run.tree))
        others = sorted(suspects[1:], key=lambda change: -counts[change])
        return [suspects[0], *others[: MOST_SUSPECTS - 1]]

    def _is_explained(self, run: Run, change: int, kept: set[int]) -> bool:
        tree = self.stays.changes(run.tree)
        return change in tree or kept.issuperset(tree)

    def others(self, stays: AbstractSet[int], since: int) -> list[Run]:
        """The runs without any of these stays that ended since an instant, in order."""
        found = [
            run for run in self.runs.since(since) if run.ended_at <= self.until and stays.isdisjoint(run.tree)
        ]
        return found[::-1]


def _end(run: Run) -> tuple[int, int]:
    return run.ended_at, run.number
