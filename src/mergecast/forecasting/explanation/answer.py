"""What an explanation answers, with its words. This module loads no numerical library.

A value that cannot be computed is NaN here and null in JSON.
"""

from typing import Annotated, Final, Generic, Literal, TypeVar, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from mergecast.forecasting.forecast.answer import Period, Ranged

N_co = TypeVar("N_co", covariant=True)

Cause = Literal["arrivals", "run_length", "failures", "settings", "closed_time", "people"]
CAUSES: Final[tuple[Cause, ...]] = get_args(Cause)
PartName = Literal[
    "arrivals",
    "run_length",
    "failures",
    "settings",
    "closed_time",
    "people",
    "everything_else",
    "not_explained",
]
State = Annotated[
    Literal["divided", "small", "chance", "not_replayed", "no_cause", "unknown"],
    Meta(
        description="`divided`: the parts say why. Otherwise `reason` says why there are no shares: the "
        "difference is below 10 %, within what chance alone gives, a replay does not reproduce a period, or "
        "no cause differs clearly"
    ),
]
UnitName = Literal["seconds", "count", "rate", "ratio", "text"]


class Evidence(Struct, Generic[N_co], frozen=True):
    """Something about a cause that was recorded in both periods; a text if it is a setting."""

    words: str
    unit: UnitName
    before: N_co | str
    after: N_co | str


class StandsOut(Struct, Generic[N_co], frozen=True):
    """A group with a larger share of the difference than of the pull requests."""

    dimension: Literal["check", "queue", "priority", "hour", "batch size"]
    name: str
    before: N_co
    after: N_co
    unit: UnitName
    share_of_difference: N_co
    share_of_pull_requests: N_co


class CauseFound(Struct, Generic[N_co], frozen=True):
    """What is known about a cause in both periods."""

    cause: Cause
    words: str
    differs: Annotated[bool, Meta(description="More between the periods than single days do within one")]
    evidence: tuple[Evidence[N_co], ...]
    stands_out: tuple[StandsOut[N_co], ...]  # at most three


class Part(Struct, Generic[N_co], frozen=True):
    """What one cause adds to a figure, with its 90 % interval; all parts add up to the difference."""

    part: PartName
    words: str
    value: N_co
    low: N_co
    high: N_co
    share: Annotated[N_co, Meta(description="Of the difference; below 0 if it goes the other way")]


class FigureExplained(Struct, Generic[N_co], frozen=True, kw_only=True):
    figure: str
    before: N_co
    after: N_co
    difference: N_co
    change: Annotated[N_co, Meta(description="Relative: 0.1 is 10 % more than before")]
    chance: Annotated[
        N_co, Meta(description="How far two replays with different random numbers differ, in 90 % of cases")
    ]
    replayed: Annotated[
        Ranged[N_co] | None,
        Meta(
            description="The difference as replayed with other random numbers; null if nothing was replayed"
        ),
    ]
    state: State
    reason: str | None
    parts: tuple[Part[N_co], ...]
    sentence: str


class MeanPart(Struct, Generic[N_co], frozen=True):
    wait: Literal["ci", "capacity", "schedule", "freeze"]
    words: str
    before: N_co
    after: N_co
    difference: N_co


class MeanExplained(Struct, Generic[N_co], frozen=True):
    """The mean time to merge, and what it consists of by definition; in seconds."""

    before: N_co
    after: N_co
    difference: N_co
    parts: tuple[MeanPart[N_co], ...]
    sentence: str


class Explained(Struct, Generic[N_co], frozen=True, kw_only=True):
    """Why figures differ between two periods; the most interesting figure gives the sentence."""

    sentence: str
    merged_before: int
    merged_after: int
    replicates: int
    figures: tuple[FigureExplained[N_co], ...]
    mean: MeanExplained[N_co]
    causes: tuple[CauseFound[N_co], ...]


class ExplanationHead(Struct, frozen=True):
    """What an answer begins with: what was requested, and since when all of it is kept."""

    base_ref: str
    before: Period
    after: Period
    kept_since: str | UnsetType = UNSET


class Progress(Struct, frozen=True):
    done: int  # replicates
    total: int
