"""Do the figures of CI checks say what is true? Worlds with a known flaky check, a slow one and a shortage.

    PYTHONPATH=tests .venv/bin/python benchmarks/ci_check_truth.py [WORLDS] [DAYS]

Each world is played in queues of several kinds, and stored with the reports of its CI checks. The answer is
compared with the truth: which check is first, the flake rate (goal: within 20 percent), the share of waiting
(within 5 points), and `blocked_seconds` of the flaky check (within 10 percent) with the time that pull
requests lost in runs that were stopped or repeated, minus the same time in a replay without flakes. The last
figure is how much longer other pull requests were in the queue because of flakes.
"""

import sys
from collections import defaultdict
from collections.abc import Callable
from statistics import mean

from worlds.ci_check_truth import GOALS, compare
from worlds.ci_checks import CheckedWorld, checked_world, train

_QUEUES: dict[str, Callable[[int, int], CheckedWorld]] = {
    "one at a time, retried": lambda seed, days: checked_world(seed, train(parallel=1), days=days),
    "5 in parallel, retried": lambda seed, days: checked_world(seed, train(), days=days),
    "5 in parallel": lambda seed, days: checked_world(seed, train(retries=0), days=days),
    "busy, 8 in parallel": lambda seed, days: checked_world(
        seed, train(parallel=8, retries=0), days=days, pulls_per_day=150, flakes=0.08
    ),
    "busy, batches of 4": lambda seed, days: checked_world(
        seed, train(batch=4, retries=0), days=days, pulls_per_day=250
    ),
    "busy, batches of 4, retried": lambda seed, days: checked_world(
        seed, train(batch=4), days=days, pulls_per_day=250
    ),
}


def main(worlds: str = "3", days: str = "28") -> None:
    for name, queue in _QUEUES.items():
        errors: defaultdict[str, list[float]] = defaultdict(list)
        for seed in range(1, int(worlds) + 1):
            found = compare(queue(seed, int(days)))
            print(f"{name}, world {seed}: {found.text()}")
            for goal, error in found.errors().items():
                errors[goal].append(error)
        for goal, limit in GOALS.items():
            held = sum(abs(error) <= limit for error in errors[goal])
            print(f"  {goal}: mean error {mean(errors[goal]):+.3f}, {held} of {worlds} within {limit}")


if __name__ == "__main__":
    main(*sys.argv[1:])
