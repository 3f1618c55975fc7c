"""Which failures of CI checks were certainly flaky.

A failure is flaky if another execution on the same commit passed, or the next run of the same pull requests
on the same base commit. Statements get lists of what earlier ones found. A single statement would be planned
without knowing how many failures there are, and PostgreSQL would compare every failure with every run.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.stats.ci_check_cells import Asked, Cell, Cells, Key
from mergecast.queues.store.reader import Reader

MOST_LINKS = 3
# The run before or after one in the window begins at most this long before or after the window.
_NEAR = 7 * DAY
_LATE = 2 * MINUTE  # by which the start of a run may be reported too late
Pair = tuple[int, int]  # of a run and a check


class EarlierExits:
    """Exits with their entries. A question takes the same time, however many exits its period has."""

    def __init__(self, exits: Sequence[tuple[int, int]]) -> None:
        """Pairs of the instants of leaving and entering."""
        ordered = sorted(exits)
        self._left = [left_at for left_at, _ in ordered]
        # In row n, each place has the first entry among the 2 to the power of n exits from there on.
        self._first = [[entered_at for _, entered_at in ordered]]
        width = 1
        while 2 * width <= len(ordered):
            last = self._first[-1]
            self._first.append([min(pair) for pair in zip(last, last[width:], strict=False)])
            width *= 2

    def has_entered_before(self, entered_at: int, start: int, end: int) -> bool:
        """Whether one that left from `start` to `end`, both included, had entered before an instant."""
        low, high = bisect_left(self._left, start), bisect_right(self._left, end)
        if low >= high:
            return False
        row = (high - low).bit_length() - 1
        return min(self._first[row][low], self._first[row][high - (1 << row)]) < entered_at


class _Failure(NamedTuple):
    """A failed execution; `recovered` lists the checks that passed in the same run as well."""

    base_ref: int
    queue_name: int
    name: int
    runner: int
    placed_at: int
    run: int
    recovered: str


def count_flaky(reader: Reader, asked: Asked, cells: Cells) -> None:
    """Add the failures that were certainly flaky."""
    rows = reader.rows("ci_failures", [asked.repository_id, *asked.window, asked.name])
    failures = [failure for failure in map(_Failure._make, rows) if asked.keeps(*failure[:2])]
    same, following = flaky_evidence(reader, asked, {(one.run, one.name) for one in failures})
    flaky: defaultdict[tuple[int, Key], list[_Failure]] = defaultdict(list)
    for one in failures:
        place = asked.interval(one.placed_at), Key(one.name, one.runner)
        is_same = is_recovered(one.name, one.recovered) or (one.run, one.name) in same
        if is_same or (one.run, one.name) in following:
            cell = cells.by_interval[place[0]][place[1]]
            cell.same_commit += is_same
            cell.next_run += not is_same
            flaky[place].append(one)
    _add_links(
        reader, asked.repository_id, [(cells.by_interval[i][key], own) for (i, key), own in flaky.items()]
    )


def is_recovered(name: int, recovered: str) -> bool:
    """Whether a check is among those that failed and passed in the same run."""
    return bool(recovered) and str(name) in recovered.split(",")


def flaky_evidence(reader: Reader, asked: Asked, failed: Collection[Pair]) -> tuple[set[Pair], set[Pair]]:
    """Which of these checks passed in another attempt at the same batch, and which in the next run."""
    if not failed:
        return set(), set()
    checks: defaultdict[int, list[int]] = defaultdict(list)
    for run, name in failed:
        checks[run].append(name)
    return _passed_in_another_attempt(reader, asked, checks), _passed_next(reader, asked, checks)


def _passed_in_another_attempt(reader: Reader, asked: Asked, checks: Mapping[int, list[int]]) -> set[Pair]:
    attempts = reader.rows("ci_other_attempts", [asked.repository_id, list(checks)])
    pairs = [((run, name), (other, name)) for run, other in attempts for name in checks[run]]
    passed = _passed(reader, asked.repository_id, {other for _, other in pairs})
    return {pair for pair, other in pairs if other in passed}


def _passed(reader: Reader, repository_id: int, pairs: Collection[Pair]) -> set[Pair]:
    """Which of these checks passed in these runs."""
    if not pairs:
        return set()
    rows = reader.rows("ci_passed_among", [repository_id, *_columns(pairs)])
    return {(run, name) for run, name in rows}


def _columns(pairs: Collection[Pair]) -> list[list[int]]:
    return [list(column) for column in zip(*sorted(pairs), strict=True)]


class _Repeated(NamedTuple):
    """A CI run and the next one of the same pull requests, with their numbers among the subjects."""

    ci_run: int
    run: int
    started_at: int
    entered_at: int | None  # the first of its pull requests
    next_run: int
    next_started_at: int
    base_ref: str
    next_ci_run: int


def _passed_next(reader: Reader, asked: Asked, checks: Mapping[int, list[int]]) -> set[Pair]:
    """Which checks passed in the next run of the same pull requests on the same base commit."""
    start, end = asked.window
    rows = reader.rows("ci_next_runs", [asked.repository_id, list(checks), start - _NEAR, end + _NEAR])
    repeated = [_Repeated._make(row) for row in rows]
    pairs = [(one, name) for one in repeated for name in checks[one.ci_run]]
    passed = _passed(reader, asked.repository_id, {(one.next_ci_run, name) for one, name in pairs})
    found = [(one, name) for one, name in pairs if (one.next_ci_run, name) in passed]
    alike = _on_the_same_commit(reader, asked.repository_id, {one for one, _ in found})
    return {(one.ci_run, name) for one, name in found if one in alike}


def _on_the_same_commit(reader: Reader, repository_id: int, repeated: Iterable[_Repeated]) -> set[_Repeated]:
    """Those whose base commit is certainly the same.

    Both runs began while no other run was in progress on the base branch, and in between nothing was merged
    and no pull request ahead was removed, on which the first run may have been built. Its start may have been
    reported after such a removal.
    """
    known = sorted(repeated, key=lambda one: (one.started_at, one.run))
    if not known:
        return set()
    base_refs = [one.base_ref for one in known]
    begun = [*(one.started_at for one in known), *(one.next_started_at for one in known)]
    runs = [*(one.run for one in known), *(one.next_run for one in known)]
    busy = set(reader.rows("ci_busy_instants", [repository_id, base_refs * 2, begun, runs, _LATE]))
    merges = reader.rows("ci_last_merges", [repository_id, base_refs, begun[len(known) :]])
    merged_at = {(base_ref, at): merged for base_ref, at, merged in merges}
    exits = _exits(reader, repository_id, known)
    return {
        one
        for one in known
        if not busy & {(one.started_at, one.run), (one.next_started_at, one.next_run)}
        and merged_at.get((one.base_ref, one.next_started_at), -1) < one.started_at
        and not exits[one.base_ref].has_entered_before(
            one.started_at if one.entered_at is None else one.entered_at,
            one.started_at - _LATE,
            one.next_started_at,
        )
    }


def _exits(reader: Reader, repository_id: int, repeated: Collection[_Repeated]) -> dict[str, EarlierExits]:
    """The exits because of failed checks, by base branch."""
    start = min(one.started_at for one in repeated) - _LATE
    end = max(one.next_started_at for one in repeated)
    found: dict[str, list[tuple[int, int]]] = {one.base_ref: [] for one in repeated}
    for base_ref, left_at, entered_at in reader.rows(
        "ci_failed_exits", [repository_id, list(found), start, end]
    ):
        # One whose entry is not known may have been ahead.
        found[base_ref].append((left_at, -1 if entered_at is None else entered_at))
    return {base_ref: EarlierExits(exits) for base_ref, exits in found.items()}


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
