"""How often alerts are wrong, how soon they find a change, and what they say about a real queue.

    PYTHONPATH=tests .venv/bin/python benchmarks/alerts.py quiet [FAMILY] [QUEUES] [WEEKS] [HOURS]
    PYTHONPATH=tests .venv/bin/python benchmarks/alerts.py steps [FAMILY] [QUEUES] [HOURS]
    PYTHONPATH=tests .venv/bin/python benchmarks/alerts.py real EVENTS.ndjson.gz

`quiet` counts the alerts of queues in which nothing changes; every second baseline has 7 days, the others 28.
`steps` makes CI slower, or more pull requests fail, by 30, 50 and 100 % from one instant on, and looks at the
3 weeks after it. Baselines are compared every so many HOURS (1 by default, as a server does). `final` is the
default family; the spreads in `signals/detection/baseline_comparison.py` were chosen with `tuning`.
"""

import asyncio
import gzip
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.baseline import QueueHour
from mergecast.queues.model.instant import DAY, HOUR, WEEK, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.window import Window
from mergecast.queues.store.baselines import read_hours
from mergecast.queues.store.opening import open_store
from mergecast.signals.detection.alert_sentence import sentence
from signals.simulated import PINNED, Simulated, pinned, simulated, watched, with_step
from worlds.steps import hours_of

STEPS = (1.3, 1.5, 2.0)
CHANGED = {"CI length": ("length_median",), "failures": ("broken", "flakes")}


def quiet(family: str = "final", queues: str = "20", weeks: str = "26", hours: str = "1") -> None:
    found: Counter[str] = Counter()
    years = 0.0
    for queue in _queues(family, int(queues), int(weeks)):
        happened = hours_of(queue.world.play(queue.policy))
        baseline = pinned(happened, PINNED, queue.pinned_until)
        if baseline is None:
            continue
        end = queue.watched_from + int(weeks) * WEEK
        measures = Counter(
            alert.measure for alert in watched(baseline, happened, queue.watched_from, end, int(hours) * HOUR)
        )
        years += int(weeks) / 52
        found += measures
        print(
            f"{queue.name:40} {queue.days:3} days, {baseline.merges:5} merges  {dict(measures)}", flush=True
        )
    rates = {measure: round(number / years, 2) for measure, number in found.items()}
    print(f"{years:.1f} baseline-years, {found.total() / years:.2f} false alerts a year: {rates}")


def steps(family: str = "final", queues: str = "20", hours: str = "1") -> None:
    for changed, names in CHANGED.items():
        for factor in STEPS:
            delays: list[float] = []
            asked = wrong = 0
            for queue in _queues(family, int(queues), 5):
                delay = _delay(queue, dict.fromkeys(names, factor), int(hours) * HOUR)
                asked += delay is not None
                wrong += delay == -1
                delays += [delay] if delay is not None and 0 <= delay < float("inf") else []
            typical = f"after {median(delays):.1f} days (median)" if delays else ""
            print(
                f"{changed} +{factor - 1:.0%}: found in {len(delays)} of {asked - wrong} {typical}, "
                f"wrong before it in {wrong}",
                flush=True,
            )


def _delay(queue: Simulated, factors: dict[str, float], every: int) -> float | None:
    """Days from the step to the first alert: infinity if there is none, -1 if one came before the step."""
    at = queue.watched_from + 2 * WEEK
    happened = with_step(queue, at, **factors)
    baseline = pinned(happened, PINNED, queue.pinned_until)
    if baseline is None:
        return None
    first = next(watched(baseline, happened, queue.watched_from, at + 3 * WEEK, every), None)
    if first is None:
        return float("inf")
    return -1 if first.began_at < at else (first.began_at - at) / DAY


def _queues(family: str, count: int, weeks: int) -> Iterator[Simulated]:
    for number in range(count):
        yield simulated(family, number, weeks, 28 if number % 2 else 7)


def real(path: str) -> None:
    """Pins every four weeks in turn, and watches the rest of the history."""
    lines = gzip.decompress(Path(path).read_bytes()).splitlines()
    happened = asyncio.run(_stored_hours(lines))
    first, last = happened[0].number * HOUR, happened[-1].number * HOUR
    for start in range(first, last - 6 * WEEK, 4 * WEEK):
        baseline = pinned(happened, start, start + 4 * WEEK)
        if baseline is None:
            continue
        print(f"pinned from {format_instant(start)}: {baseline.merges} merges, {baseline.figures}")
        for alert in watched(baseline, happened, baseline.end + WEEK, last):
            print(f"  {format_instant(alert.began_at)}  {sentence(alert)}")


async def _stored_hours(lines: list[bytes]) -> list[QueueHour]:
    """The hours of a history, as a store answers them."""
    repository = Repository("real", "history")
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        for start in range(0, len(lines), 5_000):
            part = b"\n".join(lines[start : start + 5_000])
            await store.record(repository, read_lines(part, now_in_microseconds()))
        known = await store.repository(repository)
        assert known is not None
        span = Window(known.first_at or 0, (known.last_at or 0) + 1)
        hours = await store.read(
            known.id, lambda reader: read_hours(reader, known.id, span, list(reader.groups(known.id)))
        )
        store.close()
        return hours


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {"quiet": quiet, "steps": steps, "real": real}
    commands[sys.argv[1]](*sys.argv[2:])
