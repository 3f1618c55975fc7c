"""What happened in one queue in a period: stays, CI runs, splits of batches and reports about checks."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from mergecast.queues.model.ci_check import CANCELLED, REMOVING
from mergecast.queues.model.instant import Window
from mergecast.queues.store.reader import Reader

MOST_ROWS = 20_000  # of each kind; more are read in several periods


class StayEvent(NamedTuple):
    """A stay began or ended."""

    type: str
    happened_at: int
    stay: int
    session_id: str
    pull_request: int
    reason: str | None
    head_sha: str | None
    priority_rule_name: str | None


class CheckEvent(NamedTuple):
    """A CI run of a stay began or ended."""

    type: str
    happened_at: int
    session_id: str
    pull_request: int
    batch_id: str
    attempt: int
    outcome: str | None
    pull_requests: str | None  # joined by commas


class SplitEvent(NamedTuple):
    happened_at: int
    batch_id: str
    depth: int
    pull_requests: str


class CheckVerdict(NamedTuple):
    """When a required check ended so in a CI run for the first time, and after how long at most."""

    batch_id: str
    attempt: int
    name: str
    conclusion: str
    placed_at: int
    length: int | None


class Happened(NamedTuple):
    stays: Sequence[StayEvent]
    checks: Sequence[CheckEvent]
    splits: Sequence[SplitEvent]
    reports: Sequence[CheckVerdict]


def read_happened(
    reader: Reader, repository_id: int, groups: Collection[int], window: Window, watched: Collection[str] = ()
) -> Happened | None:
    """Everything in a queue with these groups; None if that is too much to read at once.

    If several events say the same about a stay or a run, only the one that counts is among them. Runs that
    passed have only reports about checks that are watched, or that ended `cancelled` in another run.
    """
    asked = [repository_id, list(groups), *window, MOST_ROWS + 1]
    stays = [StayEvent(*row) for row in reader.rows("happened_to_stays", asked)]
    checks = [CheckEvent(*row) for row in reader.rows("happened_to_checks", asked)]
    splits = [SplitEvent(*row) for row in reader.rows("happened_to_batches", asked)]
    failed = {check.batch_id for check in checks if check.outcome not in (None, "SUCCESS")}
    passed = {check.batch_id for check in checks if check.outcome is not None} - failed
    reports = _reports(reader, repository_id, failed, None)
    removed = {check.batch_id for check in checks if check.outcome in REMOVING}
    names = {
        *watched,
        *(one.name for one in reports if one.conclusion == CANCELLED and one.batch_id in removed),
    }
    reports += _reports(reader, repository_id, passed, sorted(names)) if names else []
    if max(len(stays), len(checks), len(splits), len(reports)) > MOST_ROWS:
        return None
    return Happened(_firsts(stays), checks, splits, reports)


def _reports(
    reader: Reader, repository_id: int, batches: Collection[str], names: Collection[str] | None
) -> list[CheckVerdict]:
    asked = [repository_id, sorted(batches), names, MOST_ROWS + 1]
    return [CheckVerdict(*row) for row in reader.rows("verdicts_of_ci_checks", asked)] if batches else []


def read_day(
    reader: Reader, repository_id: int, groups: Collection[int], window: Window, watched: Collection[str] = ()
) -> Happened:
    """The same, however much it is, in parts."""
    found = read_happened(reader, repository_id, groups, window, watched)
    if found is not None:
        return found
    middle = (window.start + window.end) // 2
    parts = [
        read_day(reader, repository_id, groups, half, watched)
        for half in (Window(window.start, middle), Window(middle, window.end))
    ]
    return Happened(*(list(chain.from_iterable(kinds)) for kinds in zip(*parts, strict=True)))


def _firsts(stays: Iterable[StayEvent]) -> list[StayEvent]:
    """Of several events at the same instant, the first counts."""
    return list({(event.type, event.stay): event for event in reversed(list(stays))}.values())[::-1]
