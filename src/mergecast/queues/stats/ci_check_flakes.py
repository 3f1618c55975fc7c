"""What became of the failures of CI checks: what passed elsewhere, failed again, or was not tried again.

Statements get lists of what earlier ones found. A single statement would be planned without knowing how many
failures there are, and PostgreSQL would compare every failure with every run.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.instant import DAY
from mergecast.queues.stats.ci_check_cells import Asked, Cell, Cells, Key
from mergecast.queues.stats.ci_check_suspects import (
    STARTED_LATE,
    Content,
    Judged,
    Known,
    Pair,
    Stay,
    Tested,
    contested,
    judge,
)
from mergecast.queues.store.failed_checks import CancelledCheck
from mergecast.queues.store.reader import Reader

MOST_LINKS = 3
# Content is tried again at most this long after the window.
_NEAR = 7 * DAY


class _Failure(NamedTuple):
    """An execution that failed, or was cancelled and so ended its run.

    `recovered` lists the checks that failed and passed in this run.
    """

    base_ref: int
    queue_name: int
    name: int
    runner: int
    placed_at: int
    run: int
    recovered: str

    @property
    def pair(self) -> Pair:
        return self.run, self.name


class Failures(NamedTuple):
    """All failures in the window, the earliest first, and how they are judged."""

    all: Sequence[_Failure]
    judged: Judged


def read_failures(
    reader: Reader,
    asked: Asked,
    built_on: Mapping[int, Collection[int]],
    cancelled: Iterable[CancelledCheck],
) -> Failures:
    """Read all failures in the window, and what else was tested; `built_on` lists the runs built on a run."""
    rows = reader.rows("ci_failures", [asked.repository_id, *asked.window, asked.name])
    found = [
        *map(_Failure._make, rows),
        *(_Failure(*(getattr(one, name) for name in _Failure._fields)) for one in cancelled),
    ]
    failures = sorted(found, key=lambda one: (one.placed_at, one.run, one.name, one.runner))
    if not failures:
        return Failures([], Judged({}, []))
    counts = Counter(one.pair for one in failures)
    known = _read_known(reader, asked, failures, built_on)
    known = _read_behind(reader, asked.repository_id, known, contested(known, counts))
    return Failures(failures, judge(known, counts))


def _read_behind(
    reader: Reader, repository_id: int, known: Known, wanted: Iterable[tuple[int, int]]
) -> Known:
    """Add what passed while contents were tested, and so was probably built on them."""
    names: defaultdict[int, set[int]] = defaultdict(set)
    for content, name in wanted:
        names[content].add(name)
    spans = [
        (content, stay.base_ref, stay.entered_at, stay.tested_at - STARTED_LATE, stay.left_at)
        for content in names
        for stay in known.contents[content].stays
    ]
    if not spans:
        return known
    columns = [list(column) for column in zip(*spans, strict=True)]
    behind: defaultdict[int, set[int]] = defaultdict(set)
    for content, run in reader.rows("ci_runs_between", [repository_id, *columns]):
        behind[content].add(run)
    pairs = {(run, name) for content, runs in behind.items() for run in runs for name in names[content]}
    passed, _ = _verdicts(reader, repository_id, pairs)
    return known._replace(passed={*known.passed, *passed}, behind=behind)


def _read_known(
    reader: Reader, asked: Asked, failures: Sequence[_Failure], built_on: Mapping[int, Collection[int]]
) -> Known:
    names: defaultdict[int, set[int]] = defaultdict(set)
    for one in failures:
        names[one.run].add(one.name)
    attempts: defaultdict[int, set[int]] = defaultdict(set)
    for run, other in reader.rows("ci_other_attempts", [asked.repository_id, list(names)]):
        attempts[run].add(other)
    tested, contents = _contents(reader, asked, list(names), attempts)
    wanted = set[Pair]()
    for run, own in names.items():
        others = attempts[run].union(*(contents[one].runs for one in tested[run].contents))
        above = [other for one in (run, *others) for other in built_on.get(one, ())]
        wanted |= {(other, name) for other in (*others, *above) for name in own}
    own_pairs = {one.pair for one in failures}
    passed, failed = _verdicts(reader, asked.repository_id, wanted - own_pairs)
    passed |= {one.pair for one in failures if _is_recovered(one)}
    recovered = {
        (run, name)
        for run, name in own_pairs
        if any((other, name) in passed for other in (run, *attempts[run]))
    }
    return Known(contents, tested, recovered, built_on, passed, failed, {})


def _is_recovered(failure: _Failure) -> bool:
    """Whether a check is among those that failed and passed in the same run."""
    return bool(failure.recovered) and str(failure.name) in failure.recovered.split(",")


class _Test(NamedTuple):
    """A CI run as one of its stays saw it: a row of the statement `ci_tests_of_contents`."""

    stay: int
    pull_request: int | None
    head_sha: str | None
    entered_at: int | None
    left_at: int | None
    base_ref: str
    started_at: int
    run: int

    @property
    def content(self) -> tuple[int | None, str] | int:
        return self.stay if self.head_sha is None else (self.pull_request, self.head_sha)


def _contents(
    reader: Reader, asked: Asked, runs: Sequence[int], attempts: Mapping[int, Collection[int]]
) -> tuple[dict[int, Tested], list[Content]]:
    """What these runs tested; a run of which no event is known tested its batch."""
    start, end = asked.window
    given = [asked.repository_id, runs, start, end + _NEAR]
    by_content: defaultdict[object, list[_Test]] = defaultdict(list)
    by_run: defaultdict[int, list[_Test]] = defaultdict(list)
    for test in map(_Test._make, reader.rows("ci_tests_of_contents", given)):
        by_content[test.content].append(test)
        by_run[test.run].append(test)
    contents = [_content(tests) for tests in by_content.values()]
    numbers: dict[object, int] = {key: number for number, key in enumerate(by_content)}
    tested = {}
    for run in runs:
        if own := by_run.get(run):
            found = [numbers[test.content] for test in own]
            entered_at = min(_entered_at(test) for test in own)
            tested[run] = Tested(found, own[0].base_ref, own[0].started_at, entered_at)
        else:
            batch = frozenset({run, *attempts[run]})
            if batch not in numbers:
                numbers[batch] = len(contents)
                contents.append(Content(batch, [], is_left=False))
            tested[run] = Tested([numbers[batch]], "", 0, 0)
    return tested, contents


def _content(tests: Sequence[_Test]) -> Content:
    """Of these tests, the earliest first."""
    stays: dict[int, Stay] = {}
    for test in tests:
        left_at = test.started_at if test.left_at is None else test.left_at
        stays.setdefault(test.stay, Stay(test.base_ref, _entered_at(test), test.started_at, left_at))
    is_left = len(stays) == 1 and tests[0].head_sha is not None and tests[0].left_at is not None
    return Content(frozenset(test.run for test in tests), list(stays.values()), is_left)


def _entered_at(test: _Test) -> int:
    return test.started_at if test.entered_at is None else test.entered_at


def _verdicts(reader: Reader, repository_id: int, pairs: Collection[Pair]) -> tuple[set[Pair], set[Pair]]:
    """Which of these checks passed in these runs, and which failed."""
    passed, failed = set[Pair](), set[Pair]()
    if pairs:
        for run, name, is_passed in reader.rows("ci_verdicts_among", [repository_id, *_columns(pairs)]):
            (passed if is_passed else failed).add((run, name))
    return passed, failed


def _columns(pairs: Collection[Pair]) -> list[list[int]]:
    return [list(column) for column in zip(*sorted(pairs), strict=True)]


def count_flaky(reader: Reader, asked: Asked, failures: Failures, cells: Cells) -> None:
    """Add what became of the failures, and links of those that were chance."""
    kept = [one for one in failures.all if asked.keeps(one.base_ref, one.queue_name)]
    first: dict[Pair, Cell] = {}
    flaky: defaultdict[tuple[int, Key], list[_Failure]] = defaultdict(list)
    for one in kept:
        place = asked.interval(one.placed_at), Key(one.name, one.runner)
        cell = cells.by_interval[place[0]][place[1]]
        first.setdefault(one.pair, cell)
        tried = failures.judged.tried[one.pair]
        cell.tried[tried] += 1
        if tried.is_flaky:
            flaky[place].append(one)
    for pairs, group in failures.judged.groups:
        cell = next((first[pair] for pair in pairs if pair in first), Cell())
        cell.groups[group] += 1
    _add_links(
        reader, asked.repository_id, [(cells.by_interval[i][key], own) for (i, key), own in flaky.items()]
    )


def _add_links(reader: Reader, repository_id: int, flaky: Iterable[tuple[Cell, list[_Failure]]]) -> None:
    """Add links of the last flaky failures of each cell; the others are read where these have too few."""
    parts = [(cell, *_newest(own)) for cell, own in flaky]
    _read_links(reader, repository_id, [(cell, newest) for cell, newest, _ in parts])
    few = [(cell, older) for cell, _, older in parts if older and len(cell.links) < MOST_LINKS]
    _read_links(reader, repository_id, few)


def _newest(failures: list[_Failure]) -> tuple[list[_Failure], list[_Failure]]:
    """As many of the last failures as there are links, with those at the same instant, and the others."""
    instants = sorted((one.placed_at for one in failures), reverse=True)
    since = instants[:MOST_LINKS][-1]
    newest = [one for one in failures if one.placed_at >= since]
    return newest, [one for one in failures if one.placed_at < since]


def _read_links(reader: Reader, repository_id: int, flaky: Iterable[tuple[Cell, list[_Failure]]]) -> None:
    cells = {one[2:6]: cell for cell, own in flaky for one in own}
    if not cells:
        return
    pairs = _columns({(run, name) for name, _, _, run in cells})
    for name, runner, placed_at, run, url in reader.rows("ci_failure_links", [repository_id, *pairs]):
        cell = cells.get((name, runner, placed_at, run))
        if cell is not None:
            cell.links.append((placed_at, url))
