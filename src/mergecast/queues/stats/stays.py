"""Lists the individual stays that ended in a window, the slowest or the latest first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import Struct

from mergecast.queues.answers.pulls import Waiting
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import to_datetime
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader

_BY_DURATION = "seconds"


class ListedStay(Struct, frozen=True):
    """One pull request in one queue; `seconds` and `waiting` need both ends of the stay."""

    session_id: str
    pull_request: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    entered_at: datetime | None
    left_at: datetime | None
    reason: str | None
    seconds: float | None
    waiting: Waiting | None
    retries: int
    head_sha: str | None  # the last commit; None if it is not known, or changed during the stay


class _Row(NamedTuple):
    """The columns that the statements about stays share; times in microseconds."""

    session_id: str
    pull_request: int
    entered_at: int | None
    left_at: int | None
    reason: str | None
    queue_time: int | None
    ci_runtime: int
    idle_capacity: int
    idle_schedule: int
    idle_freeze: int
    retries: int
    head_sha: str | None


class Stays(Struct, frozen=True):
    total: int  # how many ended in the window, listed or not
    stays: list[ListedStay]


def answer(reader: Reader, question: Question) -> object:
    order, falls = question.page.order.removeprefix("-"), question.page.order.startswith("-")
    parameters = [order == _BY_DURATION, -1 if falls else 1, question.page.limit]
    rows = reader.rows("stays", [*question.by_window(), *parameters])
    total = rows[0][0] if rows else 0
    return Stays(total, [stay(question.groups[group_id], columns) for _, group_id, *columns in rows])


def stay(group: Group, columns: Sequence[Any]) -> ListedStay:
    """A stay, from the columns that the statements about stays share."""
    row, seconds, waiting = _Row(*columns), None, None
    if row.queue_time is not None:
        seconds = in_seconds(row.queue_time)
        parts = (row.ci_runtime, row.idle_capacity, row.idle_schedule, row.idle_freeze)
        waiting = Waiting(*map(in_seconds, parts))
    return ListedStay(
        row.session_id,
        row.pull_request,
        *group,
        None if row.entered_at is None else to_datetime(row.entered_at),
        None if row.left_at is None else to_datetime(row.left_at),
        row.reason,
        seconds,
        waiting,
        row.retries,
        row.head_sha,
    )


STAYS = Statistic(
    name="stays",
    summary="Individual stays that ended in a period",
    parameters=(*GROUPS, *WINDOW, "order", "limit"),
    answer=answer,
    answer_type=Stays,
)
