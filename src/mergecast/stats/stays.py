"""The stays that ended in a window, one by one: the slowest or the latest first."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from mergecast.model.event import Group
from mergecast.model.instant import SECOND, format_instant
from mergecast.stats.answer import DateTime
from mergecast.stats.question import Question, Reader
from mergecast.stats.statistic import GROUPS, WINDOW, Statistic

_BY_DURATION = "seconds"


class Waiting(Struct, frozen=True):
    """What a stay consisted of, in seconds."""

    ci: float
    capacity: float
    schedule: float
    freeze: float


class Stay(Struct, frozen=True):
    """One pull request in one queue; `seconds` and `waiting` need both ends of the stay."""

    session_id: str
    pull_request: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    entered_at: DateTime | None
    left_at: DateTime | None
    reason: str | None
    seconds: float | None
    waiting: Waiting | None
    retries: int


class Stays(Struct, frozen=True):
    total: int  # how many ended in the window, listed or not
    stays: list[Stay]


def answer(reader: Reader, question: Question) -> object:
    order, falls = question.page.order.removeprefix("-"), question.page.order.startswith("-")
    parameters = [order == _BY_DURATION, -1 if falls else 1, question.page.limit]
    rows = reader.rows("stays", [*question.by_window(), *parameters])
    total = rows[0][0] if rows else 0
    return Stays(total, [stay(question.groups[group_id], columns) for _, group_id, *columns in rows])


def stay(group: Group, columns: Sequence[Any]) -> Stay:
    """A stay, from the columns that the statements about stays share."""
    session_id, pull_request, entered_at, left_at, reason, queue_time, *parts, retries = columns
    return Stay(
        session_id,
        pull_request,
        *group,
        _instant(entered_at),
        _instant(left_at),
        reason,
        None if queue_time is None else queue_time / SECOND,
        None if queue_time is None else Waiting(*(part / SECOND for part in parts)),
        retries,
    )


def _instant(instant: int | None) -> str | None:
    return None if instant is None else format_instant(instant)


STAYS = Statistic(
    name="stays",
    summary="The stays that ended in a period, one by one",
    parameters=(*GROUPS, *WINDOW, "order", "limit"),
    answer=answer,
    answer_type=Stays,
)
