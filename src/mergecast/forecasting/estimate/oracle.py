"""The oracle of one replicate: answers what a replay asks about pull requests, runs and people.

Plain functions of numbers and lists, because a replay calls them for every stay and every run.
"""

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from mergecast.forecasting.estimate.draws import MASK, STRIDE, Purpose
from mergecast.forecasting.history.seconds import HOUR, microseconds
from mergecast.forecasting.replay.codes import (
    BROKEN,
    BY_HAND,
    CANCELLED,
    CONFLICT_AHEAD,
    CONFLICT_WITH_BASE,
    FAIL,
    MERGE_REFUSED,
    NEVER,
    PASS,
    UPDATED,
)
from mergecast.forecasting.replay.values import EnteringFields, Leaving, RunStartFields

# How a pull request left: after each of these, people queue it again at their own rate.
INNOCENT: Final = 0
GUILTY: Final = 1
TAKEN_OUT: Final = 2
CHANGED: Final = 3
CONFLICTED: Final = 4
NOT_MERGED: Final = 5
ELSE: Final = 6
CLASSES: Final = 7

_LENGTH: Final = int(Purpose.LENGTH)
_VERDICT: Final = int(Purpose.VERDICT)
_CANCEL: Final = int(Purpose.CANCEL)
_BROKEN: Final = int(Purpose.BROKEN)
_DEPARTURE: Final = int(Purpose.DEPARTURE)
_RETURN: Final = int(Purpose.RETURN)
_TRIES: Final = 20
_HOUR_IN_MICROSECONDS: Final = microseconds(HOUR)


@dataclass(frozen=True, slots=True)
class SizeTable:
    """The lengths of batches of one size, in microseconds on a usual day."""

    donors: list[float]
    firsts: list[int]  # where the donors near each of `RunTables.starts` begin; empty if all are used
    near: int  # how many of them there are
    failing: list[float]  # lengths of failing runs


@dataclass(frozen=True, slots=True)
class RunTables:
    """The runs of one queue rule. Level and flakes change at `starts`, and have one more item for later."""

    starts: list[int]  # microseconds
    levels: list[float]
    flakes: list[float]
    by_size: Mapping[int, SizeTable]  # for every batch size
    by_flight: list[float]  # factors; the last holds for more; empty if all are 1


