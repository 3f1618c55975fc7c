"""Replays of a period in which each cause is that of the one period or of the other.

All draw the same random numbers, and none repeats a recorded outcome: only so can a cause be taken from the
other period.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import Any, Final

import numpy as np

from mergecast.forecasting.estimate.departures import is_refused
from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.lengths import Lengths
from mergecast.forecasting.estimate.oracle import RunTables, SizeTable, Tables, comes_back, fate, outcome
from mergecast.forecasting.estimate.overheads import Overheads
from mergecast.forecasting.estimate.population import (
    Population,
    chains,
    circumstances,
    flaws_of,
    reason_code,
    unrecorded,
)
from mergecast.forecasting.estimate.standstills import with_standstills
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.explanation.answer import CAUSES, Cause
from mergecast.forecasting.explanation.sides import WARM_UP, Side
from mergecast.forecasting.forecast.answer import Compared
from mergecast.forecasting.forecast.figures import Played, column
from mergecast.forecasting.history.seconds import MICROSECONDS, microseconds
from mergecast.forecasting.history.structure import Stay
from mergecast.forecasting.replay.codes import NEVER, RETRIED, VOUCHED
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import EnteringFields, Oracle, Policy

FiguresFound = Compared[float]
Choice = Mapping[Cause, int]  # from which period each cause is taken: 0 is before, 1 is after
BEFORE: Final[Choice] = dict.fromkeys(CAUSES, 0)
AFTER: Final[Choice] = dict.fromkeys(CAUSES, 1)

_Sample = tuple[list[float], int, int]  # seconds to merge, runs, merges


@dataclass(frozen=True)
class Arriving:
    """The pull requests of one train that enter, and what the record says about them and no draw does."""

    rows: Population
    flaws: tuple[int, ...]  # conflicts, and merges that were refused
    turned_away: dict[int, tuple[int, int]]  # by row: after how long the queue removed it at once, and why


@dataclass(frozen=True)
class TrainSide:
    """One train in one period."""

    fitted: Estimate
    arriving: Arriving

    @cached_property
    def overheads(self) -> Overheads:
        return self.fitted.overheads


@dataclass(frozen=True)
class Bench:
    """Both periods, ready to be replayed."""

    sides: tuple[Side, Side]
    trains: tuple[tuple[TrainSide, TrainSide], ...]  # each before and after
    policies: tuple[tuple[Policy, Policy], ...]


def bench_of(
    sides: tuple[Side, Side], policies: Sequence[tuple[Policy, Policy]], replicates: int, seed: int
) -> Bench:
    """`policies` are those of each train before and after."""
    trains = []
    for place in range(len(policies)):
        before, after = (_train_side(side, place, replicates, seed) for side in sides)
        trains.append((before, after))
    return Bench(sides, tuple(trains), tuple(policies))


def _train_side(side: Side, place: int, replicates: int, seed: int) -> TrainSide:
    rules = side.trains[place]
    fitted = replace(estimate(rules, replicates, seed), known={})
    firsts = [chain[0] for chain in chains(side.arriving.of_queues(rules.queue_names))]
    rows = unrecorded(rules, [(replace(stay, number=number),) for number, stay in enumerate(firsts)])
    away = {row: _after(stay) for row, stay in enumerate(firsts) if not stay.is_merged and is_refused(stay)}
    return TrainSide(fitted, Arriving(rows, tuple(map(flaws_of, firsts)), away))


def _after(stay: Stay) -> tuple[int, int]:
    lasted = 0.0 if stay.left is None else stay.left - stay.entered
    return microseconds(lasted), reason_code(stay.reason or "")


class Replicate:
    """What one replicate draws for both periods."""

    def __init__(self, bench: Bench, number: int) -> None:
        self._bench = bench
        self._trains = [_TrainLuck(sides, number) for sides in bench.trains]

    def figures(self, choice: Choice) -> FiguresFound:
        """The figures of one mixture, over all trains together."""
        entering = self._bench.sides[choice["arrivals"]]
        span = (entering.since, entering.until)
        samples = [
            luck.play(choice, policies[choice["settings"]], span)
            for luck, policies in zip(self._trains, self._bench.policies, strict=True)
        ]
        return figures_of(samples)


class _TrainLuck:
    """What one replicate draws for one train."""

    def __init__(self, sides: tuple[TrainSide, TrainSide], number: int) -> None:
        self._sides = sides
        self._tables: list[Tables] = [oracle_of(_entering(side), number).tables for side in sides]
        # Flakes come at times of the period that they are taken from, and lengths at those of theirs.
        drawn = {(own, own): self._tables[own].runs for own in (0, 1)}
        for lengths, failures in ((0, 1), (1, 0)):
            other = sides[failures].fitted
            mixed = replace(_entering(sides[lengths]), breakages=other.breakages, waves=other.waves)
            drawn[lengths, failures] = oracle_of(mixed, number).tables.runs
        known = {of: list(zip(runs, sides[of[0]].fitted.lengths, strict=True)) for of, runs in drawn.items()}
        self._runs = {of: list(map(with_sizes_of, own, known[1 - of[0], of[1]])) for of, own in known.items()}

    def play(self, choice: Choice, policy: Policy, span: tuple[float, float]) -> _Sample:
        entering, lengths = self._sides[choice["arrivals"]], self._sides[choice["run_length"]]
        arrivals = entering.arriving.rows.arrivals
        begins = span[0] - WARM_UP
        closed = circumstances(self._sides[choice["closed_time"]].fitted.rules, begins)
        record = replay(arrivals, policy, self._oracle(choice), closed)
        rules = list(range(len(policy.rules)))
        return sample_of(Played(record, rules, arrivals.rule, lengths.overheads), *span)

    def _oracle(self, choice: Choice) -> Oracle:
        entering, lengths, failures, people = (
            self._tables[choice[cause]] for cause in ("arrivals", "run_length", "failures", "people")
        )
        tables = replace(
            entering,
            returns=people.returns,
            hazard_since=people.hazard_since,
            hazard=people.hazard,
            hand_reasons=people.hand_reasons,
            broken=failures.broken,
            flake_again=failures.flake_again,
            lucky=failures.lucky,
            cancelled=failures.cancelled,
            form=lengths.form,
            retry=lengths.retry,
            runs=self._runs[choice["run_length"], choice["failures"]],
        )
        known = _with_record(tables, self._sides[choice["arrivals"]].arriving)
        return with_standstills(known, self._sides[choice["run_length"]].fitted.rules.recorded.standstills)


def _entering(side: TrainSide) -> Estimate:
    return replace(side.fitted, to_replay=side.arriving.rows)


def _with_record(tables: Tables, arriving: Arriving) -> Oracle:
    """The oracle of these tables, with flaws of pull requests that a record shows and no rate describes."""
    flaws, away = arriving.flaws, arriving.turned_away

    def fate_of(tables: Any, entering: EnteringFields) -> tuple[int, int, int]:
        drawn = fate(tables, entering)
        pull, turn, at = entering
        if turn:
            return drawn
        if pull in away:
            after, reason = away[pull]
            return drawn[0], at + after, reason
        return drawn[0] | flaws[pull], drawn[1], drawn[2]

    return Oracle(tables, fate_of, outcome, comes_back)


def sample_of(played: Played, since: float, until: float) -> _Sample:
    """Times of those that merged in a span, and the runs that ended in it."""
    stays, runs = played.record.stays, played.record.runs
    delays = played.overheads.end + played.overheads.next_end * np.maximum(column(stays.place), 0)
    raw = column(stays.left_at)
    left = raw / MICROSECONDS + delays
    counted = (column(stays.reason) <= VOUCHED) & (raw != NEVER) & (left >= since) & (left < until)
    times = (left - column(stays.entered_at) / MICROSECONDS)[counted]
    starts, ends = column(runs.started_at), column(runs.ended_at)
    # A run that is stopped before its checks begin is never reported.
    began = (starts < ends) | (column(runs.outcome) <= RETRIED)
    ended = began & (ends >= since * MICROSECONDS) & (ends < until * MICROSECONDS)
    return times.tolist(), int(ended.sum()), len(times)


def recorded_sample(side: Side) -> _Sample:
    """The same of what was recorded."""
    times = [(stay.left or 0.0) - stay.entered for stay in side.merged if stay.entering_is_known]
    ends = [run.ended for run in side.arriving.runs if run.ended is not None]
    return times, sum(side.since <= end < side.until for end in ends), len(side.merged)


def figures_of(samples: Sequence[_Sample]) -> FiguresFound:
    times = [time for sample in samples for time in sample[0]]
    runs, merged = sum(sample[1] for sample in samples), sum(sample[2] for sample in samples)
    if not times:
        return Compared(*(float("nan"),) * 3)
    p50, p95 = np.percentile(times, (50, 95)).tolist()
    return Compared(p50, p95, runs / merged)


Known = tuple[RunTables, Lengths]  # what a replicate draws for one queue, and what that is drawn from


def with_sizes_of(own: Known, other: Known) -> RunTables:
    """The runs of one period, with sizes that only the other one has recorded.

    A period of single pull requests does not show how much longer batches take, and a forecast draws that
    from all that is possible. Here the other period has recorded them: they take as long as there, times what
    runs of a size that this period has recorded take, compared with the other one.
    """
    return replace(own[0], by_size=_Sizes(own, other))


class _Sizes(dict[int, SizeTable]):
    """Made when a run of that size is first asked about."""

    def __init__(self, own: Known, other: Known) -> None:
        super().__init__()
        self._own, self._other = own[0].by_size, other[0].by_size
        self._recorded, self._there = _recorded(own[1]), _recorded(other[1])

    def __missing__(self, size: int) -> SizeTable:
        found = self[size] = self._of_size(size)
        return found

    def _of_size(self, size: int) -> SizeTable:
        if size in self._recorded or size not in self._there:
            return self._own[size]
        nearest = self._recorded[0] if size < self._recorded[0] else self._recorded[-1]
        factor = median(self._own[nearest].donors) / median(self._other[nearest].donors)
        return _times(self._other[size], factor)


def _recorded(lengths: Lengths) -> range:
    return range(lengths.classes[0].sizes.smallest, lengths.classes[-1].sizes.largest + 1)


def _times(table: SizeTable, factor: float) -> SizeTable:
    """For all times alike: which donors are near is known for times of the other period alone."""
    donors = [length * factor for length in table.donors]
    return SizeTable(donors, [], len(donors), [length * factor for length in table.failing])
