"""Do the figures of CI checks say what is true? Simulated queues with a known flaky check.

    PYTHONPATH=tests .venv/bin/python benchmarks/ci_check_truth.py [--first 1] [--worlds 1] [--only NAME]

Each world has 1,000 CI runs or more. It is played in queues of several kinds and stored with the reports of
its CI checks, and the answer is compared with the truth. In every second world the flaky check also finds
what is broken on every second day. Lines per kind of queue and flake rate precede a table with limits:

- bias: the mean error of the flake rate, for queues that retry
- covered: worlds whose interval contains the share of executions that failed by chance
- told: worlds in which the answer gives a rate
- accused: checks that never flake and whose interval excludes 0; only one of them fails at all
- blocked: worlds in which `blocked_seconds` of the flaky check is within 15 percent of the time that pull
  requests lost in runs that were stopped or repeated, minus the same time in a replay without flakes
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import mean
from typing import NamedTuple

from worlds.ci_check_truth import GOALS, Compared, compare
from worlds.ci_checks import CheckedWorld, checked_world, train

_RATES = (0.02, 0.05, 0.1, 0.2)
_SHOWN = 0.05  # a rate that the answer should be able to tell
_QUEUES: dict[str, Callable[[int, float], CheckedWorld]] = {
    "one at a time, retried": lambda seed, rate: checked_world(seed, train(parallel=1), flakes=rate),
    "5 in parallel, retried": lambda seed, rate: checked_world(seed, train(), flakes=rate),
    "busy, batches of 4, retried": lambda seed, rate: checked_world(
        seed, train(batch=4), days=9, pulls_per_day=250, flakes=rate
    ),
    "one at a time": lambda seed, rate: checked_world(seed, train(parallel=1, retries=0), flakes=rate),
    "one at a time, with commits": lambda seed, rate: _with_commits(
        checked_world(seed, train(parallel=1, retries=0), flakes=rate)
    ),
    "5 in parallel": lambda seed, rate: checked_world(seed, train(retries=0), flakes=rate),
    "busy, 8 in parallel": lambda seed, rate: checked_world(
        seed, train(parallel=8, retries=0), days=11, pulls_per_day=150, flakes=rate
    ),
    "busy, 8 in parallel, with commits": lambda seed, rate: _with_commits(
        checked_world(seed, train(parallel=8, retries=0), days=11, pulls_per_day=150, flakes=rate)
    ),
    "busy, batches of 4": lambda seed, rate: checked_world(
        seed, train(batch=4, retries=0), days=9, pulls_per_day=250, flakes=rate
    ),
}


def _with_commits(checked: CheckedWorld) -> CheckedWorld:
    return replace(checked, has_commits=True)


class _World(NamedTuple):
    queue: str
    rate: float
    is_mixed: bool
    found: Compared

    @property
    def is_retried(self) -> bool:
        return "retried" in self.queue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first world")
    parser.add_argument("--worlds", type=int, default=1, help="of each kind of queue and flake rate")
    parser.add_argument("--only", default="", help="kinds of queues whose name contains this")
    given = parser.parse_args()
    worlds: list[_World] = []
    for queue in [queue for queue in _QUEUES if given.only in queue]:
        for rate in _RATES:
            played = list(_play(queue, rate, range(given.first, given.first + given.worlds)))
            print(f"{queue}, {rate:.0%}: {_line(played)}", flush=True)
            worlds += played
    for name, figure, limit in _table(worlds):
        print(f"| {name} | {figure} | {limit} |")


def _play(queue: str, rate: float, seeds: Iterable[int]) -> Iterator[_World]:
    for seed in seeds:
        is_mixed = (seed + _RATES.index(rate)) % 2 == 1
        yield _World(queue, rate, is_mixed, compare(replace(_QUEUES[queue](seed, rate), is_mixed=is_mixed)))


def _line(worlds: Sequence[_World]) -> str:
    parts = []
    for world in worlds:
        said, true = world.found.flake_rate
        low, high = world.found.flake_interval
        told = "cannot tell" if said is None else f"{said:.4f}"
        accused = f", accused {', '.join(world.found.accused)}" if world.found.accused else ""
        parts.append(f"{told} ({low:.4f} to {high:.4f}; true {true:.4f}, {world.found.runs} runs{accused})")
    return "; ".join(parts)


def _table(worlds: Sequence[_World]) -> Iterator[tuple[str, str, str]]:
    retried = [world for world in worlds if world.is_retried]
    others = [world for world in worlds if not world.is_retried]
    for rate in _RATES:
        errors = [world.found.errors()["flake_rate"] for world in retried if world.rate == rate]
        if errors:
            yield f"bias at {rate:.0%}, with retries ({len(errors)} worlds)", f"{mean(errors):+.1%}", "±15%"
    yield "covered, with retries", _count(map(_is_covered, retried)), ""
    yield "covered, without retries", _count(map(_is_covered, others)), "85%"
    flaky = [world.found.flake_rate[0] is not None for world in others if world.rate >= _SHOWN]
    yield "told, without retries, at 5% or more", _count(flaky), "50%"
    accused = sum(len(world.found.accused) for world in worlds)
    innocent = sum(world.found.innocent for world in worlds)
    yield "accused", f"{accused} of {innocent}", "5%"
    yield "accused, of those that fail", _count(bool(world.found.accused) for world in worlds), ""
    for queue in dict.fromkeys(world.queue for world in retried):
        blocked = [
            abs(world.found.errors()["blocked"]) <= GOALS["blocked"]
            for world in retried
            if world.queue == queue and not world.is_mixed
        ]
        yield f"blocked, {queue}", _count(blocked), "10 of 12 in all"


def _is_covered(world: _World) -> bool:
    low, high = world.found.flake_interval
    return low <= world.found.flake_rate[1] <= high


def _count(held: Iterable[bool]) -> str:
    found = list(held)
    return f"{sum(found)} of {len(found)}"


if __name__ == "__main__":
    main()
