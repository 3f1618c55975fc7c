"""How far to trust a forecast: mechanics, drift, reach, the back-test, and the grade that follows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, log, nan
from typing import Final

from msgspec.structs import asdict, astuple

from mergecast.forecasting.forecast.ahead import COMPARED
from mergecast.forecasting.forecast.answer import (
    BackTest,
    BackTestPart,
    CandidateSentences,
    Compared,
    Drift,
    ForecastTrust,
    Grade,
    Reach,
    SearchTrust,
    Sentences,
    Sureness,
    Verdict,
)
from mergecast.forecasting.forecast.backtest import (
    BackTestFound,
    ErrorsFound,
    TypicalErrorsFound,
    back_test,
    errors,
    middle,
    typical,
)
from mergecast.forecasting.forecast.eta import Happened
from mergecast.forecasting.forecast.figures import FiguresFound, Range, RangesFound, recorded_figures
from mergecast.forecasting.forecast.requirements import (
    FITTED_DAYS,
    MOST_PARTS,
    TESTED_DAYS,
    WANTED_DAYS,
)
from mergecast.forecasting.history.seconds import DAY, WEEK
from mergecast.forecasting.history.structure import History
from mergecast.queues.model.figures import signed
from mergecast.queues.model.words import counted, plural

_LEAST_MERGED: Final = 20  # fewer pull requests say nothing about a week
_GRADES: Final[tuple[Grade, ...]] = ("good", "fair", "poor")
# The largest errors of p50, p95 and runs per merge.
_LIMITS: Final[dict[Grade, tuple[float, ...]]] = {"good": (0.1, 0.2, 0.05), "fair": (0.2, 0.4, 0.1)}
LEAST_CHANGE: Final = 0.005  # less is none
_LIKELY: Final = 0.75
_NAMES: Final = ("p50", "p95", "runs per merge")
_WANTED: Final = (MOST_PARTS, FITTED_DAYS, TESTED_DAYS)
_WANTED_WEEKS: Final = WANTED_DAYS // 7
_NUMBERS: Final = ("No", "One", "Two", "Three", "Four", "Five", "Six")
_NOT_REPLAYED: Final = "Too little was merged to compare a replay of these weeks with what was recorded."


def drift(history: History, queues: frozenset[str]) -> Drift[float]:
    start, end = history.recorded_span
    names = sorted(queues)
    spans = [(end - WEEK * (back + 1), end - WEEK * back) for back in range(int((end - start) / WEEK))]
    merged = [stay.left or 0.0 for stay in history.stays if stay.is_merged and stay.queue_name in queues]
    weeks = [
        recorded_figures(history, names, since, until)
        for since, until in reversed(spans)
        if sum(since <= left < until for left in merged) >= _LEAST_MERGED
    ]
    change = typical([errors(after, before) for before, after in pairwise(weeks)])
    return Drift(**asdict(change), weeks=len(weeks))


@dataclass(frozen=True)
class Record:
    """What forecasts are compared with: the history of the window, and a longer one for the back-test."""

    history: History
    past: History
    queues: frozenset[str]
    seed: int


def trust(record: Record, unchanged: Sequence[FiguresFound]) -> SearchTrust:
    """`unchanged` are replicates of the unchanged rules over the whole window."""
    recorded = recorded_figures(record.history, sorted(record.queues))
    mechanics = errors(middle(unchanged), recorded)
    test, change = (
        back_test(Happened(record.past, record.queues), record.seed),
        drift(record.past, record.queues),
    )
    last = test.parts[-1:]
    return SearchTrust(
        mechanics=mechanics,
        forecast=last[0].errors if last else _UNKNOWN,
        eta=test.eta_of_windows,
        grade=grade_of(mechanics),
        drift=change,
        back_test=_tested(test),
        sentences=Sentences(
            grade=f"{_about_replay(mechanics)} {_about_past_weeks(test, record.past)}",
            mechanics=_about_mechanics(mechanics),
            drift=_about_drift(change),
            back_test=_about_back_test(test),
        ),
    )


_UNKNOWN: Final = Compared(nan, nan, nan)


def _tested(test: BackTestFound) -> BackTest:
    return BackTest(
        test.forecast,
        tuple(
            BackTestPart(
                (part.cut - part.start) / DAY,
                (part.end - part.cut) / DAY,
                (test.parts[-1].part.end - part.cut) / DAY,
                tested.errors,
            )
            for tested in test.parts
            for part in [tested.part]
        ),
    )


def candidate_trust(
    common: SearchTrust, reach: Reach, difference: Compared[Sureness], figures: RangesFound, replicates: int
) -> ForecastTrust:
    sentences = CandidateSentences(
        **asdict(common.sentences),
        reach=_about_reach(reach),
        difference=_about_difference(difference, replicates),
    )
    grade = candidate_grade(common.grade, reach, figures)
    changed = {"grade": grade, "reach": reach, "difference": difference, "sentences": sentences}
    return ForecastTrust(**asdict(common) | changed)


def candidate_grade(grade: Grade, reach: Reach, figures: RangesFound) -> Grade:
    """Beyond the record, nothing was checked: the grade is at most fair, and no better than the intervals."""
    if reach.level == "inside":
        return grade
    widths = Compared(*(_half_width(getattr(figures, name)) for name in COMPARED))
    return max(grade, "fair", grade_of(widths), key=_GRADES.index)


def _half_width(found: Range) -> float:
    return log(found.high / found.low) / 2 if found.low > 0 and isfinite(found.high) else float("inf")


def grade_of(found: ErrorsFound) -> Grade:
    """`poor` if there was nothing to compare."""
    for name, limits in _LIMITS.items():
        if all(abs(error) <= most for error, most in zip(astuple(found), limits, strict=True)):
            return name
    return "poor"


def sureness(
    baseline: Sequence[FiguresFound], candidate: Sequence[FiguresFound], difference: RangesFound
) -> Compared[Sureness]:
    """How sure the difference between candidate and baseline is, apart from the figures themselves."""
    return Compared(
        *(
            _of_figure(
                [
                    (getattr(before, name), getattr(after, name))
                    for before, after in zip(baseline, candidate, strict=True)
                ],
                getattr(difference, name),
            )
            for name in COMPARED
        )
    )


def _of_figure(pairs: list[tuple[float, float]], difference: Range) -> Sureness:
    lower = sum(after < before for before, after in pairs) / len(pairs)
    higher = sum(after > before for before, after in pairs) / len(pairs)
    if max(abs(bound) for bound in astuple(difference)) < LEAST_CHANGE:
        return Sureness("none", lower)
    if difference.high < 0:
        return Sureness("lower", lower)
    if difference.low > 0:
        return Sureness("higher", lower)
    if lower >= _LIKELY:
        return Sureness("probably lower", lower)
    return Sureness("probably higher" if higher >= _LIKELY else "unclear", lower)


def _about_replay(errors: ErrorsFound) -> str:
    """What the grade says about the recorded weeks."""
    if not all(isfinite(error) for error in astuple(errors)):
        return _NOT_REPLAYED
    off = _listed(f"{abs(error):.0%} ({name})" for name, error in zip(_NAMES, astuple(errors), strict=True))
    if grade_of(errors) == "poor":
        return f"A replay does not reproduce the recorded weeks: it is off by {off}."
    return f"A replay reproduces the recorded weeks within {off}."


def _about_past_weeks(test: BackTestFound, past: History) -> str:
    """What the grade cannot say: how far off the next weeks may be."""
    start, end = past.recorded_span
    weeks = int((end - start) / WEEK)
    count = len(test.parts)
    if not count:
        recorded = f"{counted(weeks, 'week')} {plural(weeks, 'is', 'are')} recorded"
        return f"No forecast of this queue's own past weeks could be checked: {recorded}."
    forecasts = f"{_NUMBERS[count]} {plural(count, 'forecast')} of this queue's own past weeks"
    p50, p95, _ = (_percent(error.value) for error in astuple(test.forecast))
    off = f"off by {p50} (p50) and {p95} (p95)"
    were = plural(count, "was", "were")
    if weeks < _WANTED_WEEKS:
        allow = f"{counted(weeks, 'recorded week')} {plural(weeks, 'allows', 'allow')}"
        return f"{forecasts}, all that {allow}, {were} {off}."
    return f"{forecasts} {were} {off}."


def _about_mechanics(errors: ErrorsFound) -> str:
    if not all(isfinite(error) for error in astuple(errors)):
        return _NOT_REPLAYED
    return (
        "Replayed with the inputs of these weeks, the unchanged settings give "
        f"{_listed(f'{name} {signed(error)}' for name, error in zip(_NAMES, astuple(errors), strict=True))} "
        "compared with what was recorded."
    )


def _about_drift(change: Drift[float]) -> str:
    p50, p95, weeks = change.time_to_merge_p50.value, change.time_to_merge_p95.value, change.weeks
    if not isfinite(p50):
        have = plural(weeks, "has", "have")
        return (
            f"Only {counted(weeks, 'recorded week')} {have} enough merges to compare: how much weeks differ "
            "is unknown."
        )
    return (
        f"From one recorded week to the next ({weeks} weeks), p50 changes by {_percent(p50)} "
        f"and p95 by {_percent(p95)}, chance included: figures of future weeks vary as much."
    )


def _about_back_test(test: BackTestFound) -> str:
    if not test.parts:
        return "Too little was merged to forecast past weeks from those before them."
    part = test.parts[-1].part
    fitted, tested = round((part.cut - part.start) / DAY), round((part.end - part.cut) / DAY)
    count = len(test.parts)
    points = counted(count, "cut point")
    wanted = (
        " (instead of 6 cut points with 42 and 14 days, because too little is recorded or more would take "
        "too long)"
    )
    shorter = "" if (count, fitted, tested) == _WANTED else wanted
    return (
        f"Forecasts made at {points}, for {tested} days as up to {fitted} days before{shorter}, were off by "
        f"{_typical(test.forecast)}."
    )


def _typical(errors: TypicalErrorsFound) -> str:
    return _listed(f"{name} {_ranged(error)}" for name, error in zip(_NAMES, astuple(errors), strict=True))


def _ranged(error: Range) -> str:
    if not isfinite(error.value):
        return "-"
    interval = f" ({error.low:.0%} to {error.high:.0%})" if isfinite(error.high) else ""
    return f"{error.value:.0%}{interval}"


def _about_reach(reach: Reach) -> str:
    if reach.level == "inside":
        return "The candidate stays inside what was recorded: sizes of batches, concurrent runs and retries."
    return (
        f"The history never shows {_listed(reach.beyond)}: "
        "how CI behaves then is assumed, and the grade is at most fair."
    )


def _about_difference(difference: Compared[Sureness], replicates: int) -> str:
    parts = [
        f"{name} is {_verdict(sureness.verdict)} ({_agreeing(sureness.verdict, sureness.lower, replicates)})"
        for name, sureness in zip(_NAMES, astuple(difference), strict=True)
    ]
    return f"Compared with the baseline, {_listed(parts)}."


def _verdict(verdict: Verdict) -> str:
    return {"none": "the same", "unclear": "lower or higher"}.get(verdict, verdict)


def _agreeing(verdict: Verdict, lower: float, replicates: int) -> str:
    number = round(lower * replicates)
    if verdict == "unclear":
        return f"lower in {number} of {replicates} replays"
    agreeing = {"none": replicates, "higher": replicates - number, "probably higher": replicates - number}
    return f"in {agreeing.get(verdict, number)} of {replicates} replays"


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _percent(value: float) -> str:
    return f"{value:.0%}" if isfinite(value) else "an unknown share"
