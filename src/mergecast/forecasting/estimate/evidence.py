"""Evidence of broken pull requests: small groups that failing runs cannot distinguish.

A passing run proves its whole tree good. What remains of the trees of failing runs falls into groups of
mostly one to three pull requests, and each group has few possible explanations: which of them are broken.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.run_table import Ending, RunTable

_ALL_SUBSETS: Final = 8  # groups up to this size: every subset may be broken
_PAIRS: Final = 40  # up to this size: at most two; above, at most one
_LARGEST: Final = 400
_DOUBTFUL: Final = 3
_LINKED_BY_STOPPED: Final = 4

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """Explanations of all groups, one row each; a group's rows are consecutive.

    Runs are counted by attempt, result and whether the explanation puts a broken pull request into their
    tree. First attempts that pass prove their tree good, and first attempts on a broken tree always fail:
    neither is counted.
    """

    group_starts: Indices
    group_of: Indices
    broken: tuple[tuple[int, ...], ...]  # per row: the stays that are broken
    sizes: Indices  # per row: how many pull requests the group has
    first_failed_good: Indices
    retry_failed_good: Indices
    retry_failed_broken: Indices
    retry_passed_good: Indices
    retry_passed_broken: Indices
    stopped_rows: Indices  # rows and runs of stopped runs on a tree that is good by the row's explanation
    stopped_runs: Indices
    sure: Indices  # runs whose whole tree is proven good
    unknown: Indices  # stays without any evidence
    proven: frozenset[int]


def gather(table: RunTable, stays: int) -> Evidence:
    """What the runs show about which of the stays, given by their count, were broken."""
    proven = _proven(table)
    open_trees = [tuple(s for s in dict.fromkeys(tree) if s not in proven) for tree in table.trees]
    informative = [run for run, tree in enumerate(open_trees) if _is_informative(table, tree, run)]
    rows = _Rows()
    seen: set[int] = set()
    for group, runs in _small_groups(table, open_trees, informative):
        rows.add_group(group, [(run, open_trees[run]) for run in runs], table)
        seen |= set(group)
    return rows.evidence(
        sure=[run for run, tree in enumerate(open_trees) if not tree],
        unknown=[stay for stay in range(stays) if stay not in seen and stay not in proven],
        proven=frozenset(proven),
    )


def _proven(table: RunTable) -> set[int]:
    """The stays in the tree of a first attempt that passed.

    Late reports put some pull requests into trees they were not in. So a stay that was only ahead of
    passing runs, and could alone explain several failures, does not count as proven.
    """
    passed = np.flatnonzero((table.endings == Ending.PASSED) & (table.attempts == 1))
    firmly = {stay for run in passed for stay in table.trees[run][: table.sizes[run]]}
    ahead = {stay for run in passed for stay in table.trees[run]} - firmly
    blamed: Counter[int] = Counter()
    for run in np.flatnonzero(table.endings == Ending.FAILED):
        suspects = [stay for stay in table.trees[run] if stay not in firmly]
        if all(stay in ahead for stay in suspects):
            blamed.update(suspects)
    return firmly | {stay for stay in ahead if blamed[stay] < _DOUBTFUL}


_Group = tuple[tuple[int, ...], list[int]]


def _small_groups(
    table: RunTable, open_trees: list[tuple[int, ...]], informative: list[int]
) -> Iterator[_Group]:
    """Groups with their runs; large ones are split at members that failed on their own."""
    for group, runs in _groups(open_trees, informative):
        guilty = _guilty_alone(table, open_trees, runs) if len(group) > _ALL_SUBSETS else set()
        if not guilty:
            yield group, runs
            continue
        for stay in sorted(guilty):
            yield (stay,), [run for run in runs if open_trees[run] == (stay,)]
        rest = [run for run in runs if guilty.isdisjoint(open_trees[run])]
        yield from _small_groups(table, open_trees, rest)


def _guilty_alone(table: RunTable, open_trees: list[tuple[int, ...]], runs: list[int]) -> set[int]:
    """The members that failed twice in runs that no other member can explain."""
    failures = Counter(
        open_trees[run] for run in runs if table.endings[run] == Ending.FAILED and len(open_trees[run]) == 1
    )
    return {tree[0] for tree, count in failures.items() if count > 1}


def _groups(open_trees: list[tuple[int, ...]], informative: list[int]) -> list[_Group]:
    """Pull requests that share the open tree of a run, with the runs that concern them."""
    leader: dict[int, int] = {}

    def find(stay: int) -> int:
        while leader.setdefault(stay, stay) != stay:
            leader[stay] = leader[leader[stay]]
            stay = leader[stay]
        return stay

    for run in informative:
        first, *others = open_trees[run]
        for other in others:
            leader[find(other)] = find(first)
        find(first)
    members: dict[int, list[int]] = defaultdict(list)
    for stay in sorted(leader):
        members[find(stay)].append(stay)
    runs_of: dict[int, list[int]] = defaultdict(list)
    for run in informative:
        runs_of[find(open_trees[run][0])].append(run)
    return [(tuple(group), runs_of[first]) for first, group in sorted(members.items())]


def _is_informative(table: RunTable, open_tree: tuple[int, ...], run: int) -> bool:
    """Whether a run says something about the stays of its tree that are not proven good."""
    ending = table.endings[run]
    if not open_tree or len(open_tree) > _LARGEST:
        return False
    if ending == Ending.STOPPED:
        return len(open_tree) <= _LINKED_BY_STOPPED
    return bool(ending in {Ending.PASSED, Ending.FAILED})


def _explanations(group: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    most = len(group) if len(group) <= _ALL_SUBSETS else 2 if len(group) <= _PAIRS else 1
    for count in range(most + 1):
        yield from combinations(group, count)


class _Rows:
    """Explanations while they are collected."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.broken: list[tuple[int, ...]] = []
        self.sizes: list[int] = []
        self.counts: list[list[int]] = []
        self.stopped: list[tuple[int, int]] = []

    def add_group(
        self, group: tuple[int, ...], runs: list[tuple[int, tuple[int, ...]]], table: RunTable
    ) -> None:
        self.starts.append(len(self.broken))
        # There may be hundreds of explanations, and reading an array takes longer than all else.
        known = [(run, tree, table.endings[run] == Ending.STOPPED, _places(table, run)) for run, tree in runs]
        for broken in _explanations(group):
            row, guilty, counts = len(self.broken), set(broken), [0] * 5
            for run, tree, is_stopped, places in known:
                is_tainted = not guilty.isdisjoint(tree)
                if is_stopped and not is_tainted:
                    self.stopped.append((row, run))
                place = places[is_tainted]
                if place is not None:
                    counts[place] += 1
            self.broken.append(broken)
            self.sizes.append(len(group))
            self.counts.append(counts)

    def evidence(self, sure: list[int], unknown: list[int], proven: frozenset[int]) -> Evidence:
        counts = np.array(self.counts, dtype=np.int64).reshape(-1, 5)
        starts = np.array(self.starts, dtype=np.int64)
        lengths = np.diff(np.append(starts, len(self.broken)))
        stopped = np.array(self.stopped, dtype=np.int64).reshape(-1, 2)
        return Evidence(
            group_starts=starts,
            group_of=np.repeat(np.arange(len(starts)), lengths),
            broken=tuple(self.broken),
            sizes=np.array(self.sizes, dtype=np.int64),
            first_failed_good=counts[:, 0],
            retry_failed_good=counts[:, 1],
            retry_failed_broken=counts[:, 2],
            retry_passed_good=counts[:, 3],
            retry_passed_broken=counts[:, 4],
            stopped_rows=stopped[:, 0],
            stopped_runs=stopped[:, 1],
            sure=np.array(sure, dtype=np.int64),
            unknown=np.array(unknown, dtype=np.int64),
            proven=proven,
        )


def _places(table: RunTable, run: int) -> tuple[int | None, int | None]:
    """The column of `counts` for a run on a good tree, and on a broken one."""
    is_retry = table.attempts[run] > 1
    if table.endings[run] == Ending.FAILED:
        # A first attempt on a broken tree always fails.
        return (1, 2) if is_retry else (0, None)
    return (3, 4) if table.endings[run] == Ending.PASSED and is_retry else (None, None)
