"""How often do the intervals for the next two weeks hold? Asks at many origins, with what was known then.

    PYTHONPATH=tests .venv/bin/python benchmarks/next_weeks.py [worlds | real | others] [FIRST] [COUNT]

At each origin it forecasts 14 days as the 42 before, with intervals from the errors of such forecasts at up
to 12 earlier dates, 14 days apart. Then it compares with what happened. Prints, for the simulated queues
together and for each history in ../shared/real, the share of origins at which the 90 % interval held, its
mean width, and the error of the value. FIRST and COUNT choose worlds of each family. The origins of a real
history lie two days apart, so that their weeks overlap. `others` asks for other settings, once in each
world: the ratio that replays show times what was recorded, against what these settings give in the same
world.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite, log
from random import Random
from statistics import mean
from typing import NamedTuple

import real_history
from mergecast.forecasting.forecast.ahead import COMPARED, ahead, intervals, ratio_of
from mergecast.forecasting.forecast.answer import Compared
from mergecast.forecasting.forecast.figures import FiguresFound, Range, recorded_figures
from mergecast.forecasting.forecast.plan import Plan, as_recorded
from mergecast.forecasting.forecast.replicates import BACKTEST_REPLICATES, experiment_on, play
from mergecast.forecasting.forecast.requirements import TESTED_DAYS
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model import instant
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.families import FAMILIES
from worlds.families import fitted as loaded
from worlds.world import START, World

_FAMILIES = ("final", "frozen", "outages", "urgent", "drifting", "mixed")
_DAYS, _FIRST_ORIGIN, _REAL_STEP = 140, 42, 2
_FITTED = 42 * DAY
_MOST_PULLS = 45  # a day, so that an origin takes seconds


class Origin(NamedTuple):
    expected: Compared[Range]
    true: FiguresFound


class Case(NamedTuple):
    """A world, its history under one policy, and another policy."""

    name: str
    world: World
    before: Policy
    after: Policy

    def history(self, policy: Policy) -> History:
        events = history_of(self.world, self.world.play(policy))
        return read_history(events, Window(START, self.world.end))


def main(which: str = "", first: str = "0", count: str = "1") -> None:
    cases = [*_cases(int(first), int(count))]
    if which in ("", "worlds"):
        found = []
        for case in cases:
            found += _origins(case.name, case.history(case.before), TESTED_DAYS)
        _summarize(f"simulated queues, {len(found)} origins", found)
    if which in ("", "others"):
        found = [_other(case) for case in cases]
        _summarize(f"other settings, {len(found)} worlds", found)
    if which in ("", "real"):
        for file in sorted(real_history.FOLDER.glob("*.ndjson.gz")):
            events = list(real_history.events_of(file))
            since = min(event.happened_at for event in events) // instant.DAY * instant.DAY
            until = max(event.happened_at for event in events)
            found = _origins(file.name, read_history(events, Window(since, until)), _REAL_STEP)
            _summarize(f"a real queue, {len(found)} origins", found)


def _cases(first: int, count: int) -> Iterator[Case]:
    for name in _FAMILIES:
        family = FAMILIES[name]
        for number in range(first, first + count):
            change = family.changes[number % len(family.changes)]
            draw = Random(f"{name}:next weeks:{number}")
            drawn = replace(family.draw(draw), days=_DAYS)
            world = loaded(drawn, change, draw.uniform(0.25, 0.75))
            world = replace(world, pulls_per_day=min(world.pulls_per_day, _MOST_PULLS))
            yield Case(f"{name} {number}", world, change.before, change.after)


def _origins(name: str, history: History, step: int) -> list[Origin]:
    """Origins from which at least two earlier forecasts can be checked."""
    started = time.process_time()
    names = history.queue_names
    found = [
        Origin(
            intervals(ahead(history.until(day * DAY), names).expected),
            recorded_figures(history, names, day * DAY, (day + TESTED_DAYS) * DAY),
        )
        for day in range(_FIRST_ORIGIN, int(history.length / DAY) - TESTED_DAYS + 1, step)
    ]
    print(f"{name}: {len(found)} origins, {time.process_time() - started:.2f} s", flush=True)
    return found


def _other(case: Case) -> Origin:
    """The last two weeks under the other policy, from what was recorded under the first before them."""
    cut = (_DAYS - TESTED_DAYS) * DAY
    history = case.history(case.before).until(cut)
    names, trains = history.queue_names, infer(history.since(cut - _FITTED))
    experiment = experiment_on(history, trains, frozenset(names), 1, BACKTEST_REPLICATES)
    today = as_recorded(trains)
    asked = [today, [Plan(case.after, plan.kind) for plan in today]]
    played = [play(experiment, asked, number) for number in range(BACKTEST_REPLICATES)]
    ratio = ratio_of(*([one[side].figures for one in played] for side in (0, 1)))
    print(f"{case.name}: played", flush=True)
    true = recorded_figures(case.history(case.after), names, cut, cut + TESTED_DAYS * DAY)
    return Origin(intervals(ahead(history, names).expected, ratio), true)


def _summarize(title: str, found: Sequence[Origin]) -> None:
    print(f"\n{title}")
    for name in COMPARED:
        rows = [(getattr(one.expected, name), getattr(one.true, name)) for one in found]
        known = [row for row in rows if isfinite(row[0].high) and row[1] > 0]
        held = mean(expected.low <= true <= expected.high for expected, true in known)
        width = mean(log(expected.high / expected.value) for expected, _ in known)
        off = mean(abs(log(expected.value / true)) for expected, true in known)
        print(
            f"{name:18} interval held {held:4.0%} of {len(known)}, mean width ±{width:.2f}, "
            f"mean absolute log error {off:.3f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
