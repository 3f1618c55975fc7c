"""How long does a forecast take? 60 days of 50 pull requests a day, 20 replicates, back-test included.

    PYTHONPATH=tests .venv/bin/python benchmarks/forecast.py

Prints CPU seconds on one core for reading the events, for finding rules and settings, and for the forecast of
batches of 5, and the same in units of a loop of plain Python, to compare machines.
"""

import time

from mergecast.forecasting.forecast.answer import Comparison
from mergecast.forecasting.forecast.forecast import Question, forecast
from mergecast.forecasting.forecast.plan import as_recorded, with_settings
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

_SECOND = 1_000_000


def main() -> None:
    world = World(1, days=60, pulls_per_day=64, weekend=0.2)  # 50 a day over the week
    policy = Policy(rules=(QueueRule(3, 3, 300 * _SECOND, 1),), max_parallel_checks=5)
    events = history_of(world, world.play(policy))
    unit = _loop()
    marks = [time.process_time()]
    history = read_history(events, Window(START, world.end))
    marks.append(time.process_time())
    trains = infer(history)
    marks.append(time.process_time())
    settings = {"batch_size": 5, "max_parallel_checks": 3}
    candidate = [with_settings(settings, before) for before in as_recorded(trains)]
    found = forecast(history, trains, Question(candidate))
    marks.append(time.process_time())
    assert isinstance(found, Comparison)
    print(f"{len(history.stays)} stays, {len(history.runs)} runs, {len(events)} events")
    for name, before, after in zip(("read", "infer", "forecast"), marks, marks[1:], strict=False):
        print(f"{name:9} {after - before:6.2f} s  {(after - before) / unit:6.1f} loops")
    print(f"together  {marks[-1] - marks[0]:6.2f} s  {(marks[-1] - marks[0]) / unit:6.1f} loops")


def _loop() -> float:
    """The CPU seconds of ten million additions."""
    started, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - started


if __name__ == "__main__":
    main()
