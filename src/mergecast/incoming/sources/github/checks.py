"""What CI did for each merge group of a stay: attempts, and how each of them ended."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, zip_longest
from typing import NamedTuple

from mergecast.incoming.sources.github.groups import (
    SKEW,
    MergeGroup,
    is_destroyed_before,
    is_void,
    rebuilt_at,
)
from mergecast.incoming.sources.github.observation import Observation
from mergecast.incoming.sources.github.reasons import MERGED_BY_HAND, PROVEN_FAILURES
from mergecast.incoming.sources.github.stays.draft import GitHubStay
from mergecast.incoming.sources.github.surroundings import Surroundings
from mergecast.queues.model.event import CHECK_OUTCOMES, MERGED_REASONS

_PASSED = frozenset({"success", "neutral", "skipped"})
_NO_VERDICT = frozenset({"cancelled", "stale"})
# What is ahead left, and its commit is in the base branch.
_LANDED = frozenset({*MERGED_REASONS, MERGED_BY_HAND})
_SUCCESS = "SUCCESS"
_FAILED = "CHECKS_FAILED"
_RETRIED = "CHECKS_RETRIED"
_INTERRUPTED = "CHECKS_INTERRUPTED"


class Attempt(NamedTuple):
    """One run of CI on a group; not ended while the group is being tested."""

    head_sha: str
    number: int
    started_at: int
    ended_at: int | None
    outcome: str | None


class _Ending(NamedTuple):
    at: int
    outcome: str


def attempts(stay: GitHubStay, around: Surroundings) -> Iterator[Attempt]:
    """Every attempt of every group of the stay, in order."""
    for group, following in zip_longest(stay.groups, stay.groups[1:]):
        yield from _attempts_of(group, _ending(stay, group, following, around))


def _attempts_of(group: MergeGroup, ending: _Ending | None) -> Iterator[Attempt]:
    by_number = _by_attempt(group.checks)
    numbers = sorted(by_number) or [1]
    starts = [group.built_at, *(_started_at(by_number[number]) for number in numbers[1:])]
    for index, (start, following) in enumerate(pairwise(starts)):
        end = min(_last_end(by_number[numbers[index]]) or following, following)
        yield Attempt(group.head_sha, index + 1, start, max(end, start), _RETRIED)
    yield _last_attempt(group, len(starts), starts[-1], _not_repeated(by_number), ending)


def _not_repeated(by_number: Mapping[int, list[Observation]]) -> list[Observation]:
    """The checks that count in the end: those of the last attempt, and earlier ones that ran only once."""
    newest = {check.check: number for number in sorted(by_number) for check in by_number[number]}
    return [
        check for number, checks in by_number.items() for check in checks if newest[check.check] == number
    ]


def _last_attempt(
    group: MergeGroup, number: int, start: int, checks: list[Observation], ending: _Ending | None
) -> Attempt:
    """A verdict is dated to the end of the last check, an interruption to the instant it happened."""
    if ending is None:
        return Attempt(group.head_sha, number, start, None, None)
    verdict = _verdict(checks)
    last = _last_end(checks)
    if ending.outcome in (_SUCCESS, _FAILED) and last is not None:
        return Attempt(group.head_sha, number, start, max(min(last, ending.at), start), ending.outcome)
    if verdict is not None and last is not None and last <= ending.at and ending.outcome != "CHECKS_TIMEOUT":
        return Attempt(group.head_sha, number, start, max(last, start), verdict)
    return Attempt(group.head_sha, number, start, max(ending.at, start), ending.outcome)


def _verdict(checks: Iterable[Observation]) -> str | None:
    """The combined result of all known checks; None while one of them runs, or if there are none.

    CI that was cancelled has no result, unless something failed before.
    """
    newest = _newest(checks)
    ended = {check.check for check in newest if check.conclusion is not None}
    conclusions = [check.conclusion for check in newest if check.check_id or check.check not in ended]
    if not conclusions or None in conclusions:
        return None
    if all(conclusion in _PASSED for conclusion in conclusions):
        return _SUCCESS
    return _FAILED if set(conclusions) - _PASSED - _NO_VERDICT else None


def _newest(checks: Iterable[Observation]) -> list[Observation]:
    """The last completion of each run, otherwise its start: a suite completes again if a run is repeated."""
    newest: dict[str, Observation] = {}
    for check in checks:
        key = f"{check.check}\n{check.check_id}"
        known = newest.get(key)
        if known is None or _completion(check) > _completion(known):
            newest[key] = check
    return list(newest.values())


def _completion(check: Observation) -> tuple[bool, int]:
    return check.conclusion is not None, check.ended_at or 0


def _by_attempt(checks: Iterable[Observation]) -> dict[int, list[Observation]]:
    """The checks of each attempt, as numbered by the platform, otherwise by the order of their runs."""
    ranks: dict[tuple[str | None, str | None], int] = {}  # by check and run
    runs: Counter[str | None] = Counter()  # of each check, so far
    newest: dict[str | None, Observation] = {}
    attempts: defaultdict[int, list[Observation]] = defaultdict(list)
    for check in sorted(checks, key=order):
        run, before = (check.check, check.check_id), newest.get(check.check)
        newest[check.check] = check
        if check.check_id is not None and run not in ranks:
            runs[check.check] += before is None or not _is_repeated(before, check)
            ranks[run] = runs[check.check]
        attempts[check.attempt or ranks.get(run, runs[check.check] + 1)].append(check)
    return dict(attempts)


def order(check: Observation) -> tuple[int, str, str]:
    """Sorts the checks of a commit by when they were first seen."""
    return _first_seen_at(check), check.check_id or "", check.id


def _is_repeated(before: Observation, check: Observation) -> bool:
    """Whether a status was set again, with another description: it was not pending in between."""
    is_status = check.status_context is not None
    return is_status and check.conclusion is not None and check.conclusion == before.conclusion


def _started_at(checks: Iterable[Observation]) -> int:
    return min(_first_seen_at(check) for check in checks)


def _first_seen_at(check: Observation) -> int:
    """By the clock of CI: an import receives everything at the same instant."""
    return check.started_at or check.ended_at or check.instant


def _last_end(checks: Iterable[Observation]) -> int | None:
    return max((check.ended_at for check in checks if check.ended_at is not None), default=None)


def _ending(
    stay: GitHubStay, group: MergeGroup, following: MergeGroup | None, around: Surroundings
) -> _Ending | None:
    """How the testing of a group ended; None while it continues."""
    if following is not None:
        return _Ending(rebuilt_at(group, following), _abort_code(group, following.built_at, around))
    if stay.exit is not None and not is_destroyed_before(group, stay.exit.at):
        return _Ending(stay.exit.at, _outcome_of_exit(stay.exit.reason))
    if is_void(group) and group.destroyed_at is not None:
        return _Ending(group.destroyed_at, _abort_code(group, group.destroyed_at, around))
    return None


def _outcome_of_exit(reason: str) -> str:
    """The outcome of the last group, from the reason why its pull request left."""
    if reason in MERGED_REASONS:
        return _SUCCESS
    return reason if reason in CHECK_OUTCOMES else _INTERRUPTED


def _abort_code(group: MergeGroup, by: int, around: Surroundings) -> str:
    """Why a group was destroyed, at the latest by an instant, while its pull request stayed in the queue."""
    ahead = _left_ahead(group, around)
    if ahead is not None and ahead not in _LANDED:
        return "BATCH_AHEAD_FAILED" if ahead in PROVEN_FAILURES else "PR_AHEAD_DEQUEUED"
    until = max(by, group.destroyed_at or by) + SKEW
    if any(group.built_at <= push <= until for push in around.foreign_pushes):
        return "MERGE_QUEUE_RESET"
    return "PR_AHEAD_DEQUEUED"


def _left_ahead(group: MergeGroup, around: Surroundings) -> str | None:
    """Why the nearest entry ahead that left did so: every group on top of it was destroyed with it."""
    base, passed = group.base_sha, set[str]()
    while base is not None and base not in passed:
        reason = around.ahead.get(base)
        if reason is not None:
            return reason
        passed.add(base)
        base = around.built_on.get(base)
    return None
