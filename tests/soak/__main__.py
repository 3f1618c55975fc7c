"""python -m soak [--minutes N] [--seed N]: run a soak and print what it saw."""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from soak.run import QUIET, Pace, soak
from soak.tally import Tally

_MOST_TIMES_ALONE = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/soak", description="Attack a server and check every answer."
    )
    parser.add_argument("--minutes", type=float, default=5, help="how long to run (default: 5)")
    parser.add_argument("--hours", type=float, default=0, help="how long to run, added to the minutes given")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="order and content of all rounds")
    options = parser.parse_args()
    minutes = 60 * options.hours if options.hours else options.minutes
    print(f"seed {options.seed}, {minutes:g} minutes", flush=True)  # noqa: T201
    with TemporaryDirectory(prefix="mergecast-soak-") as folder:
        tally = soak(Path(folder), 60 * minutes, options.seed, Pace())
    slow = _print(tally)
    return 1 if tally.failures or slow else 0


def _print(tally: Tally) -> bool:
    """Print the result; whether an attack slowed the well-behaved client too much."""
    alone = tally.p99(QUIET)
    lines = [
        f"checked answers         {tally.requests}",
        f"kills                   {tally.kills}",
        f"errors survived         {tally.survived}",
        f"slowest checked answer  {tally.slowest * 1000:.1f} ms",
        f"peak memory             {tally.peak_memory >> 20} MiB",
        f"p99 alone               {alone * 1000:.1f} ms",
    ]
    times = {name: tally.p99(name) / alone for name in sorted(tally.seconds) if name != QUIET and alone}
    lines += [f"p99 beside {name:<20} {ratio:.1f} times as long" for name, ratio in times.items()]
    if tally.failures:
        lines.append(f"rounds before the failure: {', '.join(tally.rounds[-6:])}")
    lines += [f"FAILED: {failure}" for failure in tally.failures]
    slow = [name for name, ratio in times.items() if ratio > _MOST_TIMES_ALONE]
    lines += [f"FAILED: {name} slowed the client by more than {_MOST_TIMES_ALONE:g} times" for name in slow]
    print("\n".join(lines))  # noqa: T201
    return bool(slow)


if __name__ == "__main__":
    raise SystemExit(main())
