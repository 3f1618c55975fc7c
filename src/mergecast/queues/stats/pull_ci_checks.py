"""The CI checks that the CI runs of a pull request executed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from mergecast.queues.answers.described import DateTime
from mergecast.queues.model.instant import format_optional
from mergecast.queues.store.keys import halves, key_of
from mergecast.queues.store.reader import Reader

MOST_PER_RUN = 100
# Twice the largest number of runs: there is room for the first failure and the longest execution of each.
_MOST_IN_ALL = 20_000


class CiExecution(Struct, frozen=True):
    """One execution of a CI check; what no report says is null, and so is the conclusion while it runs."""

    name: str
    check_id: str
    conclusion: str | None
    queued_at: DateTime | None
    started_at: DateTime | None
    ended_at: DateTime | None
    url: str | None
    runner: str | None
    is_required: bool | None


class RunKey(NamedTuple):
    batch_id: str
    attempt: int


class CiChecksOfRun(NamedTuple):
    """The longest executions of a run, how many it has, and the first required one that failed."""

    longest: tuple[CiExecution, ...] = ()
    total: int = 0
    failed: CiExecution | None = None


NOT_REPORTED = CiChecksOfRun()


def read_ci_checks(
    reader: Reader, repository_id: int, runs: Mapping[RunKey, int]
) -> dict[RunKey, CiChecksOfRun]:
    """The checks of runs with reports. Each run has the instant until which its unfinished checks ran."""
    if not runs:
        return {}
    keys = [halves(key_of(repository_id, "run", *run)) for run in runs]
    high, low = zip(*keys, strict=True)
    given = [repository_id, list(high), list(low), list(runs.values()), MOST_PER_RUN, _MOST_IN_ALL]
    longest: defaultdict[RunKey, dict[int, CiExecution]] = defaultdict(dict)
    totals: dict[RunKey, int] = {}
    failed: dict[RunKey, CiExecution] = {}
    for batch_id, attempt, total, place, is_first_failure, *columns in reader.rows(
        "history_ci_checks", given
    ):
        run, found = RunKey(batch_id, attempt), _execution(columns)
        totals[run] = total
        if place <= MOST_PER_RUN:
            longest[run][place] = found
        if is_first_failure:
            failed[run] = found
    return {
        run: CiChecksOfRun(tuple(one for _, one in sorted(longest[run].items())), total, failed.get(run))
        for run, total in totals.items()
    }


def _execution(columns: Sequence[Any]) -> CiExecution:
    name, check_id, conclusion, queued_at, started_at, ended_at, *rest = columns
    queued, started, ended = (format_optional(at) for at in (queued_at, started_at, ended_at))
    return CiExecution(name, check_id, conclusion, queued, started, ended, *rest)
