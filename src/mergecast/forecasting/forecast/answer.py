"""What forecasts answer. Replays fill these types; the schema and the command line follow from them.

A value that cannot be computed is NaN here and null in JSON. This module loads no numerical library.
"""

from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from mergecast.forecasting.forecast.requirements import QUEUE_SETTINGS_SCHEMA, SETTING_VALUE_SCHEMA

_DIGITS: Final = 6

Number = float | None
N_co = TypeVar("N_co", covariant=True)
T_co = TypeVar("T_co", covariant=True)
_Found = TypeVar("_Found")

SettingValue = Annotated[Any, Meta(extra_json_schema=SETTING_VALUE_SCHEMA)]
SettingsTried = dict[str, SettingValue]
QueueSettings = Annotated[dict[str, Any], Meta(extra_json_schema=QUEUE_SETTINGS_SCHEMA)]
Place = Annotated[int | None, Meta(description="Its place among the combinations; null if none qualifies")]
Share = Annotated[float, Meta(description="The share of the replays in which it is lower")]
State = Annotated[
    Literal["computed", "not computed", "does not keep up"],
    Meta(description="`not computed`: it takes too long. Figures are null if they are not known"),
]
Source = Literal["request", "history", "document in force", "platform"]
Grade = Literal["good", "fair", "poor"]
Verdict = Literal["lower", "higher", "probably lower", "probably higher", "unclear", "none"]


class Ranged(Struct, Generic[N_co], frozen=True):
    """A value with its 90 % interval."""

    value: N_co
    low: N_co
    high: N_co


class Figures(Struct, Generic[T_co], frozen=True):
    """What forecasts compute, by the names of the table of figures; durations in seconds."""

    time_to_merge_p50: T_co
    time_to_merge_p90: T_co
    time_to_merge_p95: T_co
    ci_runs_per_merge: T_co
    ci_seconds_per_merge: T_co
    merged_per_day: T_co
    removed_by_checks: T_co  # share of the stays that left


class Compared(Struct, Generic[T_co], frozen=True):
    """The figures by which a forecast is judged."""

    time_to_merge_p50: T_co
    time_to_merge_p95: T_co
    ci_runs_per_merge: T_co


RangedFigures = Figures[Ranged[Number]]
RecordedFigures = Figures[Number]
Errors = Compared[Number]  # relative: 0.1 means 10 % too high
TypicalErrors = Compared[Ranged[Number]]  # of several forecasts, in either direction


class Eta(Struct, Generic[N_co], frozen=True):
    """The shares of merged pull requests that merged before their p50 and before their p90.

    Ideal are 0.5 and 0.9.
    """

    p50: N_co
    p90: N_co
    cases: int


class ChanceBin(Struct, frozen=True):
    """Past pull requests with about the same chance to merge: its mean, and the share that merged."""

    predicted: float
    merged: float
    cases: int


class Extent(Struct, frozen=True):
    """The lowest and the highest of some shares."""

    low: float
    high: float


class EtaOfWindows(Eta[N_co], Generic[N_co], frozen=True):
    p50_range: Extent | None  # of the windows; null if there are fewer than two with ten cases
    p90_range: Extent | None
    windows: tuple[Eta[N_co], ...]  # the same for each part of the back-test
    chances: tuple[ChanceBin, ...]  # of all that left, also unmerged; the lowest first


class Sureness(Struct, frozen=True):
    """How sure a difference is."""

    verdict: Verdict
    lower: Share


class Reach(Struct, frozen=True):
    """What of a candidate was never recorded, in words; nothing if it is inside the record."""

    level: Literal["inside", "beyond"]
    beyond: tuple[str, ...]


class Drift(Compared[Ranged[N_co]], Generic[N_co], frozen=True):
    """The typical change from one recorded week to the next, in either direction."""

    weeks: int


class BackTestPart(Struct, frozen=True):
    fitted_days: float
    tested_days: float
    days_before_end: float
    forecast: Errors
    naive: Errors


class BackTest(Struct, frozen=True):
    """Forecasts of past weeks, each from what was known then: if weeks like these come, or as before."""

    forecast: TypicalErrors
    naive: TypicalErrors
    parts: tuple[BackTestPart, ...]


class Sentences(Struct, frozen=True):
    grade: str
    mechanics: str
    drift: str
    back_test: str


class CandidateSentences(Sentences, frozen=True):
    reach: str
    difference: str


class _Trust(Struct, frozen=True):
    """`forecast` and `naive` are the errors at the last cut point; `back_test` has all of them.

    The grade says whether a replay reproduces the recorded weeks, not how far off the next ones will be.
    """

    mechanics: Errors  # of the unchanged rules, replayed with inputs of the same weeks
    forecast: Errors
    naive: Errors
    eta: EtaOfWindows[Number]
    grade: Grade
    drift: Drift[Number]
    back_test: BackTest


class SearchTrust(_Trust, frozen=True):
    """What holds for every candidate, measured on this very history; the grade is by the mechanics alone."""

    sentences: Sentences


