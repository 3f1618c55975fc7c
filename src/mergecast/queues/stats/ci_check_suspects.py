"""What failures of a check may have been caused by, from what else was tested.

A *content* is a pull request with its commit: a stay, or several stays whose commit is known to be the same.
The suspects of a failed run are what it tested, and what was ahead of it in the queue and failed too. Content
that passed the check in two runs, alone or with others, is cleared.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from heapq import heappop, heappush
from typing import NamedTuple

from mergecast.queues.model.flake_rate import Group, group_of
from mergecast.queues.model.instant import MINUTE

# A run may be reported to start this long after one that is built on it.
STARTED_LATE = 2 * MINUTE
_CLEARED = 2  # as often a content has to pass; once may be luck
_MOST_TOGETHER = 100  # runs in a group, unless they tested the same
Pair = tuple[int, int]  # of a run and a check
Suspects = Mapping[int, AbstractSet[int]]  # of runs


class Tried(Enum):
    """What else is known about the content of a failure."""

    SAME_COMMIT = "same_commit"  # it passed in another execution or attempt
    OTHER_RUN = "other_run"  # it passed in another run
    BUILT_ON = "built_on"  # a run that was built on it passed
    FAILED_AGAIN = "failed_again"
    NOT_TRIED = "not_tried"

    @property
    def is_flaky(self) -> bool | None:
        """None if that cannot be told."""
        if self is Tried.NOT_TRIED:
            return None
        return self is not Tried.FAILED_AGAIN


class Stay(NamedTuple):
    """How long a content was in the queue of a base branch; `tested_at` is the start of its first run."""

    base_ref: str
    entered_at: int
    tested_at: int
    left_at: int


class Content(NamedTuple):
    """Something that was tested; `is_left` if its commit is known, it was in the queue once, and it left."""

    runs: frozenset[int]
    stays: Sequence[Stay]
    is_left: bool


class Tested(NamedTuple):
    """What a run tested, and since when; `entered_at` is the first of its entries."""

    contents: Collection[int]
    base_ref: str
    started_at: int
    entered_at: int


class Known(NamedTuple):
    """What is known about the failures of all checks."""

    contents: Sequence[Content]
    tested: Mapping[int, Tested]  # by run
    recovered: Collection[Pair]  # those that passed in another execution or attempt
    built_on: Mapping[int, Collection[int]]  # runs that were built on each run
    passed: Collection[Pair]
    failed: Collection[Pair]  # before or after the window too
    behind: Mapping[int, Collection[int]]  # runs that began while a content was tested, where it matters


class Judged(NamedTuple):
    tried: dict[Pair, Tried]
    groups: list[tuple[list[Pair], Group]]  # each with its failures, the earliest first


def judge(known: Known, failures: Mapping[Pair, int]) -> Judged:
    """Group failures by what may have caused them; `failures` counts executions, the earliest first."""
    judged = Judged({}, [])
    for name, runs in _by_name(failures).items():
        _OfCheck(known, name, runs).judge(failures, judged)
    return judged


def _by_name(failures: Iterable[Pair]) -> dict[int, list[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for run, name in failures:
        found[name].append(run)
    return found


def contested(known: Known, failures: Iterable[Pair]) -> set[tuple[int, int]]:
    """Contents that passed once and were ahead of others that failed too, each with the check.

    If such a content was broken, nothing behind it passed.
    """
    passed = {name for _, name in known.passed}
    return {
        (one, name)
        for name, runs in _by_name(failures).items()
        if name in passed
        for one in _OfCheck(known, name, runs).contested()
    }


class _OfCheck:
    """The failures of one check."""

    def __init__(self, known: Known, name: int, runs: Sequence[int]) -> None:
        self._known, self._name, self._runs = known, name, runs
        self._passes: dict[int, int] = {}  # of contents
        self._are_tried = any(
            len(known.contents[one].stays) > 1 for run in runs for one in known.tested[run].contents
        )

    def contested(self) -> set[int]:
        _, ahead = self._suspects()
        return {suspect for found in ahead.values() for suspect in found if self._passes[suspect]}

    def judge(self, failures: Mapping[Pair, int], judged: Judged) -> None:
        groups, suspects = _grouped(self._runs, *self._suspects())
        outside = self._outside(set[int]().union(*suspects.values()))
        failed = outside + Counter(suspect for run in self._runs for suspect in suspects[run])
        for run in self._runs:
            judged.tried[run, self._name] = self._tried(run, suspects[run], failed)
        order = {run: place for place, run in enumerate(self._runs)}
        for runs, contents in groups:
            found = [suspects[run] for run in runs for _ in range(failures[run, self._name])]
            found += [{content} for content in contents for _ in range(outside[content])]
            pairs = [(run, self._name) for run in sorted(runs, key=order.__getitem__)]
            judged.groups.append((pairs, self._group(found, contents)))

    def _group(self, failures: Sequence[Collection[int]], contents: Collection[int]) -> Group:
        lucky = {content for content in contents if self._passes[content]}
        is_left = any(self._known.contents[one].is_left for one in contents if one not in lucky)
        return group_of(failures, lucky, is_untried=is_left, are_tried=self._are_tried)

    def _outside(self, contents: Iterable[int]) -> Counter[int]:
        """How often contents failed outside of the window."""
        own, known = set(self._runs), self._known
        return Counter({
            content: sum((run, self._name) in known.failed for run in known.contents[content].runs - own)
            for content in contents
        })  # fmt: skip

    def _tried(self, run: int, suspects: Collection[int], failed: Mapping[int, int]) -> Tried:
        if (run, self._name) in self._known.recovered:
            return Tried.SAME_COMMIT
        unknown = [suspect for suspect in suspects if not self._passes[suspect]]
        if unknown:
            is_again = any(failed[suspect] > 1 for suspect in unknown)
            return Tried.FAILED_AGAIN if is_again else Tried.NOT_TRIED
        own = [self._known.contents[content].runs for content in self._known.tested[run].contents]
        is_own = all(any((other, self._name) in self._known.passed for other in runs) for runs in own)
        return Tried.OTHER_RUN if is_own else Tried.BUILT_ON

    def _passes_of(self, content: int) -> int:
        """In how many runs a content passed, alone or with others."""
        if content not in self._passes:
            known, runs = self._known, self._known.contents[content].runs
            above = (other for run in runs for other in known.built_on.get(run, ()))
            passed = {run for run in (*runs, *above) if (run, self._name) in known.passed}
            if len(passed) == 1:  # without it, runs behind may have been built on something else
                passed |= {run for run in known.behind.get(content, ()) if (run, self._name) in known.passed}
            self._passes[content] = len(passed)
        return self._passes[content]

    def _suspects(self) -> tuple[Suspects, Suspects]:
        """Of each run: its own contents, and those ahead of it in the queue, unless they are cleared."""
        tested = self._known.tested
        own = {
            run: {content for content in tested[run].contents if self._passes_of(content) < _CLEARED}
            for run in self._runs
        }
        ahead = _Ahead(self._known.contents, set[int]().union(*own.values()))
        in_order = sorted(self._runs, key=lambda run: (tested[run].started_at, run))
        return own, {run: ahead.of(tested[run]) - own[run] for run in in_order}


class _Ahead:
    """Which contents are ahead of runs, which are asked about in the order of their starts."""

    def __init__(self, contents: Sequence[Content], chosen: Iterable[int]) -> None:
        waiting = [(stay, content) for content in chosen for stay in contents[content].stays]
        self._coming = sorted(waiting, key=lambda one: (-one[0].tested_at, one[1]))
        self._present: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)

    def of(self, run: Tested) -> set[int]:
        while self._coming and self._coming[-1][0].tested_at < run.started_at + STARTED_LATE:
            stay, content = self._coming.pop()
            heappush(self._present[stay.base_ref], (stay.left_at, stay.entered_at, content))
        present = self._present[run.base_ref]
        while present and present[0][0] <= run.started_at:
            heappop(present)
        # Which of two that entered at the same instant is ahead is not known: either may have been.
        return {content for _, entered_at, content in present if entered_at <= run.entered_at}


class _Together(NamedTuple):
    """Runs that share a suspect with each other, or with one between them."""

    runs: list[int]
    suspects: set[int]


def _grouped(
    runs: Iterable[int], own: Suspects, ahead: Suspects
) -> tuple[list[_Together], dict[int, set[int]]]:
    """Group runs by their suspects; those ahead are left out where too many runs would come together."""
    groups: dict[int, _Together] = {}  # by suspect
    found: dict[int, set[int]] = {}
    for run in runs:
        near = own[run] | ahead[run]
        joined = {id(groups[one]): groups[one] for one in near if one in groups}.values()
        if sum(len(one.runs) for one in joined) >= _MOST_TOGETHER:
            near = own[run]
            joined = {id(groups[one]): groups[one] for one in near if one in groups}.values()
        found[run] = set(near)
        _join(groups, _Together([run], set(near)), joined)
    alone = [_Together([run], set()) for run, suspects in found.items() if not suspects]
    return [*alone, *{id(one): one for one in groups.values()}.values()], found


def _join(groups: dict[int, _Together], new: _Together, joined: Iterable[_Together]) -> None:
    """Add the smaller ones to the largest, so that few runs and suspects change their group."""
    largest, *others = sorted((new, *joined), key=lambda one: -len(one.suspects))
    for other in others:
        largest.runs.extend(other.runs)
        largest.suspects.update(other.suspects)
        groups.update(dict.fromkeys(other.suspects, largest))
    groups.update(dict.fromkeys(new.suspects, largest))
