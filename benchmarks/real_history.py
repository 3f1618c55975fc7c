"""Does a replay of unchanged settings reproduce a real queue? Reads every history in ../shared/real.

    .venv/bin/python benchmarks/real_history.py [REPLICATES] [SEED]

Prints recorded and replayed figures, with the error, of windows of 60, 42 and 30 days at several origins
(mechanics). A replay repeats the outcome of a recorded run where it runs the same batch; a second summary
shows the errors if it draws everything. A figure beyond its limit is marked `!`, one far
beyond it `!!`. Without a real history there is nothing to measure: it says so and ends.
"""

import gzip
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log1p
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from mergecast.forecasting.estimate.estimate import estimate
from mergecast.forecasting.forecast.backtest import middle
from mergecast.forecasting.forecast.figures import FiguresFound, recorded_figures
from mergecast.forecasting.forecast.plan import as_recorded
from mergecast.forecasting.forecast.replicates import Experiment, play
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, Window, format_instant

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "real"
_LIMITS = {
    "time_to_merge_p50": (0.1, 0.25),
    "time_to_merge_p95": (0.2, 0.5),
    "ci_runs_per_merge": (0.05, 0.1),
}
_HEADINGS = ("p50, minutes", "p95, minutes", "runs per merge")
_LENGTHS_AND_STEPS = ((60, 10), (42, 14), (30, 15))
_BEFORE = 7 * DAY
_FAR_FUTURE = 1 << 62


class Compared(NamedTuple):
    """One figure of one window: what was recorded, and what the replay or forecast gave."""

    figure: str
    recorded: float
    found: float

    @property
    def error(self) -> float:
        return self.found / self.recorded - 1

    @property
    def mark(self) -> str:
        near, far = _LIMITS[self.figure]
        return "!!" if abs(self.error) > far else "! " if abs(self.error) > near else "  "


def main(replicates: str = "12", seed: str = "1") -> None:
    files = sorted(FOLDER.glob("*.ndjson.gz"))
    if not files:
        print(f"There is no real history in {FOLDER}: nothing to measure.")
        return
    for file in files:
        events = list(events_of(file))
        print(f"{file.name}: {len(events)} events")
        print(f"{'mechanics':25}" + "".join(f"{name:>26}" for name in _HEADINGS))
        found = [_mechanics(events, window, int(replicates), int(seed)) for window in _windows(events)]
        _summarize([shared for shared, _ in found])
        print("the same with fresh luck")
        _summarize([fresh for _, fresh in found])


def events_of(file: Path) -> Iterator[Event]:
    with gzip.open(file, "rt") as lines:
        for line in lines:
            event = read_event(json.loads(line), "", _FAR_FUTURE)
            if not isinstance(event, Event):
                raise TypeError(f"{file.name}: {event}")
            yield event


def _windows(events: Sequence[Event]) -> Iterator[Window]:
    for days, step in _LENGTHS_AND_STEPS:
        yield from _spans(events, days, step)


def _spans(events: Sequence[Event], days: int, step: int) -> Iterator[Window]:
    """Windows of this many days between the first and the last event."""
    first = min(event.happened_at for event in events) // DAY * DAY
    last = max(event.happened_at for event in events)
    for start in range(first, last - days * DAY + 1, step * DAY):
        yield Window(start, start + days * DAY)


def _mechanics(
    events: Sequence[Event], window: Window, replicates: int, seed: int
) -> tuple[list[Compared], list[Compared]]:
    """Replays with inputs of the same weeks, against the record: with its luck, and with fresh luck."""
    started = time.process_time()
    history = _history(events, window)
    trains = infer(history)
    queues, recorded = frozenset(history.queue_names), recorded_figures(history, history.queue_names)
    estimates = tuple(estimate(train, replicates, seed) for train in trains)
    fresh = tuple(replace(one, known={}) for one in estimates)
    shared_luck, fresh_luck = (
        _compared(recorded, _typical(Experiment(of, queues, 0.0, history.length), trains, replicates))
        for of in (estimates, fresh)
    )
    _print(window, shared_luck, f"{time.process_time() - started:5.1f} s")
    return shared_luck, fresh_luck


def _history(events: Sequence[Event], window: Window) -> History:
    """As a forecast reads it: the window, and some days before it."""
    return read_history([event for event in events if event.happened_at >= window.start - _BEFORE], window)


def _typical(experiment: Experiment, trains: Sequence[TrainRules], replicates: int) -> FiguresFound:
    plans = as_recorded(trains)
    played = [play(experiment, [plans], number)[0].as_recorded for number in range(replicates)]
    return middle(played)


def _compared(recorded: FiguresFound, found: FiguresFound) -> list[Compared]:
    return [Compared(name, getattr(recorded, name), getattr(found, name)) for name in _LIMITS]


def _print(window: Window, compared: Sequence[Compared], took: str) -> None:
    first, last = (format_instant(at)[:10] for at in window)
    print(f"{first} - {last}   " + "".join(_cell(one) for one in compared) + took, flush=True)


def _cell(one: Compared) -> str:
    unit = 1 if one.figure == "ci_runs_per_merge" else 60
    return f"{one.recorded / unit:8.2f}{one.found / unit:9.2f}{one.error:+6.0%}{one.mark} "


def _summarize(windows: Sequence[Sequence[Compared]]) -> None:
    for name, (near, far) in _LIMITS.items():
        errors = [one.error for window in windows for one in window if one.figure == name]
        held = sum(abs(error) <= near for error in errors)
        beyond = sum(abs(error) > far for error in errors)
        worst = max(errors, key=abs)
        print(
            f"{name}: within {near:.0%} in {held} of {len(errors)}, beyond {far:.0%} in {beyond}, "
            f"worst {worst:+.0%}, mean absolute log error {_log_error(errors):.3f}"
        )


def _log_error(errors: Sequence[float]) -> float:
    return mean(abs(log1p(error)) for error in errors)


if __name__ == "__main__":
    main(*sys.argv[1:])
