"""Lists the individual stays that ended in a window, the slowest or the latest first."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from mergecast.queues.answers.pulls import ListedStay, Stays, Waiting
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import format_optional
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader

_BY_DURATION = "seconds"


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
        format_optional(row.entered_at),
        format_optional(row.left_at),
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