@dataclass(frozen=True, slots=True)
class KnownRun:
    """A recorded run; the verdict is NEVER if it was stopped, and the length then a lower bound."""

    started_at: int
    size: int
    in_flight: int
    length: int
    verdict: int


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything that one replicate knows. The fields of a named tuple are read ten times slower."""

    numbers: "array[float]"
    keys: list[int]
    offsets: list[int]
    flaws: list[int]
    leaves_after: list[int]
    leaving_reasons: list[int]
    left_as: list[int]  # class of the recorded leaving of each stay
    gaps: list[int]
    returns: list[list[int]]  # recorded gaps by class, NEVER among them
    hazard_since: int
    hazard: list[float]  # added up by the hour
    hand_reasons: list[int]
    broken: float
    flake_again: float
    lucky: float
    cancelled: float
    form: int
    retry: int
    runs: list[RunTables]
    known: dict[tuple[int, int], KnownRun]  # by the key of the leader, and how many runs it has led


def fate(tables: Tables, entering: EnteringFields) -> tuple[int, int, int]:
    """What will happen to a stay unless the queue is faster: the fields of a `Fate`."""
    pull, turn, at = entering
    offsets = tables.offsets
    place = offsets[pull] + turn
    if place < offsets[pull + 1]:
        after = tables.leaves_after[place]
        leaves_at = NEVER if after == NEVER else at + after
        return tables.flaws[place], leaves_at, tables.leaving_reasons[place]
    draw = tables.keys[pull] + turn * STRIDE
    flaws = BROKEN if is_broken(tables, pull, turn) else 0
    return flaws, *_departure(tables, tables.numbers[(draw + _DEPARTURE) & MASK], at)


def _departure(tables: Tables, uniform: float, at: int) -> tuple[int, int]:
    """When and why a person removes a pull request that enters now."""
    hazard = tables.hazard
    if not tables.hand_reasons:
        return NEVER, BY_HAND
    hour, rest = divmod(at - tables.hazard_since, _HOUR_IN_MICROSECONDS)
    hour = min(max(hour, 0), len(hazard) - 2)
    risk = hazard[hour] + (hazard[hour + 1] - hazard[hour]) * rest / _HOUR_IN_MICROSECONDS - log(1 - uniform)
    place = bisect_left(hazard, risk)
    if place >= len(hazard):
        return NEVER, BY_HAND
    part = (risk - hazard[place - 1]) / (hazard[place] - hazard[place - 1])
    leaves_at = tables.hazard_since + int((place - 1 + part) * _HOUR_IN_MICROSECONDS)
    reasons = tables.hand_reasons
    return leaves_at, reasons[int(uniform * 9973) % len(reasons)]


def outcome(tables: Tables, run: RunStartFields) -> tuple[int, int, int]:
    """How a run will end: the fields of an `Outcome`."""
    leader, led, size, _, broken, attempt, _, in_flight, at, _, rule = run
    numbers = tables.numbers
    draw = tables.keys[leader] + led * STRIDE
    of_rule = tables.runs[rule]
    place = bisect_left(of_rule.starts, at)
    by_flight = of_rule.by_flight
    delay = tables.form if attempt == 1 else tables.retry
    known = _known_run(tables, run)
    if known is not None and known.verdict == (FAIL if broken else known.verdict) != NEVER:
        changed = _factor(by_flight, in_flight) / _factor(by_flight, known.in_flight)
        return delay, int(known.length * changed), known.verdict
    chance = numbers[(draw + _VERDICT) & MASK]
    if attempt == 1:
        fails = broken > 0 or chance < of_rule.flakes[place]
    else:
        fails = chance >= tables.lucky if broken else chance < tables.flake_again
    of_size, uniform = of_rule.by_size[size], numbers[(draw + _LENGTH) & MASK]
    scale = of_rule.levels[place] * _factor(by_flight, in_flight)
    length = _length(of_size, place, uniform, fails=fails) * scale
    if known is not None and known.verdict == NEVER and length <= known.length:
        length = _longer(tables, (of_size, place, fails), draw, known.length / scale) * scale
    if tables.cancelled:
        cancel = numbers[(draw + _CANCEL) & MASK]
        if cancel < tables.cancelled:
            return delay, int(length * cancel / tables.cancelled), CANCELLED
    return delay, int(length), FAIL if fails else PASS


def _length(of_size: SizeTable, place: int, uniform: float, *, fails: bool) -> float:
    """A passing run takes as long as a nearby donor, a failing one as long as some failure did."""
    if fails:
        return of_size.failing[int(uniform * len(of_size.failing))]
    first = of_size.firsts[place] if of_size.firsts else 0
    return of_size.donors[first + int(uniform * of_size.near)]


def _longer(tables: Tables, of_run: tuple[SizeTable, int, bool], draw: int, limit: float) -> float:
    """Another length of a run that was stopped at the limit: it would have taken longer."""
    of_size, place, fails = of_run
    for further in range(1, _TRIES):
        uniform = tables.numbers[(draw + _LENGTH + further) & MASK]
        length = _length(of_size, place, uniform, fails=fails)
        if length > limit:
            return length
    return limit


def lasting(tables: Tables, run: tuple[int, int, int], elapsed: int) -> float:
    """How probable it is that a run in progress lasts so long if it will fail, divided by that if it passes.

    The run is given by its size, how many are in flight, and its rule.
    """
    size, in_flight, rule = run
    of_rule = tables.runs[rule]
    of_size = of_rule.by_size[size]
    limit = elapsed / (of_rule.levels[-1] * _factor(of_rule.by_flight, in_flight))
    first = of_size.firsts[-1] if of_size.firsts else 0
    passing = of_size.donors[first : first + of_size.near]
    return _share_above(limit, of_size.failing) / _share_above(limit, passing)


def _share_above(limit: float, lengths: list[float]) -> float:
    return (sum(length > limit for length in lengths) + 0.5) / (len(lengths) + 1)


def _known_run(tables: Tables, run: RunStartFields) -> KnownRun | None:
    """The recorded run that this one repeats: led by the same pull request, as large, at about that time."""
    leader, led, size, _, _, _, _, _, at, _, _ = run
    if tables.offsets[leader] == tables.offsets[leader + 1]:
        return None  # nothing of this pull request is recorded
    known = tables.known.get((tables.keys[leader], led))
    if known is None or known.size != size or abs(at - known.started_at) > _HOUR_IN_MICROSECONDS:
        return None
    return known


def _factor(by_flight: list[float], in_flight: int) -> float:
    return by_flight[min(in_flight, len(by_flight) - 1)] if by_flight else 1.0


def comes_back(tables: Tables, leaving: Leaving) -> int:
    """After how long a pull request is queued again: as recorded if it left the same way, else by chance."""
    place = tables.offsets[leaving.pull] + leaving.turn
    is_recorded = place < tables.offsets[leaving.pull + 1]
    kind = leaving_class(leaving.reason, guilty=is_broken(tables, leaving.pull, leaving.turn))
    if is_recorded and tables.left_as[place] == kind:
        return tables.gaps[place]
    known = tables.returns[kind]
    if not known:
        return NEVER
    draw = tables.keys[leaving.pull] + leaving.turn * STRIDE
    return known[int(tables.numbers[(draw + _RETURN) & MASK] * len(known))]


def is_broken(tables: Tables, pull: int, turn: int) -> bool:
    """Whether a stay breaks CI: as drawn from its record, or by chance if it has none."""
    place = tables.offsets[pull] + turn
    if place < tables.offsets[pull + 1]:
        return bool(tables.flaws[place] & BROKEN)
    draw = tables.keys[pull] + turn * STRIDE
    return tables.numbers[(draw + _BROKEN) & MASK] < tables.broken


def leaving_class(reason: int, *, guilty: bool) -> int:
    """How a pull request left, as far as it matters to whether people queue it again."""
    if reason < CONFLICT_WITH_BASE:  # checks decided
        return GUILTY if guilty else INNOCENT
    if reason in {CONFLICT_WITH_BASE, CONFLICT_AHEAD}:
        return CONFLICTED
    return {MERGE_REFUSED: NOT_MERGED, BY_HAND: TAKEN_OUT, UPDATED: CHANGED}.get(reason, ELSE)
