"""Since when figures have had another level."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import Date, DateTime, one_of
from mergecast.queues.model.figures import CHANGE_FIGURES

ChangedFigure = Annotated[str, one_of(*CHANGE_FIGURES)]


class Change(Struct, frozen=True):
    """A figure has had another level since a day, in UTC, from `earliest` to `latest`.

    `ratio` is the value after it relative to the one before, and null if that was 0. `chance` is how likely
    weeks in another order show as much. It was `first_reported_on` a Monday; no later week revises one that
    `is_final`, as long as looks begin with the same day.
    """

    figure: ChangedFigure
    began_on: Date
    earliest: Date
    latest: Date
    before: float
    after: float
    ratio: float | None
    chance: float
    first_reported_on: Date
    is_final: bool
    sentence: str


class WatchedFigure(Struct, frozen=True):
    """On how many days a figure is known, and how many more must pass before a change can be reported."""

    figure: ChangedFigure
    days: int
    missing_days: int


class Changes(Struct, frozen=True):
    """Changes that began in a period, oldest first, as they were reported at the last weekly look.

    Looks see the days since `first_day`. With another first day, after New Year or after older events were
    deleted, changes that were final may be revised.
    """

    start_at: DateTime
    end_at: DateTime
    looked_at: DateTime
    first_day: Date
    sentence: str
    changes: tuple[Change, ...]
    figures: tuple[WatchedFigure, ...]
    kept_since: DateTime | UnsetType = UNSET