class ForecastTrust(_Trust, frozen=True):
    """The same for one candidate, with the grade that its reach leaves."""

    reach: Reach
    difference: Compared[Sureness]
    sentences: CandidateSentences


class Removals(Struct, Generic[N_co], frozen=True):
    baseline: N_co
    candidate: N_co


class NextTwoWeeks(Struct, Generic[N_co], frozen=True):
    """The figures if weeks like these come; the errors of past forecasts scale their intervals."""

    baseline: Compared[Ranged[N_co]]
    candidate: Compared[Ranged[N_co]]


class Comparison(Struct, Generic[N_co], frozen=True, kw_only=True):
    """A candidate beside the baseline. Their intervals hold for the weeks recorded, not for the next ones."""

    merged: int
    replicates: int
    recorded: Figures[N_co]
    baseline: Figures[Ranged[N_co]]
    candidate: Figures[Ranged[N_co]]
    difference: Figures[Ranged[N_co]]  # relative
    next_two_weeks: NextTwoWeeks[N_co]
    innocent_removals: Removals[N_co]
    trust: ForecastTrust
    notes: tuple[str, ...]


class Combination(Figures[Ranged[N_co]], Generic[N_co], frozen=True):
    """Some settings that were tried."""

    settings: SettingsTried
    state: State
    difference: Figures[Ranged[N_co]]  # from the baseline, relative
    innocent_removals: N_co
    reach: Reach


class Advice(Struct, frozen=True):
    """The sentence says what a combination brings, or why there is none."""

    combination: Place
    sentence: str


class Recommendation(Struct, frozen=True):
    no_more_ci: Advice
    half_time_to_merge_p95: Advice
    worth_a_trial: Advice  # likely to be faster for no more CI, but not sure


class Search(Struct, Generic[N_co], frozen=True, kw_only=True):
    """Every combination of some settings."""

    merged: int
    replicates: int
    trust: SearchTrust
    recorded: Figures[N_co]
    baseline: Figures[Ranged[N_co]]
    combinations: tuple[Combination[N_co], ...]
    front: tuple[int, ...]  # those that no other beats in both p95 and runs per merge
    best: int | None  # within the limit
    recommended: Recommendation
    notes: tuple[str, ...]


class CapacityOfSettings(Struct, Generic[N_co], frozen=True):
    settings: SettingsTried  # what differs from today's
    arrivals_per_day: Ranged[N_co]
    factor: Ranged[N_co]  # on the recorded arrivals
    exceeds_what_was_tried: bool  # the limit was reached under no load that was tried
    time_to_merge_p95: Ranged[N_co]  # with the recorded arrivals
    reach: Reach


class CapacityLimit(Struct, frozen=True):
    time_to_merge_p95: float


class Capacity(Struct, Generic[N_co], frozen=True, kw_only=True):
    """How many pull requests a day a queue can take."""

    replicates: int
    recorded_arrivals_per_day: float
    limit: CapacityLimit
    today: CapacityOfSettings[N_co]
    best: CapacityOfSettings[N_co] | None  # None if no combination takes more than today's settings
    notes: tuple[str, ...]


class Detected(Struct, frozen=True):
    """A rule that was found in the history."""

    queues: tuple[str, ...]
    rule: str
    value: str
    cases: int


class ToldBy(Struct, frozen=True):
    """Which platform said what the settings are, and when."""

    platform: str
    read_at: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Understood(Struct, frozen=True, kw_only=True):
    """Settings by queue, as understood."""

    baseline: dict[str, QueueSettings]
    source_of_baseline: Source
    detected: tuple[Detected, ...]
    told_by: ToldBy | UnsetType = UNSET  # if the baseline is what the platform says


class UnderstoodCandidate(Understood, frozen=True, kw_only=True):
    candidate: dict[str, QueueSettings]


class Period(Struct, frozen=True):
    start_at: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
    end_at: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Head(Struct, frozen=True):
    """What every answer begins with: what was requested, and since when all of it is kept."""

    base_ref: str
    queue_name: str | None
    window: Period
    kept_since: str | UnsetType = UNSET


class ForecastAnswer(Comparison[Number], frozen=True, kw_only=True):
    settings: UnderstoodCandidate


class SearchAnswer(Search[Number], frozen=True, kw_only=True):
    settings: Understood
    vary: dict[str, list[SettingValue]]


class CapacityAnswer(Capacity[Number], frozen=True, kw_only=True):
    settings: Understood


def rounded(found: _Found) -> _Found:
    """Without digits that mean nothing. Objects without a type are settings, which stay as they were given.

    >>> rounded((Eta(0.123456789, 1.0, 3), {"ci_speed": 0.123456789}))
    (Eta(p50=0.123457, p90=1.0, cases=3), {'ci_speed': 0.123456789})
    """
    return _rounded(found)  # type: ignore[no-any-return]


def _rounded(found: Any) -> Any:
    if isinstance(found, float):
        return round(found, _DIGITS)
    if isinstance(found, Struct):
        return type(found)(**{name: _rounded(value) for name, value in msgspec.structs.asdict(found).items()})
    return tuple(map(_rounded, found)) if isinstance(found, tuple) else found
