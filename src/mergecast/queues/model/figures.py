"""The figures of queues: what they are called, in which unit they are, and how they are written for people.

*Time in queue* is that of all pull requests that left, *time to merge* that of merged ones only.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal, NamedTuple, Protocol

from mergecast.queues.model.instant import duration

PERCENTILES: Final = ("p50", "p90", "p95", "p99")
WAITS: Final = {"ci": "CI", "capacity": "capacity", "schedule": "schedule", "freeze": "freeze"}
# A shorter period has a number of merges, and no rate per day.
SHORTEST_OF_RATE = 2
UNKNOWN_CI = "No CI runs were reported for these queues, so figures about CI are not known."
_TINY = 0.005  # would be written as 0.00, for example one merge in a year


class Unit(StrEnum):
    SECONDS = "seconds"
    COUNT = "count"
    RATE = "rate"  # a share from 0 to 1; its change is a difference, in points
    RATIO = "ratio"

    def written(self, value: float | None) -> str:
        """A value for people.

        >>> [Unit.SECONDS.written(3720), Unit.RATE.written(0.05)]
        ['1h02m', '5.0%']
        >>> [Unit.COUNT.written(1200), Unit.RATIO.written(1200)]
        ['1,200', '1,200.00']
        >>> [Unit.COUNT.written(value) for value in (41.5, 0.0027, None)]
        ['41.50', '0.003', '-']
        """
        if value is None:
            return "-"
        if self is Unit.SECONDS:
            return duration(value)
        if self is Unit.RATE:
            return f"{value:.1%}"
        if 0 < abs(value) < _TINY:
            return f"{value:.1g}"
        return f"{value:,.0f}" if self is Unit.COUNT and value % 1 == 0 else f"{value:,.2f}"

    def written_change(self, change: float | None) -> str:
        """How a value changed: that of a rate is a difference, that of others is relative.

        >>> [unit.written_change(-0.012) for unit in (Unit.COUNT, Unit.RATE)]
        ['−1%', '−1.2 points']
        """
        if change is None or self is not Unit.RATE:
            return signed(change)
        return with_minus(f"{change * 100:+.1f} points")


class Figure(NamedTuple):
    """What a figure is; `short` is for tiles and columns."""

    name: str
    words: str
    unit: Unit
    short: str
    better: Literal["less", "more", "neither"] = "less"
    counts: str | None = None  # what it is a number of, if that is not plain from its unit

    @property
    def unit_words(self) -> str:
        """The unit of its values, in words.

        >>> [FIGURES[name].unit_words for name in ("run_too_long", "everyone_fails", "failure_rate")]
        ['seconds', 'runs', 'rate']
        """
        return self.counts or str(self.unit)

    def written(self, value: float | None) -> str:
        return self.unit.written(value)

    def written_change(self, change: float | None) -> str:
        return self.unit.written_change(change)


def signed(change: float | None) -> str:
    """A relative change, such as +12%.

    >>> [signed(0.121), signed(-0.2), signed(-0.002), signed(None)]
    ['+12%', '−20%', '0%', '-']
    """
    if change is None:
        return "-"
    text = with_minus(f"{change:+.0%}")
    return "0%" if text[1:] == "0%" else text


def added(unit: Unit, value: float | None) -> str:
    """What is added to a figure, with its sign.

    >>> added(Unit.SECONDS, -120), added(Unit.RATIO, 0.25), added(Unit.SECONDS, None)
    ('−2m', '+0.25', '-')
    """
    if value is None:
        return "-"
    return with_minus(f"{'-' if value < 0 else '+'}{unit.written(abs(value))}")


def with_minus(text: str) -> str:
    """A signed number for people.

    >>> with_minus(f"{-0.5:+.1f}")
    '−0.5'
    """
    return text.replace("-", "\N{MINUS SIGN}")


class HasValue(Protocol):
    @property
    def value(self) -> float | None: ...


def unknown_ci_text(figures: Mapping[str, HasValue]) -> str | None:
    """The reason, if no source reports CI runs; pull requests merged or left, so there would be figures."""
    has_merges = bool(figures["merged"].value) and figures["ci_runs_per_merge"].value is None
    has_stays = figures["waiting_schedule"].value is not None and figures["waiting_ci"].value is None
    return UNKNOWN_CI if has_merges or has_stays else None


def why_missing(figures: Mapping[str, HasValue]) -> dict[str, str]:
    """Why figures of a summary have no value, by name."""
    unknown_ci = unknown_ci_text(figures)
    return {
        name: unknown_ci if unknown_ci and name in _OF_CI else _NOTHING.get(name, _NOTHING_LEFT)
        for name in SUMMARY_FIGURES
        if figures[name].value is None
    }


def _percentiles(name: str, words: str, short: str) -> tuple[Figure, ...]:
    return tuple(
        Figure(f"{name}_{share}", f"{words}, {share}", Unit.SECONDS, f"{share} {short}")
        for share in PERCENTILES
    )


_OF_SUMMARIES: Final = (
    Figure("entered", "entered", Unit.COUNT, "entered", "neither"),
    Figure("merged", "merged", Unit.COUNT, "merged", "neither"),
    Figure("merged_per_day", "merged per day", Unit.COUNT, "merged", "neither"),
    Figure("failure_rate", "failure rate", Unit.RATE, "failures"),
    *_percentiles("time_in_queue", "time in queue", "in queue"),
    Figure("waiting_ci", "waiting for CI, mean", Unit.SECONDS, WAITS["ci"]),
    Figure("waiting_capacity", "waiting for capacity, mean", Unit.SECONDS, WAITS["capacity"]),
    Figure("waiting_schedule", "waiting for the schedule, mean", Unit.SECONDS, WAITS["schedule"]),
    Figure("waiting_freeze", "waiting for a freeze, mean", Unit.SECONDS, WAITS["freeze"]),
    *_percentiles("time_to_merge", "time to merge", "to merge"),
    Figure("ci_runs_per_merge", "CI runs per merge", Unit.RATIO, "CI runs per merge"),
    Figure("ci_seconds_per_merge", "CI time per merge", Unit.SECONDS, "CI time per merge"),
    Figure("batch_size", "batch size, mean", Unit.RATIO, "batch size", "neither"),
    Figure("retries", "retries", Unit.COUNT, "retried checks"),
    Figure("bisections", "bisections", Unit.COUNT, "bisections"),
    Figure("runs_saved", "CI runs saved", Unit.COUNT, "CI runs saved", "more"),
)
_OF_FORECASTS: Final = (
    Figure("removed_by_checks", "removed by checks", Unit.RATE, "removed by checks"),
    Figure("innocent_removals", "removed although not broken", Unit.RATE, "removed although not broken"),
)
_OF_CHANGES: Final = (
    Figure("passed_run_p50", "length of passed CI runs, p50", Unit.SECONDS, "passed CI run"),
    Figure("entered_per_day", "entered per day", Unit.COUNT, "entered", "neither"),
    Figure("waiting_machines", "waiting for machines, mean per CI run", Unit.SECONDS, "machines"),
)
# How far a queue is from what is normal at this moment; only thresholds and alerts have these.
_OF_ALERTS: Final = (
    Figure("no_run_started", "time without a CI run", Unit.SECONDS, "no CI run"),
    Figure("run_too_long", "length of a CI run", Unit.SECONDS, "long CI run"),
    Figure("everyone_fails", "failed CI runs in a row", Unit.COUNT, "all fail", counts="runs"),
    Figure("going_round", "entries of one pull request", Unit.COUNT, "going round", counts="entries"),
    Figure("splits", "splits of one batch", Unit.COUNT, "splits", counts="splits"),
    Figure(
        *("nothing_merges", "merges expected, none seen", Unit.RATIO, "nothing merges"),
        counts="expected merges",
    ),
    Figure(
        "source_silent", "hours of silence when events are usual", Unit.RATIO, "source silent", counts="hours"
    ),
    Figure(
        "runs_slow", "length of CI runs, relative to usual", Unit.RATIO, "slow CI", counts="times as long"
    ),
    Figure("forgotten", "CI runs that passed it over", Unit.COUNT, "forgotten", counts="runs"),
)
FIGURES: Final = {
    figure.name: figure for figure in (*_OF_SUMMARIES, *_OF_FORECASTS, *_OF_CHANGES, *_OF_ALERTS)
}
CHANGE_FIGURES: Final = (  # in the order of the answer
    *("time_to_merge_p50", "time_to_merge_p95", "failure_rate", "passed_run_p50"),
    *("ci_runs_per_merge", "entered_per_day", "waiting_machines"),
)
SUMMARY_FIGURES: Final = tuple(figure.name for figure in _OF_SUMMARIES)  # in the order of the answer
_OF_CI: Final = frozenset(
    {"waiting_ci", "waiting_capacity", "ci_runs_per_merge", "ci_seconds_per_merge"}
    | {"retries", "bisections", "runs_saved"}
)
_NOTHING_LEFT: Final = "No pull request left the queue in this period."
_NOTHING: Final = {
    "batch_size": "No CI run started in this period.",
    **dict.fromkeys(
        (*(f"time_to_merge_{share}" for share in PERCENTILES), "ci_runs_per_merge", "ci_seconds_per_merge"),
        "Nothing merged in this period.",
    ),
}
