"""Since when figures have had another level."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import Date, DateTime, one_of
from mergecast.queues.model.figures import CHANGE_FIGURES

ChangedFigure = Annotated[str, one_of(*CHANGE_FIGURES)]


class Change(Struct, frozen=True):
    """A figure has had another level since a day, in UTC, from `earliest` to `latest`.

    `ratio` is the value after it relative to the one before, and null if that was 0. It was
    `first_reported_on` the day by which five daily looks in a row agreed; no later day revises it.
    """

    figure: ChangedFigure
    began_on: Date
    earliest: Date
    latest: Date
    before: float
    after: float
    ratio: float | None
    first_reported_on: Date
    sentence: str


class WatchedFigure(Struct, frozen=True):
    """On how many days a figure is known, and how many more must pass before a change can be reported."""

    figure: ChangedFigure
    days: int
    missing_days: int


class Changes(Struct, frozen=True):
    """Changes that began in a period, oldest first, as they were reported by the last daily look.

    Looks see the days since `first_day`. With another first day, after New Year or after older events were
    deleted, changes may be revised.
    """

    start_at: DateTime
    end_at: DateTime
    looked_at: DateTime
    first_day: Date
    sentence: str
    changes: tuple[Change, ...]
    figures: tuple[WatchedFigure, ...]
    kept_since: DateTime | UnsetType = UNSET
