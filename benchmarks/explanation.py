"""Whether an explanation names the causes that changed, and no others.

    PYTHONPATH=tests .venv/bin/python benchmarks/explanation.py quiet [WORLDS] [SEED]
    PYTHONPATH=tests .venv/bin/python benchmarks/explanation.py one [WORLDS] [SEED] [calm|same]
    PYTHONPATH=tests .venv/bin/python benchmarks/explanation.py two [WORLDS] [SEED]
    PYTHONPATH=tests .venv/bin/python benchmarks/explanation.py real EVENTS.ndjson.gz

Each world has 28 days before and 28 days after. `quiet` changes nothing: how often is any cause named? `one`
changes one cause of each kind in so many worlds: of the figures that moved by more than 10 %, how many are
divided, to how many does the cause contribute 80 to 120 % of the difference, and how far is its part from the
true effect (log)? That is the difference of the same weeks played with and without the change. Of how many
is the true effect itself 80 to 120 % of the recorded difference: a division that knew it would reach as
many. `two` changes CI and arrivals or failures at once: are the shares of both within 25 points of the
truth? `real` prints what is said about a history, 28 days against 28, every week. Arrivals have a daily
noise of 0.2 (log), correlated 0.5 with the day before; the length of CI runs has a weekly noise of up to
0.08. So arrivals and CI always differ a little, too. With `calm` these noises are 0. With `same` the weeks
before are those after, played without the change: one cause is all that differs, luck included.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from mergecast.forecasting.explanation.answer import CAUSES, Cause, FigureExplained
from mergecast.forecasting.explanation.mixtures import figures_of, recorded_sample
from mergecast.forecasting.explanation.sides import Side
from mergecast.queues.model.instant import DAY, Window, to_datetime
from real_history import events_of
from worlds.changes import CHANGES, Change
from worlds.explained import AFTER, BEFORE, DAYS, Played, explained, side_of
from worlds.families import fitted
from worlds.world import World

_NAMES = ("batch 1 to 5", "batch 5 to 1", "batch 3 to 8, retry", "parallel 1 to 5", "GitHub, build 5 to 2")
_POLICIES = tuple(change.before for change in CHANGES if change.name in _NAMES)
_RATES = (20, 35, 50, 80)
_TIMES = ("time_to_merge_p50", "time_to_merge_p95")
_LEAST = 0.1
_PAIRS: tuple[tuple[Cause, Cause], ...] = (("run_length", "arrivals"), ("run_length", "failures"))


def drawn(seed: int) -> Played:
    draw = Random(f"explanation:{seed}")
    chosen, policy = draw.choice(_RATES), draw.choice(_POLICIES)
    world = World(
        seed,
        days=2 * DAYS,
        pulls_per_day=chosen,
        day_noise=0.2,
        day_noise_lasts=0.5,
        weekend=draw.choice((0.1, 0.3)),
        length_drift=draw.choice((0.0, 0.04, 0.08)),
        broken=draw.uniform(0.01, 0.04),
        flakes=draw.uniform(0.005, 0.03),
    )
    length = fitted(world, Change("", policy, policy), draw.uniform(0.25, 0.7)).length_median
    return Played(replace(world, length_median=length), policy)


def changed(played: Played, cause: Cause) -> Played:
    """The same with another cause, from the beginning on; its first weeks are not looked at."""
    world, policy = played
    of_world: dict[Cause, dict[str, Any]] = {
        "run_length": {"length_median": world.length_median * 1.3},
        "arrivals": {"load_change": 1.5, "load_changes_on": DAYS},
        "failures": {"broken": world.broken * 2.5, "flakes": world.flakes * 2.5},
        "closed_time": {"weekend_freeze": True},
        "people": {"leaving_per_hour": 0.08, "back_after_person": 0.9},
    }
    if cause in of_world:
        return Played(replace(world, **of_world[cause]), policy)
    if policy.max_parallel_checks > 1:
        return Played(world, replace(policy, max_parallel_checks=policy.max_parallel_checks // 2))
    (rule,) = policy.rules
    return Played(world, replace(policy, rules=(replace(rule, batch_size_min=1, batch_size_max=1),)))


def figure_of(side: Side, name: str) -> float:
    return float(getattr(figures_of([recorded_sample(side)]), name))


def quiet(worlds: str = "100", seed: str = "30000") -> None:
    named, counted, begun = [], 0, time.process_time()
    for number in range(int(worlds)):
        played = drawn(int(seed) + number)
        found = explained(played.side(BEFORE), played.side(AFTER))
        if found is None:
            continue
        counted += 1
        said = [one.sentence for one in found.figures if one.state == "divided"]
        if said:
            named.append(number)
            print(f"{int(seed) + number}: {said[0]}", flush=True)
    seconds = (time.process_time() - begun) / max(counted, 1)
    print(f"{len(named)} of {counted} worlds name a cause; {seconds:.1f} s of CPU time each")


class Held(NamedTuple):
    """One figure that moved, and the part of the cause that changed."""

    state: str
    share: float | None  # of the recorded difference; None if it is not divided
    error: float | None  # of the part, from the true effect
    part: float | None
    truth: float
    whole: float  # the recorded difference


def calm(played: Played) -> Played:
    return Played(replace(played.world, day_noise=0.0, length_drift=0.0), played.policy)


def one(worlds: str = "12", seed: str = "40000", but: str = "") -> None:
    every: list[Held] = []
    for cause in CAUSES:
        drawn_ones = (drawn(int(seed) + number) for number in range(int(worlds)))
        quiet_ones = map(calm, drawn_ones) if but == "calm" else drawn_ones
        found = [held for played in quiet_ones for held in _held(played, cause, is_same=but == "same")]
        every += found
        print(f"{cause}: {_summary(found)}", flush=True)
    print(f"all: {_summary(every)}")


def _held(played: Played, cause: Cause, *, is_same: bool) -> Iterator[Held]:
    unchanged, after = played.side(AFTER), changed(played, cause).side(AFTER)
    found = explained(unchanged if is_same else played.side(BEFORE), after)
    for figure in found.figures if found else ():
        if figure.figure in _TIMES and abs(figure.change) > _LEAST:
            truth = log(figure_of(after, figure.figure) / figure_of(unchanged, figure.figure))
            share, whole = _share(figure, cause), log(figure.after / figure.before)
            part = None if share is None else share * whole
            yield Held(figure.state, share, None if part is None else part - truth, part, truth, whole)


def _share(figure: FigureExplained[float], cause: Cause) -> float | None:
    """The share of a cause; 0 if others are named and it is not."""
    if figure.state != "divided":
        return None
    return next((part.share for part in figure.parts if part.part == cause), 0.0)


def _summary(found: Sequence[Held]) -> str:
    shares = [held.share for held in found if held.share is not None]
    right = sum(0.8 <= share <= 1.2 for share in shares)
    reachable = sum(0.8 <= held.truth / held.whole <= 1.2 for held in found if held.share is not None)
    errors = sorted(abs(held.error) for held in found if held.error is not None)
    true = sum(abs(held.error) <= 0.2 * abs(held.whole) for held in found if held.error is not None)
    near = sum(error <= 0.1 for error in errors)
    states = {state: sum(held.state == state for held in found) for state in {held.state for held in found}}
    middle = f"{median(errors):.3f}" if errors else "-"
    return (
        f"{len(found)} figures moved {states}; 80 to 120 % in {right} of {len(shares)}, the "
        f"true effect in {reachable}; share within 20 points of the true one in {true}, part within 0.1 of "
        f"the true effect in {near}, median error {middle}"
    )


def two(worlds: str = "12", seed: str = "50000") -> None:
    for pair in _PAIRS:
        errors: list[float] = []
        moved = divided = 0
        for number in range(int(worlds)):
            played = drawn(int(seed) + number)
            both = changed(changed(played, pair[0]), pair[1])
            before, unchanged, after = played.side(BEFORE), played.side(AFTER), both.side(AFTER)
            alone = {cause: changed(played, cause).side(AFTER) for cause in pair}
            found = explained(before, after)
            for figure in found.figures if found else ():
                if figure.figure not in _TIMES or abs(figure.change) <= _LEAST:
                    continue
                moved += 1
                divided += figure.state == "divided"
                whole = log(figure.after / figure.before)
                for cause in pair if figure.state == "divided" else ():
                    then, now = (figure_of(side, figure.figure) for side in (unchanged, alone[cause]))
                    errors.append(abs((_share(figure, cause) or 0.0) - log(now / then) / whole))
        near = sum(error <= 0.25 for error in errors)
        print(
            f"{' and '.join(pair)}: {divided} of {moved} figures that moved are divided; shares within 25 "
            f"points in {near} of {len(errors)}",
            flush=True,
        )


def real(path: str) -> None:
    events = list(events_of(Path(path)))
    first = min(event.happened_at for event in events) // DAY * DAY
    last = max(event.happened_at for event in events)
    for start in range(first, last - 2 * DAYS * DAY, 7 * DAY):
        before = Window(start, start + DAYS * DAY)
        after = Window(before.end, before.end + DAYS * DAY)
        found = explained(side_of(events, before, before), side_of(events, after, before))
        print(to_datetime(after.start).date(), found.sentence if found else "too little history", flush=True)
        for figure in found.figures if found else ():
            print(f"    {figure.state}: {figure.sentence}")


_PARTS: dict[str, Callable[..., None]] = {"quiet": quiet, "one": one, "two": two, "real": real}

if __name__ == "__main__":
    _PARTS[sys.argv[1]](*sys.argv[2:])
