"""Repositories, and what a list shows about each."""

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import one_of
from mergecast.queues.answers.summary import Figure

StateName = Literal["fine", "slow", "failing", "stuck", "silent", "looking", "unjudged"]


class RowFigures(Struct, frozen=True):
    """What a list shows about a repository; `trend` has the p50 of each of the 7 days, the oldest first."""

    state: Annotated[str, one_of(*sorted(get_args(StateName)))]
    sentence: str
    in_queue: int
    merged: Figure
    failure_rate: Figure
    time_in_queue_p50: Figure
    time_in_queue_p95: Figure
    trend: list[float | None]


class ListedRepository(Struct, frozen=True):
    """A repository of the list; `figures` if they are asked for."""

    owner: str
    repository: str
    events: int
    first_event_at: str | None
    last_event_at: str | None
    figures: RowFigures | UnsetType = UNSET
    kept_since: str | UnsetType = UNSET  # what ended before was deleted because of its age

    @property
    def name(self) -> str:
        return f"{self.owner}/{self.repository}"


class Repositories(Struct, frozen=True):
    """`total` and `next` are there if a parameter is given; `next` is null on the last page."""

    repositories: list[ListedRepository]
    total: int | UnsetType = UNSET
    next: str | UnsetType | None = UNSET
