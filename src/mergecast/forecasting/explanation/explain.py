"""Why p50 and p95 of time to merge and runs per merge differ between two periods."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import exp, log, nan
from statistics import fmean
from typing import Final

from mergecast.forecasting.explanation.answer import (
    CAUSES,
    Cause,
    CauseFound,
    Explained,
    FigureExplained,
    MeanExplained,
    MeanPart,
    Part,
    PartName,
    Progress,
    State,
)
from mergecast.forecasting.explanation.differing import differing
from mergecast.forecasting.explanation.evidence import CheckTimes, Known, cause_found
from mergecast.forecasting.explanation.mixtures import (
    BEFORE,
    Bench,
    FiguresFound,
    Replicate,
    bench_of,
    figures_of,
    recorded_sample,
)
from mergecast.forecasting.explanation.policies import changed_within, settled
from mergecast.forecasting.explanation.shares import (
    Division,
    Played,
    Player,
    Spread,
    choice_of,
    divide,
    mixtures,
)
from mergecast.forecasting.explanation.sides import Side, shared_queues, with_rules
from mergecast.forecasting.explanation.wording import (
    REST_WORDS,
    are_known,
    divided_sentence,
    mean_sentence,
    subject,
)
from mergecast.forecasting.forecast.answer import Compared, Ranged
from mergecast.forecasting.forecast.requirements import LEAST_DAYS, LEAST_MERGED
from mergecast.forecasting.history.seconds import DAY, microseconds
from mergecast.forecasting.history.structure import Run, Stay
from mergecast.forecasting.history.train import Train
from mergecast.forecasting.replay.values import Policy, ReplayTooLong
from mergecast.queues.model.figures import WAITS
from mergecast.queues.model.instant import DAY as DAY_IN_MICROSECONDS
from mergecast.queues.model.instant import WEEK, Window, to_datetime

REPLICATES: Final = 8
_FEWEST: Final = 4
_MANY: Final = 12_000  # pull requests of both periods; with more, there are fewer replicates
_MOST_NAMED: Final = 4
_TRIED: Final = 2  # replicates, to see which causes matter most
_COVERED: Final = 0.85  # of the days of a period
_LEAST_CHANGE: Final = 0.1
_MOST_OFF: Final = 0.15
_FIGURES: Final = Compared.__struct_fields__
_SHOWN_FIRST: Final = ("time_to_merge_p95", "time_to_merge_p50", "ci_runs_per_merge")

Steps = Generator[Progress, None, Explained[float]]


@dataclass(frozen=True)
class TooLittle:
    """There is not enough history in one of the periods."""

    period: str
    merged: int
    days: float

    @property
    def detail(self) -> str:
        return (
            f"An explanation needs at least {LEAST_MERGED} merged pull requests and {LEAST_DAYS} days in "
            f"each period; {self._found}."
        )

    @property
    def _found(self) -> str:
        if not self.days:
            return f"nothing of this branch is recorded in the period {self.period}"
        span = "less than a day" if self.days < 1 else f"{self.days:.1f} days"
        return f"there are {self.merged} in {span} in the period {self.period}"


@dataclass(frozen=True)
class NotCovered:
    """The history covers only a part of one of the periods, so that counts of both cannot be compared."""

    period: str
    days: float
    wanted: float
    silent: tuple[float, float]  # days at its beginning and at its end
    longest: Window | None  # a later period that can be compared with as many days before

    @property
    def detail(self) -> str:
        parts = zip(("first", "last"), self.silent, strict=True)
        silent = " and ".join(f"its {which} {days:.1f} days" for which, days in parts if days)
        return (
            f"The history covers only {self.days:.1f} of the {self.wanted:.1f} days of the period "
            f"{self.period}: nothing was recorded in {silent}. {self._advice}"
        )

    @property
    def _advice(self) -> str:
        if self.longest is None:
            return "Choose shorter or other periods."
        start, end = (to_datetime(instant).date() for instant in self.longest)
        days = (self.longest.end - self.longest.start) // DAY_IN_MICROSECONDS
        return (
            f"The longest window that can be explained is {start} to {end}, with the {days} days before it."
        )


def too_little(before: Side, after: Side) -> TooLittle | NotCovered | None:
    for name, side in (("before", before), ("after", after)):
        merged, (start, end) = len(side.merged), _recorded_span(side)
        days = max(0.0, end - start) / DAY
        if merged < LEAST_MERGED or days < LEAST_DAYS:
            return TooLittle(name, merged, days)
        wanted = (side.until - side.since) / DAY
        if days < _COVERED * wanted:
            silent = (start - side.since) / DAY, (side.until - end) / DAY
            return NotCovered(name, days, wanted, silent, _longest(before, after))
    return None


def _recorded_span(side: Side) -> tuple[float, float]:
    start, end = side.recorded.recorded_span
    return max(start, side.since), end


def _longest(before: Side, after: Side) -> Window | None:
    """The longest later period of whole days that can be compared with as many days before it."""
    (start, middle), (again, end) = _recorded_span(before), _recorded_span(after)
    if middle < before.until or again > after.since or before.window.end != after.window.start:
        return None  # nothing was recorded between the two
    last = _instant(after, end) // DAY_IN_MICROSECONDS * DAY_IN_MICROSECONDS
    days = min(
        (last - _instant(before, start)) // DAY_IN_MICROSECONDS // 2,
        (after.window.end - after.window.start) // DAY_IN_MICROSECONDS,
    )
    length = days * DAY_IN_MICROSECONDS
    merged = [_instant(side, stay.left or 0.0) for side in (before, after) for stay in side.merged]
    counts = [
        sum(begin <= instant < begin + length for instant in merged)
        for begin in (last - 2 * length, last - length)
    ]
    is_enough = days >= LEAST_DAYS and min(counts) >= LEAST_MERGED
    return Window(last - length, last) if is_enough else None


def _instant(side: Side, at: float) -> int:
    return side.window.start + microseconds(at - side.since)


@dataclass(frozen=True)
class _Replayed:
    """What replays show, or why there are none."""

    divisions: dict[str, Division]
    named: tuple[Cause, ...] = ()  # causes that differ, each of which is a player of its own
    replicates: int = 0
    refusal: str | None = None  # for figures without a division


def explain(before: Side, after: Side, checks: Sequence[CheckTimes] = (), seed: int = 1) -> Steps:
    """Yields progress; both periods have enough history."""
    recorded = figures_of([recorded_sample(before)]), figures_of([recorded_sample(after)])
    queues = shared_queues(before, after)
    sides = with_rules(before, queues), with_rules(after, queues)
    policies = _policies(*sides) if queues else None
    causes: tuple[CauseFound[float], ...] = ()
    if policies is None:
        replayed = _Replayed({}, refusal=_OTHER_QUEUES)
    else:
        bench = bench_of(sides, policies, _replicates(*sides), seed)
        found = differing(bench)
        known = Known(sides, policies, [train.kind for train in sides[1].trains], checks)
        causes = tuple(cause_found(known, cause, differs=cause in found) for cause in CAUSES)
        refusal = _without_runs(sides) or _changed_settings(sides)
        levels = [(getattr(recorded[0], name), getattr(recorded[1], name)) for name in _FIGURES]
        replayed = _Replayed({}, refusal=refusal)
        if refusal is None and any(map(is_large, levels)):
            replayed = yield from _replayed(bench, found, recorded)
    figures = tuple(_figure(name, recorded, replayed, causes) for name in _FIGURES)
    return Explained(
        sentence=_main(figures).sentence,
        merged_before=len(before.merged),
        merged_after=len(after.merged),
        replicates=replayed.replicates,
        figures=figures,
        mean=divided_mean(before, after),
        causes=causes,
    )


_OTHER_QUEUES: Final = "the queues of the two periods are not the same"
_NEVER_SETTLES: Final = (
    "a queue with the pull requests of one period and the settings of the other never settles"
)
_NOTHING_COUNTED: Final = "in some of the replays nothing merges, or no CI run ends"


def _policies(before: Side, after: Side) -> list[tuple[Policy, Policy]] | None:
    """The policies of each train in both periods; None if the trains are not the same."""
    pairs = list(zip(before.trains, after.trains, strict=False))
    is_same = len(before.trains) == len(after.trains) and all(
        (old.queue_names, old.kind) == (new.queue_names, new.kind) for old, new in pairs
    )
    return [settled(old, new) for old, new in pairs] if is_same else None


def _replicates(before: Side, after: Side) -> int:
    entered = len(before.arriving.stays) + len(after.arriving.stays)
    return max(_FEWEST, min(REPLICATES, REPLICATES * _MANY // max(entered, 1)))


def _replayed(
    bench: Bench, found: tuple[Cause, ...], recorded: tuple[FiguresFound, FiguresFound]
) -> Generator[Progress, None, _Replayed]:
    total = _replicates(*bench.sides)
    played: list[Played] = []
    try:
        named = _most_important(bench, found)
        rest = tuple(cause for cause in CAUSES if cause not in named)
        players: tuple[Player, ...] = (*((cause,) for cause in named), rest)
        for number in range(total):
            yield Progress(number, total)
            replicate = Replicate(bench, number)
            played.append({of: replicate.figures(choice_of(players, of)) for of in mixtures(len(named))})
    except ReplayTooLong:
        return _Replayed({}, refusal=_NEVER_SETTLES)
    divided = {name: divide(name, played, recorded, len(named)) for name in _FIGURES}
    divisions = {name: one for name, one in divided.items() if one is not None}
    return _Replayed(divisions, named, total, _NOTHING_COUNTED)


def _most_important(bench: Bench, found: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """The causes that change most by themselves; the others belong to everything else."""
    if len(found) <= _MOST_NAMED:
        return found
    effects = dict.fromkeys(found, 0.0)
    for number in range(_TRIED):
        replicate = Replicate(bench, number)
        before = replicate.figures(BEFORE)
        for cause in found:
            after = replicate.figures({**BEFORE, cause: 1})
            levels = [(getattr(before, name), getattr(after, name)) for name in _FIGURES]
            effects[cause] += sum(abs(log(new / old)) for old, new in levels if are_known((old, new)))
    return tuple(sorted(found, key=lambda cause: -effects[cause])[:_MOST_NAMED])


def _figure(
    name: str,
    recorded: tuple[FiguresFound, FiguresFound],
    replayed: _Replayed,
    causes: Sequence[CauseFound[float]],
) -> FigureExplained[float]:
    before, after = (getattr(one, name) for one in recorded)
    division = replayed.divisions.get(name)
    state, reason = judged((before, after), division, replayed.refusal, has_named=bool(replayed.named))
    is_known = are_known((before, after))
    scale = _scale(before, after) if is_known else float("nan")
    words = {one.cause: one.words for one in causes}
    parts = _parts(division, replayed, words, scale) if division and state in ("divided", "no_cause") else ()
    said = subject(name, before, after)
    return FigureExplained(
        figure=name,
        before=before,
        after=after,
        difference=after - before,
        change=after / before - 1 if is_known else float("nan"),
        chance=division.chance * scale if division else float("nan"),
        replayed=_ranged(division.replayed, scale) if division else None,
        state=state,
        reason=reason,
        parts=parts,
        sentence=divided_sentence(name, before, after, parts) if state == "divided" else f"{said}. {reason}",
    )


def _scale(before: float, after: float) -> float:
    """What a part of the logarithm is in the unit of the figure, so that parts still add up."""
    return (after - before) / log(after / before) if after != before else after


def _ranged(spread: Spread, scale: float) -> Ranged[float]:
    return Ranged(*(bound * scale for bound in _bounds(spread)))


def _bounds(spread: Spread) -> tuple[float, float, float]:
    return spread.mean, spread.mean - spread.reach, spread.mean + spread.reach


def _parts(
    division: Division, replayed: _Replayed, words: dict[Cause, str], scale: float
) -> tuple[Part[float], ...]:
    """Named causes by size, then the rest."""
    named: list[tuple[PartName, str, Spread]] = [
        (cause, words[cause], part) for cause, part in zip(replayed.named, division.parts, strict=False)
    ]
    named.sort(key=lambda one: -abs(one[2].mean))
    rest: list[tuple[PartName, str, Spread]] = [
        ("everything_else", REST_WORDS["everything_else"], division.parts[-1]),
        ("not_explained", REST_WORDS["not_explained"], division.not_explained),
    ]
    found = [(name, said, _ranged(part, scale), part.mean) for name, said, part in (*named, *rest)]
    return tuple(
        Part(name, said, own.value, own.low, own.high, mean / division.recorded)
        for name, said, own, mean in found
    )


def _main(figures: Sequence[FigureExplained[float]]) -> FigureExplained[float]:
    """The figure that gives the sentence: p95 if it is divided, otherwise the first one that is."""
    by_name = {one.figure: one for one in figures}
    ordered = [by_name[name] for name in _SHOWN_FIRST]
    return next((one for one in ordered if one.state == "divided"), ordered[0])


def _without_runs(sides: tuple[Side, Side]) -> str | None:
    missing = [
        name
        for name, side in zip(("before", "after"), sides, strict=True)
        if all(run.ended is None for run in side.recorded.runs)
    ]
    return f"no CI run is recorded in the period {' or '.join(missing)}" if missing else None


def _changed_settings(sides: tuple[Side, Side]) -> str | None:
    """A change of settings within a period, for all of which a replay has one setting."""
    for name, side in zip(("before", "after"), sides, strict=True):
        change = changed_within(side)
        if change is not None:
            first = to_datetime(side.window.start + change.week * WEEK).date()
            return (
                f"settings changed within the period {name} ({change.setting} {change.old} → {change.new}, "
                f"between {first} and {first + timedelta(days=7)}); choose periods that do not contain that"
            )
    return None


def is_large(levels: tuple[float, float]) -> bool:
    """Whether a difference, as it is said, is worth a division: shares of small ones mean nothing."""
    return are_known(levels) and round(abs(levels[1] / levels[0] - 1), 2) >= _LEAST_CHANGE


def judged(
    levels: tuple[float, float], division: Division | None, refusal: str | None, *, has_named: bool
) -> tuple[State, str | None]:
    """Whether a difference gets shares, and otherwise why not; `refusal` says why nothing was replayed."""
    if not are_known(levels):
        return "unknown", "It is unknown in at least one period."
    if not is_large(levels):
        return "small", "Differences below 10 % are not divided: their shares would mean nothing."
    if division is None:
        return "not_replayed", f"It is not divided by replay: {refusal}."
    return _by_replay(division, has_named=has_named)


def _by_replay(division: Division, *, has_named: bool) -> tuple[State, str | None]:
    if abs(division.recorded) <= division.chance:
        return "chance", "Chance alone gives differences of this size."
    off = round(abs(exp(division.off) - 1), 2)  # as it is said
    if off > _MOST_OFF:
        reason = f"It is not divided: a replay with other random numbers is off by {off:.0%}, more than 15 %."
        return "not_replayed", reason
    if not has_named:
        return "no_cause", "No cause differs more between the periods than single days do within one."
    return "divided", None


def divided_mean(before: Side, after: Side) -> MeanExplained[float]:
    """The mean time to merge, divided exactly: what pull requests wait for adds up to it by definition."""
    old, new = _means(before), _means(after)
    parts = tuple(
        MeanPart(wait, words, then, now, now - then)  # type: ignore[arg-type]
        for (wait, words), then, now in zip(WAITS.items(), old, new, strict=True)
    )
    total = sum(old), sum(new)
    return MeanExplained(*total, total[1] - total[0], parts, mean_sentence(total, parts))


def _means(side: Side) -> tuple[float, ...]:
    """What pull requests that merged in the period waited for on average: CI, capacity, schedule, freeze."""
    runs_of = Train(side.arriving).runs_of
    numbers = {stay.session_id: stay.number for stay in side.arriving.stays}
    found = [
        _waits(stay, runs_of.get(numbers[stay.session_id], []))
        for stay in side.merged
        if stay.entering_is_known
    ]
    if not found:
        return (nan,) * len(WAITS)
    return tuple(fmean(waits) for waits in zip(*found, strict=True))


def _waits(stay: Stay, runs: list[Run]) -> tuple[float, ...]:
    left = stay.left or stay.entered
    ci = _covered(runs, stay.entered, left)
    capacity = left - stay.entered - ci - stay.schedule_wait - stay.freeze_wait
    return ci, max(capacity, 0.0), stay.schedule_wait, stay.freeze_wait


def _covered(runs: list[Run], since: float, until: float) -> float:
    """How long at least one of these runs, which are in the order of their starts, was in progress."""
    found, reached = 0.0, since
    for run in runs:
        start, end = max(run.started, reached), min(until if run.ended is None else run.ended, until)
        if end > start:
            found += end - start
            reached = end
    return found
