"""What became of failures and how often checks flake, computed by the definitions: slow and obvious."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import exp, log, prod
from typing import NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, MINUTE

_FAILED = ("failure", "timed_out")
_FAILED_RUNS = ("CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED")
_RunName = tuple[str, int]
Content = str


class Test(NamedTuple):
    """One run as one stay saw it."""

    stay: str
    content: Content
    has_commit: bool
    run: _RunName
    base_ref: str
    start: int
    end: int
    outcome: str
    entered: int
    left: int | None
    reason: str | None


class Failures(NamedTuple):
    tried: dict[str, int]
    rate: float | None
    low: float
    high: float


def tests_of(events: Sequence[Event]) -> list[Test]:
    """Every run has a start and an end, and every stay an entry."""
    entries = {e.session_id: e for e in events if e.type == "queue_entered"}
    exits = {e.session_id: e for e in events if e.type == "queue_left"}
    ends = {(e.session_id, e.batch_id, e.attempt): e for e in events if e.type == "checks_ended"}
    found = []
    for e in events:
        if e.type == "checks_started":
            entry, exit = entries[e.session_id], exits.get(e.session_id)
            over = ends[e.session_id, e.batch_id, e.attempt]
            content = f"#{e.pull_request} at {entry.head_sha}" if entry.head_sha else f"stay {e.session_id}"
            found.append(Test(
                e.session_id or "", content, entry.head_sha is not None, (e.batch_id or "", e.attempt or 0),
                e.base_ref, e.happened_at, over.happened_at, over.outcome or "", entry.happened_at,
                exit and exit.happened_at, exit and exit.reason,
            ))  # fmt: skip
    return found


class Oracle:
    """The failures of one check in a window."""

    def __init__(
        self, tests: Sequence[Test], executions: Sequence[CiCheckReport], name: str, window: tuple[int, int]
    ) -> None:
        self.all, self.window = tests, window
        reported = {(one.batch_id, one.attempt) for one in executions}
        self.tests = [
            test for test in tests
            if test.run in reported and test.start < window[1] + 7 * DAY
            and (test.left is None or test.left >= window[0])
        ]  # fmt: skip
        own = [one for one in executions if one.name == name]
        placed = {one: one.happened_at if one.ended_at is None else one.ended_at for one in own}
        self.passed = {(one.batch_id, one.attempt) for one in own if one.conclusion == "success"}
        self.failed = {(one.batch_id, one.attempt) for one in own if one.conclusion in _FAILED}
        self.failures = [
            (one.batch_id, one.attempt)
            for one in sorted(own, key=lambda one: placed[one])
            if one.conclusion in _FAILED and window[0] <= placed[one] < window[1]
        ]
        self.passes = sum(one.conclusion == "success" and window[0] <= placed[one] < window[1] for one in own)

    def contents(self, run: _RunName) -> set[Content]:
        return {test.content for test in self.tests if test.run == run} or {f"batch {run[0]}"}

    def runs(self, content: Content) -> set[_RunName]:
        if content.startswith("batch "):
            return {run for run in self.passed | self.failed if f"batch {run[0]}" == content}
        return {test.run for test in self.tests if test.content == content}

    @cached_property
    def built_on(self) -> dict[_RunName, set[_RunName]]:
        """Runs that came to nothing because of a failed run, and began while it was ahead of them."""
        start, end = self.window
        over = [test for test in self.all if start <= test.end < end + 10 * MINUTE]
        decisions = self._decisions()
        found: dict[_RunName, set[_RunName]] = {}
        for test in over:
            later = [
                one.start for one in over
                if one.stay == test.stay and (one.start, one.run) > (test.start, test.run)
            ]  # fmt: skip
            if test.outcome in ("BATCH_AHEAD_FAILED", "PR_AHEAD_DEQUEUED"):
                at = test.end
            elif test.outcome == "SUCCESS" and later and min(later) > test.end:
                at = min(later)
            else:
                continue
            causes = [
                (abs(decided - at), decided, failed)
                for decided, failed in decisions
                if failed.base_ref == test.base_ref and -10 * MINUTE <= decided - at <= MINUTE
            ]
            if causes:
                _, decided, failed = min(causes, key=lambda one: one[0])
                if failed.start - 2 * MINUTE <= test.start < decided:
                    found.setdefault(failed.run, set()).add(test.run)
        return found

    def _decisions(self) -> list[tuple[int, Test]]:
        start, end = self.window
        found = []
        for one in self.all:
            if one.outcome in _FAILED_RUNS and start <= one.end < end:
                found.append((one.end, one))
                if one.left is not None and one == self._last(one):
                    found.append((one.left, one))
        return found

    def _last(self, test: Test) -> Test | None:
        """The failed run that a stay left because of."""
        if test.reason not in ("CHECKS_FAILED", "CHECKS_TIMEOUT") or test.left is None:
            return None
        final = [
            one for one in self.all
            if one.stay == test.stay and one.outcome in ("CHECKS_FAILED", "CHECKS_TIMEOUT")
            and one.end <= test.left + MINUTE
        ]  # fmt: skip
        return max(final, key=lambda one: (one.end, one.run), default=None)

    def passes_of(self, content: Content, contested: Collection[Content] = ()) -> int:
        runs = self.runs(content)
        found = runs.union(*(self.built_on.get(run, ()) for run in runs)) & self.passed
        if len(found) == 1 and content in contested:
            found |= self._behind(content) & self.passed
        return len(found)

    def _behind(self, content: Content) -> set[_RunName]:
        """Runs of what entered later and that began while the content was tested."""
        found = set()
        for stay in {test.stay for test in self.tests if test.content == content}:
            own = [test for test in self.tests if test.stay == stay]
            first, left = min(test.start for test in own), _left(own)
            found |= {
                test.run for test in self.all
                if test.base_ref == own[0].base_ref and test.entered > own[0].entered
                and first - 2 * MINUTE < test.start < left and test.end < left + DAY
            }  # fmt: skip
        return found

    def ahead(self, run: _RunName, suspects: Collection[Content]) -> set[Content]:
        own = [test for test in self.tests if test.run == run]
        if not own:
            return set()
        start, entered = min(test.start for test in own), min(test.entered for test in own)
        found = set()
        for stay in {test.stay for test in self.tests if test.content in suspects}:
            theirs = [test for test in self.tests if test.stay == stay]
            if (
                theirs[0].base_ref == own[0].base_ref and theirs[0].entered <= entered
                and min(test.start for test in theirs) < start + 2 * MINUTE and start < _left(theirs)
            ):  # fmt: skip
                found.add(theirs[0].content)
        return found - self.contents(run)

    def suspects(self, contested: Collection[Content] = ()) -> dict[_RunName, set[Content]]:
        own = {
            run: {one for one in self.contents(run) if self.passes_of(one, contested) < 2}
            for run in self.failures
        }
        every = set[str]().union(*own.values())
        return {run: found | self.ahead(run, every) for run, found in own.items()}

    def answer(self) -> Failures:
        first = self.suspects()
        contested = {
            one for run, found in first.items() for one in found - self.contents(run) if self.passes_of(one)
        }
        suspects = self.suspects(contested)
        passes = {one: self.passes_of(one, contested) for found in suspects.values() for one in found}
        outside = {one: sorted(self.runs(one) & self.failed - set(self.failures)) for one in passes}
        tried = dict.fromkeys(("same_commit", "other_run", "built_on", "failed_again", "not_tried"), 0)
        for run in self.failures:
            tried[self._tried(run, suspects, passes, outside)] += 1
        groups = []
        for together in _connected(suspects):
            contents = set[str]().union(*(suspects[run] for run in together))
            failures = [frozenset(suspects[run]) for run in self.failures if run in together]
            failures += [frozenset({one}) for one in sorted(contents) for _ in outside[one]]
            lucky = frozenset(one for one in contents if passes[one])
            groups.append((tuple(failures), lucky, any(self._is_left(one) for one in contents - lucky)))
        are_tried = any(self._stays(one) > 1 for run in self.failures for one in self.contents(run))
        return Failures(tried, *_estimate(self.passes, tuple(groups), are_tried=are_tried))

    def _stays(self, content: Content) -> int:
        return len({test.stay for test in self.tests if test.content == content})

    def _is_left(self, content: Content) -> bool:
        own = [test for test in self.tests if test.content == content]
        return self._stays(content) == 1 and own[0].has_commit and own[0].left is not None

    def _tried(
        self,
        run: _RunName,
        suspects: dict[_RunName, set[Content]],
        passes: dict[Content, int],
        outside: dict[Content, list[_RunName]],
    ) -> str:
        if any(other[0] == run[0] for other in self.passed):
            return "same_commit"
        unknown = {one for one in suspects[run] if not passes[one]}
        if unknown:
            failed = (other for other, found in suspects.items() if found & unknown and other != run)
            is_again = any(outside[one] for one in unknown) or next(failed, None) is not None
            return "failed_again" if is_again else "not_tried"
        is_own = all(self.runs(one) & self.passed for one in self.contents(run))
        return "other_run" if is_own else "built_on"


def _left(tests: Sequence[Test]) -> int:
    first = min(tests, key=lambda test: test.start)
    return first.start if first.left is None else first.left


def _connected(suspects: dict[_RunName, set[Content]]) -> list[set[_RunName]]:
    groups: list[set[_RunName]] = []
    for run, own in suspects.items():
        near = [group for group in groups if any(suspects[other] & own for other in group)]
        groups = [group for group in groups if group not in near] + [{run}.union(*near)]
    return groups


_Group = tuple[tuple[frozenset[str], ...], frozenset[str], bool]


def estimate_by_search(
    passes: int, groups: Sequence[tuple[Sequence[Collection[int]], Collection[int], bool]]
) -> tuple[float | None, float, float]:
    """Of failures with these suspects, those that passed once, and whether people did not try again."""
    found = tuple(
        (tuple(frozenset(map(str, one)) for one in failures), frozenset(map(str, lucky)), is_left)
        for failures, lucky, is_left in groups
    )
    return _estimate(passes, found, are_tried=True)


@lru_cache
def _estimate(
    passes: int, groups: tuple[_Group, ...], *, are_tried: bool
) -> tuple[float | None, float, float]:
    found = _fit(passes, [_ways(group, is_broken=False) for group in groups])
    if not any(is_left for _, _, is_left in groups):
        return found
    least = _fit(passes, [_ways(group, is_broken=group[2]) for group in groups])
    most = _fit(passes, [_most_chance(group) for group in groups])
    low, high = min(least[1], found[1]), max(most[2], found[2])
    if not are_tried:
        return found[0], low, high
    known = [one[0] for one in (least, found) if one[0] is not None]
    is_known = found[0] is not None or least[1] > 0
    return (sum(known) / len(known) if is_known else None), low, high


class _Way(NamedTuple):
    """A choice of which suspects are broken."""

    luck: float
    broken: int
    sound: int
    flakes: int
    failures: int


def _ways(group: _Group, *, is_broken: bool) -> list[_Way]:
    failures, lucky, _ = group
    kinds: dict[tuple[frozenset[int], bool], None] = {}
    for suspect in sorted(set[str]().union(*failures)):
        places = frozenset(place for place, suspects in enumerate(failures) if suspect in suspects)
        kinds[places, suspect in lucky] = None
    found = []
    for size in range(1 if is_broken else 0, len(kinds) + 1):
        for chosen in combinations(kinds, size):
            explained = set[int]().union(*(places for places, _ in chosen))
            luck = prod(0.01 * (len(places) + 1) for places, is_lucky in chosen if is_lucky)
            flakes = len(failures) - len(explained)
            found.append(_Way(luck, size, len(kinds) - size, flakes, len(failures)))
    return found


def _most_chance(group: _Group) -> list[_Way]:
    """A single failure of what left for good may have been chance alone."""
    ways = _ways(group, is_broken=False)
    return [way for way in ways if not way.broken] if group[2] and len(group[0]) == 1 else ways


def _fit(passes: int, groups: Sequence[Sequence[_Way]]) -> tuple[float | None, float, float]:
    """The likeliest rate and the ends of its interval, by searching."""

    def value(flake: float, broken: float) -> float:
        found = passes * log((1 - flake) * (1 - broken))
        for ways in groups:
            found += log(
                sum(w.luck * flake**w.flakes * broken**w.broken * (1 - broken) ** w.sound for w in ways)
                + 1e-300
            )
        return found

    def profile(flake: float) -> float:
        return value(flake, _peak(lambda broken: value(flake, broken), 0.999))

    failed = sum(ways[0].failures for ways in groups)
    most = min(failed / (passes + failed), 1 - 1e-9) if failed else 1e-9
    rate = max((_peak(profile, most), most), key=profile)
    needed = profile(rate) - 2.7055 / 2
    low = 0.0 if profile(1e-9) >= needed else _crossing(profile, needed, rate, 1e-9)
    is_open = failed > 0 and low == 0 and value(most, 1e-9) >= needed
    return (None if is_open else rate), low, _crossing(profile, needed, rate, 1 - 1e-9)


def _peak(function: Callable[[float], float], most: float) -> float:
    """The place of the highest value, by golden sections of the logarithm."""
    low, high, share = log(1e-9), log(most), (5**0.5 - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = function(exp(left)), function(exp(right))
    for _ in range(36):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = function(exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = function(exp(right))
    return exp((low + high) / 2)


def _crossing(function: Callable[[float], float], needed: float, inside: float, outside: float) -> float:
    """Where a function falls below a value."""
    for _ in range(30):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if function(middle) >= needed else (inside, middle)
    return (inside + outside) / 2
