"""How often do the intervals for the next two weeks hold? Asks at many origins, with what was known then.

    PYTHONPATH=tests .venv/bin/python benchmarks/next_weeks.py [worlds | real] [FIRST] [COUNT] [SEED]

At each origin it forecasts 14 days from up to 42 before, with intervals scaled by the errors of up to six
such forecasts of the weeks before the origin, 14 days apart. Then it compares with what happened. Prints, for
the simulated queues together and for each history in ../shared/real, the share of origins at which the 90 %
interval held, its mean width, and the errors of the forecast and of "as before". FIRST and COUNT choose
worlds of each family. The origins of a real history lie two days apart, so that their weeks overlap.
"""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite, log
from random import Random
from statistics import mean
from typing import NamedTuple

import real_history
from mergecast.forecasting.estimate.estimate import estimate
from mergecast.forecasting.forecast.ahead import COMPARED, ahead_ranges, play_ahead
from mergecast.forecasting.forecast.answer import Compared
from mergecast.forecasting.forecast.backtest import errors, middle
from mergecast.forecasting.forecast.figures import FiguresFound, Range, recorded_figures
from mergecast.forecasting.forecast.plan import as_recorded
from mergecast.forecasting.forecast.replicates import BACKTEST_REPLICATES
from mergecast.forecasting.forecast.requirements import FITTED_DAYS, MOST_PARTS, TESTED_DAYS
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.queues.model import instant
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.families import FAMILIES
from worlds.families import fitted as loaded
from worlds.world import START

_FAMILIES = ("final", "frozen", "outages", "urgent", "drifting", "mixed")
_DAYS, _FIRST_ORIGIN, _REAL_STEP = 140, 42, 2
_MOST_PULLS = 45  # a day, so that an origin takes seconds


class Forecast(NamedTuple):
    """Replays of the 14 days after a day, what happened then, and what "as before" says."""

    replays: list[FiguresFound]
    true: FiguresFound
    before: FiguresFound

    @property
    def errors(self) -> Compared[float]:
        return errors(middle(self.replays), self.true)


class Origin(NamedTuple):
    expected: Compared[Range]
    true: FiguresFound
    before: FiguresFound


def main(which: str = "", first: str = "0", count: str = "1", seed: str = "1") -> None:
    if which != "real":
        found = []
        for name, history in _worlds(int(first), int(count)):
            found += _origins(name, history, TESTED_DAYS, int(seed))
        _summarize(f"simulated queues, {len(found)} origins", found)
    if which != "worlds":
        for file in sorted(real_history.FOLDER.glob("*.ndjson.gz")):
            events = list(real_history.events_of(file))
            since = min(event.happened_at for event in events) // instant.DAY * instant.DAY
            until = max(event.happened_at for event in events)
            found = _origins(file.name, read_history(events, Window(since, until)), _REAL_STEP, int(seed))
            _summarize(f"a real queue, {len(found)} origins", found)


def _worlds(first: int, count: int) -> Iterator[tuple[str, History]]:
    for name in _FAMILIES:
        family = FAMILIES[name]
        for number in range(first, first + count):
            change = family.changes[number % len(family.changes)]
            draw = Random(f"{name}:next weeks:{number}")
            drawn = replace(family.draw(draw), days=_DAYS)
            world = loaded(drawn, change, draw.uniform(0.25, 0.75))
            world = replace(world, pulls_per_day=min(world.pulls_per_day, _MOST_PULLS))
            events = history_of(world, world.play(change.before))
            yield f"{name} {number}", read_history(events, Window(START, world.end))


def _origins(name: str, history: History, step: int, seed: int) -> list[Origin]:
    """Origins from which at least two earlier forecasts can be checked."""
    started = time.process_time()
    days = range(TESTED_DAYS, int(history.length / DAY) - TESTED_DAYS + 1, step)
    forecasts = {day: _forecast(history, day * DAY, seed) for day in days}
    found = [_origin(forecasts, day) for day in days if day >= _FIRST_ORIGIN]
    print(f"{name}: {len(found)} origins, {time.process_time() - started:.0f} s", flush=True)
    return found


def _forecast(history: History, at: float, seed: int) -> Forecast:
    start, end = max(0.0, at - FITTED_DAYS * DAY), at + TESTED_DAYS * DAY
    queues = frozenset(history.queue_names)
    trains = infer(history.since(start).until(at))
    fitted = [estimate(train, BACKTEST_REPLICATES, seed, end) for train in trains]
    plans, names = [as_recorded(trains)], sorted(queues)
    return Forecast(
        [play_ahead(fitted, queues, plans, number)[0] for number in range(BACKTEST_REPLICATES)],
        recorded_figures(history, names, at, end),
        recorded_figures(history, names, start, at),
    )


def _origin(forecasts: Mapping[int, Forecast], day: int) -> Origin:
    earlier = [day - TESTED_DAYS * back for back in range(1, MOST_PARTS + 1)]
    past = [forecasts[one].errors for one in earlier if one in forecasts]
    here = forecasts[day]
    return Origin(ahead_ranges(here.replays, past), here.true, here.before)


def _summarize(title: str, found: Sequence[Origin]) -> None:
    print(f"\n{title}")
    for name in COMPARED:
        rows = [
            (getattr(one.expected, name), getattr(one.true, name), getattr(one.before, name)) for one in found
        ]
        known = [row for row in rows if isfinite(row[0].high) and row[1] > 0]
        held = mean(expected.low <= true <= expected.high for expected, true, _ in known)
        width = mean(log(expected.high / expected.value) for expected, _, _ in known)
        off = mean(abs(log(expected.value / true)) for expected, true, _ in known)
        before = mean(abs(log(naive / true)) for _, true, naive in known)
        print(
            f"{name:18} interval held {held:4.0%} of {len(known)}, mean width ±{width:.2f}, "
            f"mean absolute log error {off:.3f}, as before {before:.3f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
