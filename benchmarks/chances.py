"""Do pull requests merge as often as their chance says? Simulated queues, the demo, and a real history.

    PYTHONPATH=tests .venv/bin/python benchmarks/chances.py [WORLDS]

Back-tests expected merges as the service does, and prints the predicted chance beside the share that merged,
in bins of ten points, corrected by what the other parts of the back-test show: of all pull requests, and of
those that had failed a run of their stay before. A bin with 100 or more cases that is off by more than 10
points is marked `!`. Histories in ../shared/real are measured if they are there.
"""

import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

from mergecast.demo.history import demo_events
from mergecast.forecasting.forecast.backtest import back_test
from mergecast.forecasting.forecast.chances import ChanceCase, bins_of
from mergecast.forecasting.history.reading import read_history
from mergecast.incoming.intake.event_rules import read_event
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.window import Window
from worlds.blame import blamed_worlds

_REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
_FAR_FUTURE = 1 << 62
_DEMO_START = date(2026, 3, 2)
_DEMO_DAYS = 130
_DAYS_OF_A_WORLD = 56
_ENOUGH, _OFF = 100, 0.1


def main(worlds: str = "12") -> None:
    found = list(_cases_of_worlds(int(worlds)))
    _print(f"{worlds} worlds", found)
    _print("demo", list(_cases_of_demo()))
    for file in sorted(_REAL.glob("*.ndjson.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            _print(file.name, list(_back_tested(_read(json.loads(line) for line in lines))))


def _cases_of_worlds(count: int) -> Iterator[ChanceCase]:
    for world in list(blamed_worlds(1, days=_DAYS_OF_A_WORLD).values())[:count]:
        yield from _back_tested(world.play().events)


def _cases_of_demo() -> Iterator[ChanceCase]:
    until = datetime.fromisoformat(f"{_DEMO_START}T00:00:00Z") + timedelta(days=_DEMO_DAYS)
    events = list(_read(demo_events(_DEMO_START, until)))
    for base_ref in sorted({event.base_ref for event in events if event.base_ref}):
        yield from _back_tested(event for event in events if event.base_ref == base_ref)


def _read(rows: Iterable[dict[str, object]]) -> Iterator[Event]:
    for row in rows:
        event = read_event(row, "", _FAR_FUTURE)
        if not isinstance(event, Event):
            raise TypeError(str(event))
        yield event


def _back_tested(events: Iterable[Event]) -> Iterator[ChanceCase]:
    events = list(events)
    first = min(event.happened_at for event in events) // DAY * DAY
    history = read_history(events, Window(first, max(event.happened_at for event in events) + 1))
    yield from back_test(history, frozenset(history.queue_names), seed=1).chances


def _print(name: str, cases: Sequence[ChanceCase]) -> None:
    failed = [case for case in cases if case.has_failed]
    for title, group in ((name, cases), (f"{name}, had failed", failed)):
        if not group:
            continue
        brier = sum((case.chance - case.is_merged) ** 2 for case in group) / len(group)
        rate = sum(case.is_merged for case in group) / len(group)
        print(f"{title}: {len(group):,} cases, Brier {brier:.3f}, of a constant {rate * (1 - rate):.3f}")
        for found in bins_of(group):
            is_off = found.cases >= _ENOUGH and abs(found.predicted - found.merged) > _OFF
            print(
                f"  predicted {found.predicted:4.0%}, merged {found.merged:4.0%}, {found.cases:5,} cases"
                f"{' !' if is_off else ''}"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
