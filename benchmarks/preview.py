"""How long does it take to judge 8 weeks with another threshold, in CPU time of the process that does it?

    PYTHONPATH=tests:benchmarks .venv/bin/python benchmarks/preview.py EVENTS.ndjson.gz
    PYTHONPATH=tests:benchmarks .venv/bin/python benchmarks/preview.py demo

The events are those of one queue; `demo` takes the queue `default` of 16 weeks of the demo.
"""

import asyncio
import gzip
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec

from alerts import stored_hours
from demo.histories import history
from diagnosis import event_of
from mergecast.queues.model.instant import HOUR, WEEK, Window
from mergecast.queues.model.reference_period import QueueHour
from mergecast.queues.model.threshold import SetThreshold
from mergecast.signals.thresholds.preview import (
    PREVIEWED,
    Asked,
    HoursAsked,
    LevelAsked,
    ReferenceAsked,
    preview,
)
from mergecast.signals.thresholds.queue_history import QueueHistory, QueueName
from signals.histories import history_of_events
from signals.simulated import between, pinned

_QUEUE = QueueName("main", "default")
_LEVELS = {"no_run_started": 2700.0, "run_too_long": 14_400.0, "everyone_fails": 3.0}
_PINNED = 4 * WEEK


def main(path: str) -> None:
    lines = _demo() if path == "demo" else gzip.decompress(Path(path).read_bytes()).splitlines()
    seen = history_of_events(event_of(msgspec.json.decode(line)) for line in lines)
    hours = asyncio.run(stored_hours(lines))
    print(f"{path}: {len(seen.stays):,} stays and {len(seen.runs):,} CI runs")
    for name, asked in _questions(seen, hours):
        began = time.process_time()
        found = preview(asked)
        print(f"{name:32} {time.process_time() - began:6.2f} s, {len(found.alerts)} alerts", flush=True)


def _demo() -> list[bytes]:
    events = history(date(2026, 3, 2), 16 * 7)
    of_queue = [event for event in events if event["queue_name"] == "default" and event["base_ref"] == "main"]
    return [msgspec.json.encode(event) for event in of_queue]


def _questions(seen: QueueHistory, hours: list[QueueHour]) -> Iterator[tuple[str, Asked]]:
    end = hours[-1].number * HOUR
    window = Window(end - PREVIEWED, end)
    for figure, value in _LEVELS.items():
        yield figure, LevelAsked(_QUEUE, window, figure, value, {_QUEUE.queue_name: seen})
    for figure, value in {"time_to_merge_p95": 3600.0, "failure_rate": 0.1}.items():
        yield figure, HoursAsked(_QUEUE, window, SetThreshold(figure, value), hours)
    start = window.start - _PINNED
    if (period := pinned(hours, start, window.start)) is not None:
        behind = between(hours, start, window.start)
        figure = "time_to_merge_p95"
        yield f"{figure}, reference", ReferenceAsked(window, figure, period, behind, hours)


if __name__ == "__main__":
    main(*sys.argv[1:])
