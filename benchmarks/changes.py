"""How often changes of levels are reported wrongly, which ones are found, and whether they vanish again.

    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py quiet [WORLDS] [SEED]
    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py steps [WORLDS] [SEED] [KIND]
    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py real EVENTS.ndjson.gz
    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py time

`quiet` looks every day at 26 weeks in which nothing changes: in how many worlds is anything told? `steps`
changes one thing in the 13th or 14th week, of one kind (by its name) or of each: in how many worlds is it
told by the last day, within how many days, how long after it, and how often is the day in the interval?
Goals stand in brackets. `real` prints what is told about a history. `time` looks at 730 days. Arrivals have
a daily noise of 0.2 (log), correlated 0.5 with the day before; the length of CI runs has a weekly noise of
up to 0.08. `benchmarks/explanation.py` measures explanations.
"""

import asyncio
import gzip
import sys
import time as clock
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mergecast.forecasting.replay.values import Policy
from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import DAY, Window, grid_for
from mergecast.queues.model.queue_changes import LevelChange, QueueDay
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.level_changes import date_of, sentence_of
from mergecast.queues.stats.queue_days import queue_days
from mergecast.queues.store.opening import open_store
from mergecast.signals.changes.looks import find_changes
from worlds.changes import CHANGES, Change
from worlds.days import days_of
from worlds.families import fitted
from worlds.steps import Step
from worlds.world import START, World

WEEKS = 26
_FIRST_DAY = START // DAY
_NAMES = ("batch 1 to 5", "batch 5 to 1", "batch 3 to 8, retry", "parallel 1 to 5", "GitHub, build 5 to 2")
_POLICIES = tuple(change.before for change in CHANGES if change.name in _NAMES)
_RATES = (20, 35, 50, 80)
_NEAR = 21  # days; a change farther away is another one


class Kind(NamedTuple):
    """What changes, by how much, in queues of how many pull requests a day, and the figure that shows it.

    Goals are shares: of worlds in which the change is found, and of those found within some days.
    """

    name: str
    figure: str
    rate: float
    factor: float
    found: float | None = None
    within: tuple[int, float] | None = None  # days


KINDS = (
    Kind("run length", "passed_run_p50", 20, 1.3, 0.95, (3, 0.9)),
    Kind("run length", "passed_run_p50", 50, 1.3, 0.95, (3, 0.9)),
    Kind("arrivals", "entered_per_day", 50, 1.5, 0.85),
    Kind("arrivals", "entered_per_day", 20, 2.0, 0.95, (7, 0.85)),
    Kind("failures, no daily noise", "failure_rate", 100, 2.0, 0.9, (7, 0.8)),
    Kind("failures", "failure_rate", 100, 2.0),
)
_MOST_TOLD, _LATEST = 4 / 42, 18  # of quiet worlds; days after a change, median


def drawn(seed: int, rate: float | None = None) -> tuple[World, Policy]:
    draw = Random(f"changes:{seed}")
    chosen, policy = draw.choice(_RATES), draw.choice(_POLICIES)
    world = World(
        seed,
        days=7 * WEEKS,
        pulls_per_day=rate or chosen,
        day_noise=0.2,
        day_noise_lasts=0.5,
        weekend=draw.choice((0.1, 0.3)),
        length_drift=draw.choice((0.0, 0.04, 0.08)),
        broken=draw.uniform(0.01, 0.04),
        flakes=draw.uniform(0.005, 0.03),
    )
    length = fitted(world, Change("", policy, policy), draw.uniform(0.25, 0.7)).length_median
    return replace(world, length_median=length), policy


def quiet(worlds: str = "42", seed: str = "10000") -> None:
    wrong = 0
    figures: Counter[str] = Counter()
    for number in range(int(worlds)):
        world, policy = drawn(int(seed) + number)
        told = {one.figure for one in _told(days_of(world.play(policy), 7 * WEEKS))}
        wrong += bool(told)
        figures.update(told)
    print(f"told in {wrong} of {worlds} quiet worlds (at most {_MOST_TOLD:.1%}) {dict(figures)}")


class Outcome(NamedTuple):
    """Of one world: the change nearest to the true day that was told of its figure, and how many were."""

    day: int
    near: LevelChange | None
    of_figure: int


