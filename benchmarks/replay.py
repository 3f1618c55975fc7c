"""How long one replay of a year takes: 1,000 pull requests a day, under four policies.

Run: python benchmarks/replay.py [days]
"""

import resource
import sys
from dataclasses import dataclass
from random import Random
from time import process_time

from mergecast.forecasting.replay.codes import BROKEN, FAIL, NEVER, PASS
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    Arrivals,
    EnteringFields,
    Leaving,
    Oracle,
    Policy,
    QueueRule,
    RunStartFields,
)
from mergecast.queues.model.instant import DAY, MINUTE, SECOND

PER_DAY = 1000
POLICIES = {
    "batch 1 x 40": Policy(rules=(QueueRule(),), max_parallel_checks=40),
    "batch 5 x 10, retry": Policy(
        rules=(QueueRule(5, 5, 5 * MINUTE, max_checks_retries=1),), max_parallel_checks=10
    ),
    "batch 10 x 5, retry": Policy(
        rules=(QueueRule(10, 10, 5 * MINUTE, max_checks_retries=1),), max_parallel_checks=5
    ),
    "batch 1-10 x 10, skip, retry": Policy(
        rules=(QueueRule(1, 10, max_checks_retries=1),),
        max_parallel_checks=10,
        skip_intermediate_results=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Tables:
    """One row per pull request; a run draws from the row of its leader, shifted by the runs it has led."""

    broken: list[int]
    chance: list[float]
    length: list[int]


def fate(tables: Tables, entering: EnteringFields) -> tuple[int, int, int]:
    pull, _, _ = entering
    return tables.broken[pull], NEVER, 0


def outcome(tables: Tables, start: RunStartFields) -> tuple[int, int, int]:
    leader, led, _, _, broken, _, _, _, _, _, _ = start
    chance, length = tables.chance, tables.length
    row = (leader + 7919 * led) % len(chance)
    if broken > 0 or chance[row] < 0.01:
        return 0, length[row], FAIL
    return 0, length[row], PASS


def comes_back(_tables: Tables, _leaving: Leaving) -> int:
    return NEVER


def arrivals(days: int, draw: Random) -> Arrivals:
    pulls = days * PER_DAY
    entered_at = sorted(draw.randrange(days * DAY) for _ in range(pulls))
    return Arrivals(
        number=list(range(1, pulls + 1)),
        entered_at=entered_at,
        priority=[3000 if draw.random() < 0.05 else 2000 for _ in range(pulls)],
        rule=[0] * pulls,
        interrupts=[False] * pulls,
        scopes=[0] * pulls,
    )


def tables(pulls: int, draw: Random) -> Tables:
    return Tables(
        [BROKEN * (draw.random() < 0.005) for _ in range(pulls)],
        [draw.random() for _ in range(pulls)],
        [int(600 * SECOND * draw.lognormvariate(0, 0.3)) for _ in range(pulls)],
    )


def measured(entering: Arrivals, policy: Policy, oracle: Oracle) -> tuple[float, int, int]:
    """CPU seconds, runs and merged pull requests of one replay, whose record is not kept."""
    begun = process_time()
    record = replay(entering, policy, oracle)
    plain = process_time() - begun
    return plain, len(record.runs.batch), sum(reason <= 1 for reason in record.stays.reason)


def main() -> None:
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 365
    draw = Random(1)
    entering = arrivals(days, draw)
    oracle = Oracle(tables(len(entering.number), draw), fate, outcome, comes_back)
    print(f"{len(entering.number):,} pull requests in {days} days")
    print(f"{'policy':30} {'plain':>8} {'runs':>10} {'merged':>10}")
    for name, policy in POLICIES.items():
        plain, runs, merged = measured(entering, policy, oracle)
        print(f"{name:30} {plain:7.2f}s {runs:10,} {merged:10,}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory: {memory:.0f} MiB")


if __name__ == "__main__":
    main()
