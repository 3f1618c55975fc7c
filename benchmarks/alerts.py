"""How often alerts are wrong, which changes they find, and whether what is promised before pinning holds.

    PYTHONPATH=tests .venv/bin/python benchmarks/alerts.py worlds [FAMILY] [FIRST] [QUEUES] [HOURS]
    PYTHONPATH=tests .venv/bin/python benchmarks/alerts.py real EVENTS.ndjson.gz [ORDERS] [HOURS]

Each history has 4 pinned weeks after some earlier ones (8 in simulated queues, 4 in the real one), with the
default limits. In quiet weeks nothing changes. Then CI takes longer from one instant on, and the 3 weeks
after it count. Baselines are compared every so many HOURS: a server does it every hour.

`worlds` simulates queues of a family, from number FIRST on. `real` puts the whole weeks of a recorded queue
into other orders; stays that take longer stand for CI that does. The levels in `signals/thresholds` were
chosen with `tuning` 0 to 23 and with other orders of the same weeks.
"""

import asyncio
import gzip
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import DAY, HOUR, WEEK, Window
from mergecast.queues.model.reference_period import QueueHour, ReferencePeriod
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reference_periods import read_hours
from mergecast.signals.thresholds.reference_finds import finds
from signals.simulated import between, pinned, simulated, watched, with_step
from worlds.steps import hours_of

STEPS = (1.3, 1.5, 2.0)
PINNED = 4  # weeks
QUIET = 23  # weeks that are watched in a simulated queue
BEFORE_STEP = 2 * WEEK
MONDAY = 4 * DAY // HOUR  # the first one of the epoch
HOURS_OF_WEEK = WEEK // HOUR

Happened = Sequence[QueueHour]


@dataclass
class Score:
    every: int
    histories: int = 0
    weeks: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    found: dict[float, list[float]] = field(default_factory=lambda: {step: [] for step in STEPS})
    promised: list[float] = field(default_factory=list)
    kept: int = 0

    def quiet(self, baseline: ReferencePeriod, happened: Happened, end: int) -> None:
        self.histories += 1
        self.weeks += (end - baseline.end) // WEEK
        self.wrong.update(
            alert.figure for alert in watched(baseline, happened, baseline.end + DAY, end, self.every)
        )

    def step(self, factor: float, happened: Happened, period: Window) -> None:
        """CI takes longer two weeks after the baseline; an alert from before is not counted as found."""
        baseline = pinned(happened, *period)
        if baseline is not None:
            found = self._delay(baseline, happened, period.end + BEFORE_STEP, 21)
            self.found[factor] += [] if found is None else [found]

    def promise(self, baseline: ReferencePeriod, happened: Happened) -> None:
        """Whether the change that was promised before pinning is found when it comes."""
        before, within = between(happened, 0, baseline.start), between(happened, baseline.start, baseline.end)
        change, days, _ = finds(baseline, within, before)
        if change is not None and days is not None:
            at = baseline.end + BEFORE_STEP
            self.promised.append(change)
            self.kept += self._delay(baseline, longer(happened, at, 1 + change), at, days) is not None

    def _delay(self, baseline: ReferencePeriod, happened: Happened, at: int, days: int) -> float | None:
        for alert in watched(baseline, happened, at, at + days * DAY + 1, self.every):
            return None if alert.since == at else (alert.since - at) / DAY
        return None

    def told(self) -> Iterator[str]:
        false = self.wrong.total()
        rate = 220 * false / max(self.weeks, 1)
        yield f"{false} false alerts in {self.weeks} quiet weeks ({rate:.1f} in 220): {dict(self.wrong)}"
        for step, delays in self.found.items():
            typical = f", after {median(delays):.1f} days (median)" if delays else ""
            yield f"+{step - 1:.0%} found within 3 weeks in {len(delays)} of {self.histories}{typical}"
        if self.promised:
            yield (
                f"promised before pinning in {len(self.promised)} of {self.histories}: "
                f"{min(self.promised):.0%} to {max(self.promised):.0%}, median {median(self.promised):.0%}; "
                f"found in time in {self.kept}"
            )


def worlds(family: str = "final", first: str = "0", queues: str = "40", hours: str = "6") -> None:
    score = Score(int(hours) * HOUR)
    for number in range(int(first), int(first) + int(queues)):
        queue = simulated(family, number, QUIET - 1, 7 * PINNED, earlier=8)
        happened = hours_of(queue.world.play(queue.policy))
        baseline = pinned(happened, queue.pinned_from, queue.pinned_until)
        if baseline is not None:
            score.quiet(baseline, happened, queue.pinned_until + QUIET * WEEK)
            score.promise(baseline, happened)
            short = simulated(family, number, 4, 7 * PINNED, earlier=8)
            for step in STEPS:
                stepped = with_step(short, short.pinned_until + BEFORE_STEP, length_median=step)
                score.step(step, stepped, Window(short.pinned_from, short.pinned_until))
            print(f"{queue.name}: {baseline.merges} merges, {score.histories} of {queues}", flush=True)
    print(*score.told(), sep="\n")


def real(path: str, orders: str = "40", hours: str = "6") -> None:
    lines = gzip.decompress(Path(path).read_bytes()).splitlines()
    happened = asyncio.run(stored_hours(lines))
    score = Score(int(hours) * HOUR)
    for seed in range(100, 100 + int(orders)):
        shuffled, start, end = _other_order(happened, seed)
        period = Window(start + PINNED * WEEK, start + 2 * PINNED * WEEK)
        baseline = pinned(shuffled, *period)
        if baseline is not None:
            score.quiet(baseline, shuffled, end)
            score.promise(baseline, shuffled)
            for step in STEPS:
                score.step(step, longer(shuffled, period.end + BEFORE_STEP, step), period)
    print(*score.told(), sep="\n")


def longer(happened: Happened, at: int, factor: float) -> list[QueueHour]:
    """The same, with stays that take longer from an instant on."""
    return [
        hour._replace(seconds=tuple(round(factor * one) for one in hour.seconds))
        if hour.number * HOUR >= at
        else hour
        for hour in happened
    ]


def _other_order(happened: Happened, seed: int) -> tuple[list[QueueHour], int, int]:
    """The whole weeks of a history, shuffled, and when they begin and end."""
    first = happened[0].number + (MONDAY - happened[0].number) % HOURS_OF_WEEK
    count = (happened[-1].number - first) // HOURS_OF_WEEK
    order = list(range(count))
    Random(seed).shuffle(order)
    moved = []
    for place, week in enumerate(order):
        start = (first + week * HOURS_OF_WEEK) * HOUR
        later = (place - week) * HOURS_OF_WEEK
        moved += [
            hour._replace(number=hour.number + later) for hour in between(happened, start, start + WEEK)
        ]
    return moved, first * HOUR, (first + count * HOURS_OF_WEEK) * HOUR


async def stored_hours(lines: list[bytes]) -> list[QueueHour]:
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
    commands: dict[str, Callable[..., None]] = {"worlds": worlds, "real": real}
    commands[sys.argv[1]](*sys.argv[2:])