def steps(worlds: str = "100", seed: str = "20000", name: str = "") -> None:
    outcomes: dict[Kind, list[Outcome]] = {kind: [] for kind in KINDS if name in ("", kind.name)}
    for number in range(int(worlds)):
        for kind, own in outcomes.items():
            own.append(_outcome(kind, int(seed) + number))
        if number % 10 == 9 or number + 1 == int(worlds):
            print(f"{number + 1} worlds of each kind:", *(_row(*one) for one in outcomes.items()), sep="\n")

    near = [(one.near, one.day) for own in outcomes.values() for one in own if one.near is not None]
    print(
        f"all: found {len(near)} of {sum(map(len, outcomes.values()))}, dated within 7 days "
        f"{sum(abs(one.day - day) <= 7 for one, day in near)}, told after "
        f"{median(one.shown_on - day for one, day in near):.0f} days (at most {_LATEST})"
    )


def _row(kind: Kind, outcomes: Sequence[Outcome]) -> str:
    near = [(one.near, one.day) for one in outcomes if one.near is not None]
    errors = [abs(one.day - day) for one, day in near]
    days, share = kind.within or (None, None)
    within = ", ".join(
        f"within {most} days {sum(error <= most for error in errors) / max(len(near), 1):.0%}"
        f"{_goal(share if days == most else None)}"
        for most in (3, 7)
    )
    covered = sum(one.earliest <= day <= one.latest for one, day in near) / max(len(near), 1)
    delay = median(one.shown_on - day for one, day in near) if near else 0
    found = f"{len(near) / len(outcomes):.0%}{_goal(kind.found)}"
    return (
        f"{kind.name} x {kind.factor}, {kind.rate} a day: found {found}, {within}, "
        f"in the interval {covered:.0%}, told after {delay:.0f} days, "
        f"{sum(one.of_figure for one in outcomes) / len(outcomes):.1f} changes of this figure told"
    )


def _goal(least: float | None) -> str:
    return "" if least is None else f" (at least {least:.0%})"


def _outcome(kind: Kind, seed: int) -> Outcome:
    world, policy = drawn(seed, kind.rate)
    place = 84 + seed % 14
    day, at = _FIRST_DAY + place, START + place * DAY
    if kind.name.endswith("no daily noise"):
        world = replace(world, day_noise=0.0)
    if kind.figure == "entered_per_day":
        record = replace(world, load_change=kind.factor, load_changes_on=place).play(policy)
    else:
        names = ("length_median",) if kind.figure == "passed_run_p50" else ("broken", "flakes")
        changed = {name: getattr(world, name) * kind.factor for name in names}
        record = Step(world, replace(world, **changed), at).play(policy)
    told = [one for one in _told(days_of(record, 7 * WEEKS)) if one.figure == kind.figure]
    near = [one for one in told if abs(one.day - day) <= _NEAR]
    return Outcome(day, min(near, key=lambda one: abs(one.day - day), default=None), len(told))


def _told(days: Sequence[QueueDay]) -> tuple[LevelChange, ...]:
    return find_changes(days, days[-1].number + 1).changes


def real(path: str) -> None:
    lines = gzip.decompress(Path(path).read_bytes()).splitlines()
    for one in _told(asyncio.run(_stored_days(lines))):
        print(f"{sentence_of(one)}, told on {date_of(one.shown_on)}")


async def _stored_days(lines: list[bytes]) -> list[QueueDay]:
    """The days of a history, as a store answers them."""
    repository = Repository("real", "history")
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        for start in range(0, len(lines), 5_000):
            part = b"\n".join(lines[start : start + 5_000])
            await store.record(repository, read_lines(part, now_in_microseconds()))
        known = await store.repository(repository)
        assert known is not None
        span = Window(known.first_at or 0, (known.last_at or 0) + 1)
        days = await store.read(
            known.id,
            lambda reader: queue_days(
                reader, Question(known.id, span, span, grid_for(span), reader.groups(known.id))
            ),
        )
        store.close()
        return days


def time() -> None:
    """CPU time of 728 looks at six figures, without a change and with one every half year."""
    for step in (1.0, 1.5):
        draw, days = Random(1), list[QueueDay]()
        for place in range(728):
            factor = step if place // 182 % 2 else 1.0
            entered = round(60 * draw.lognormvariate(0, 0.2) * (0.3 if place % 7 >= 5 else 1))
            passed = 900 * factor * draw.lognormvariate(0, 0.1)
            figures = (passed * 1.5, passed * 3, entered, passed)
            days.append(QueueDay(_FIRST_DAY + place, entered, entered, entered // 20, entered, *figures))
        begun = clock.process_time()
        found = find_changes(days, _FIRST_DAY + 728)
        seconds = clock.process_time() - begun
        print(f"x {step}: {len(found.changes)} changes in {seconds:.2f} s, {seconds / 6:.2f} s per figure")


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {"quiet": quiet, "steps": steps, "real": real, "time": time}
    commands[sys.argv[1]](*sys.argv[2:])
