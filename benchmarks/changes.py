"""How often changes of levels are reported wrongly, which ones are found, and whether they vanish again.

    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py quiet [WORLDS] [SEED]
    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py steps [WORLDS] [SEED] [KIND]
    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py real EVENTS.ndjson.gz
    PYTHONPATH=tests .venv/bin/python benchmarks/changes.py time

`quiet` looks every week at 26 weeks in which nothing changes: how often is anything reported at the last
look, and how often at any? `steps` changes one thing in the 13th or 14th week, of one kind (by its name) or
of each: in how many worlds is it reported at the last look, within how many days, how long after it, how
often is the day in the interval, and how many of the changes reported in a week are not reported in the next?
Goals stand in brackets.
`real` adds week after week to a history, and counts the reported changes that are not reported a week later.
`time` looks at 730 days. Arrivals have a daily noise of 0.2 (log), correlated 0.5 with the day before; the
length of CI runs has a weekly noise of up to 0.08. `benchmarks/explanation.py` measures explanations.
"""

import asyncio
import gzip
import sys
import time as clock
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
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
from mergecast.queues.stats.level_changes import sentence_of
from mergecast.queues.stats.queue_days import queue_days
from mergecast.queues.store.opening import open_store
from mergecast.signals.changes.looks import every_look, find_changes
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
_MOST_AT_LAST, _MOST_EVER, _MOST_VANISHED = 0.05, 0.1, 0.01


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


def quiet(worlds: str = "400", seed: str = "10000") -> None:
    last = ever = 0
    figures: Counter[str] = Counter()
    for number in range(int(worlds)):
        world, policy = drawn(int(seed) + number)
        weekly = _weekly(days_of(world.play(policy), 7 * WEEKS))
        reported = {one.figure for shown in weekly for one in shown}
        last += bool(weekly[-1])
        ever += bool(reported)
        figures.update(reported)
        if number % 50 == 49:
            print(f"{number + 1} worlds: {last} at the last look, {ever} ever {dict(figures)}", flush=True)
    print(
        f"reported at the last look: {last / int(worlds):.1%} (at most {_MOST_AT_LAST:.0%}), "
        f"ever: {ever / int(worlds):.1%} (at most {_MOST_EVER:.0%}) {dict(figures)}"
    )


class Outcome(NamedTuple):
    """Of one world: the reported change nearest to the true day, and all reports, week by week."""

    day: int
    near: LevelChange | None
    listed: int
    vanished: int


def steps(worlds: str = "100", seed: str = "20000", name: str = "") -> None:
    outcomes: dict[Kind, list[Outcome]] = {kind: [] for kind in KINDS if name in ("", kind.name)}
    for number in range(int(worlds)):
        for kind, own in outcomes.items():
            own.append(_outcome(kind, int(seed) + number))
        if number % 10 == 9 or number + 1 == int(worlds):
            print(f"{number + 1} worlds of each kind:", *(_row(*one) for one in outcomes.items()), sep="\n")
            every = [one for own in outcomes.values() for one in own]
            listed, vanished = sum(one.listed for one in every), sum(one.vanished for one in every)
            print(
                f"not reported a week later: {vanished} of {listed}",
                flush=True,
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
        f"in the interval {covered:.0%}, reported after {delay:.0f} days, not reported a week later "
        f"{sum(one.vanished for one in outcomes)} of {sum(one.listed for one in outcomes)}"
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
    weekly = _weekly(days_of(record, 7 * WEEKS))
    near = [one for one in weekly[-1] if one.figure == kind.figure and abs(one.day - day) <= _NEAR]
    nearest = min(near, key=lambda one: abs(one.day - day), default=None)
    return Outcome(day, nearest, *_vanishing(weekly))


def _vanishing(weekly: Sequence[tuple[LevelChange, ...]]) -> tuple[int, int]:
    """How many changes were listed, over all weeks but the last, and how many of them not a week later."""
    listed = vanished = 0
    for now, later in pairwise(weekly):
        listed += len(now)
        vanished += sum(not any(_is_same(one, other) for other in later) for one in now)
    return listed, vanished


def _weekly(days: Sequence[QueueDay]) -> list[tuple[LevelChange, ...]]:
    """What is reported at each weekly look."""
    end = days[-1].number + 1
    return [found.changes for found in every_look(days, end - (end - 4) % 7)]


def real(path: str) -> None:
    lines = gzip.decompress(Path(path).read_bytes()).splitlines()
    weekly = _weekly(asyncio.run(_stored_days(lines)))
    listed, vanished = _vanishing(weekly)
    for one in weekly[-1]:
        print(f"{sentence_of(one)}, {'final' if one.is_kept else 'not final'}")
    print(
        f"{len(weekly)} weeks, {listed} listed changes, "
        f"{vanished} not listed a week later (at most {_MOST_VANISHED:.0%})"
    )


def _is_same(one: LevelChange, other: LevelChange) -> bool:
    is_same_way = (one.after > one.before) == (other.after > other.before)
    return one.figure == other.figure and is_same_way and abs(one.day - other.day) <= 7


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
    """CPU time of 104 weekly looks at six figures, without a change and with one every half year."""
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
