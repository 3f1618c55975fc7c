"""Other circumstances than the recorded ones: faster CI, more pull requests, fewer flakes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from mergecast.forecasting.estimate.draws import MASK, STRIDE, Purpose
from mergecast.forecasting.estimate.oracle import KnownRun, Tables
from mergecast.forecasting.history.seconds import WEEK, microseconds
from mergecast.forecasting.replay.codes import FAIL
from mergecast.forecasting.replay.values import Arrivals, Oracle, RunStartFields

_WEEK: Final = microseconds(WEEK)
_MOST_FLAKES: Final = 0.95
_KEY_STRIDE: Final = 7919  # odd, so that the luck of a copy is its own
_Outcome = Callable[[Any, RunStartFields], tuple[int, int, int]]


@dataclass(frozen=True)
class WhatIf:
    """Factors on what was recorded: 0.8 times as long runs, 1.3 times as many pull requests, no flakes."""

    ci_speed: float = 1.0
    arrivals: float = 1.0
    flakes: float = 1.0

    def oracle(self, recorded: Oracle) -> Oracle:
        """The oracle with other lengths and flakes."""
        if self.flakes != 1:
            recorded = recorded._replace(tables=_with_flakes(recorded.tables, self.flakes))
        if self.ci_speed != 1:
            recorded = recorded._replace(outcome=_with_length(recorded.outcome, self.ci_speed))
        return recorded


AS_RECORDED: Final = WhatIf()


def _with_flakes(tables: Tables, factor: float) -> Tables:
    runs = [
        replace(one, flakes=[min(_MOST_FLAKES, factor * rate) for rate in one.flakes]) for one in tables.runs
    ]
    return replace(tables, runs=runs, known=_with_other_luck(tables, factor))


def _with_other_luck(tables: Tables, factor: float) -> dict[tuple[int, int], KnownRun]:
    """The recorded runs without those that end differently if flakes are rarer or more frequent."""
    usual = float(np.mean([rate for one in tables.runs for rate in one.flakes]))

    def is_kept(place: tuple[int, int], run: KnownRun) -> bool:
        key, led = place
        chance = tables.numbers[(key + led * STRIDE + Purpose.VERDICT) & MASK]
        return chance < factor if run.verdict == FAIL else chance >= (factor - 1) * usual

    return {place: run for place, run in tables.known.items() if is_kept(place, run)}


def _with_length(outcome: _Outcome, factor: float) -> _Outcome:
    def scaled(tables: Any, run: RunStartFields) -> tuple[int, int, int]:
        delay, length, verdict = outcome(tables, run)
        return delay, int(factor * length), verdict

    return scaled


@dataclass(frozen=True)
class Copy:
    """A pull request of another number of arrivals: a recorded one (`copy` is 0) or one like it."""

    row: int
    copy: int
    entered_at: int


def multiplied(
    arrivals: Arrivals, tables: Tables, factor: float, end: int, chance: np.random.Generator
) -> tuple[Arrivals, Tables]:
    """So many times as many pull requests, and what the oracle knows about them.

    With fewer, some are left out by chance. With more, some come twice, the second time with luck of their
    own: at the same time of the week, in another week, so that weeks stay like the recorded ones.
    """
    rows = len(arrivals.number)
    kept, moved = chance.random(rows).tolist(), chance.random(rows).tolist()
    first = min(arrivals.entered_at, default=0)
    copies = [
        Copy(
            row,
            copy,
            at if copy == 0 else _in_another_week(at, (first, end), (moved[row] + 0.618 * copy) % 1),
        )
        for row, at in enumerate(arrivals.entered_at)
        for copy in range(int(factor + kept[row]))
    ]
    copies.sort(key=lambda one: (one.entered_at, one.copy, arrivals.number[one.row]))
    return _arrivals(arrivals, copies), _tables(tables, copies)


def _in_another_week(at: int, span: tuple[int, int], uniform: float) -> int:
    first, end = span
    phase = (at - first) % _WEEK
    weeks = max(1, -(-(end - first - phase) // _WEEK))
    own = (at - first) // _WEEK
    week = (own + 1 + int(uniform * (weeks - 1))) % weeks
    return first + phase + week * _WEEK


def _arrivals(arrivals: Arrivals, copies: list[Copy]) -> Arrivals:
    rows = [one.row for one in copies]
    return Arrivals(
        number=list(range(len(copies))),
        entered_at=[one.entered_at for one in copies],
        priority=[arrivals.priority[row] for row in rows],
        rule=[arrivals.rule[row] for row in rows],
        interrupts=[arrivals.interrupts[row] for row in rows],
        scopes=[arrivals.scopes[row] for row in rows],
    )


def _tables(tables: Tables, copies: list[Copy]) -> Tables:
    """What is recorded about the stays of a pull request holds for itself, not for its copies."""
    offsets, places = [0], list[int]()
    for one in copies:
        if one.copy == 0:
            places += range(tables.offsets[one.row], tables.offsets[one.row + 1])
        offsets.append(len(places))

    def chosen(of_stays: list[int]) -> list[int]:
        return [of_stays[place] for place in places]

    return replace(
        tables,
        keys=[(tables.keys[one.row] + one.copy * _KEY_STRIDE) & MASK for one in copies],
        offsets=offsets,
        flaws=chosen(tables.flaws),
        leaves_after=chosen(tables.leaves_after),
        leaving_reasons=chosen(tables.leaving_reasons),
        left_as=chosen(tables.left_as),
        gaps=chosen(tables.gaps),
    )
