"""Are recommendations right? Compares them with all settings that were tried, played in the same world.

    PYTHONPATH=tests .venv/bin/python benchmarks/recommendation.py [--worlds N] [--first N] [FAMILY …]

Prints for each world what is recommended for no more CI, its true difference of p95 from today's settings,
the best that there was, the regret, and the true difference of what is worth a trial.
"""

import argparse
from statistics import mean

from mergecast.forecasting.forecast.replicates import SEARCH_REPLICATES
from worlds.advised import Advised, advised
from worlds.families import FAMILIES

_USUAL = ("tuning", "slowest", "capped-sum", "per-member", "any-size", "final")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare recommendations with the truth of made-up worlds.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--worlds", type=int, default=12, help="how many (default 12)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first world (default 0)")
    asked = parser.parse_args()
    families = asked.families or _USUAL
    found = []
    for number in range(asked.first, asked.first + asked.worlds):
        found.append(advised(families[number % len(families)], number, SEARCH_REPLICATES))
        print(_row(found[-1]), flush=True)
    chosen = [one for one in found if one.recommended is not None]
    trials = [one.trial for one in found if one.trial is not None]
    slower = sum(one.gain >= 0 for one in chosen)
    print(f"recommended in {len(chosen)} of {len(found)} worlds, slower in {slower}")
    print(f"worth a trial in {len(trials)}, slower in {sum(gain >= 0 for gain in trials)}")
    print(f"mean regret {mean(one.regret for one in found):.1%}")


def _row(one: Advised) -> str:
    chosen = (
        "nothing" if one.recommended is None else f"{one.recommended} {one.gain:+.1%}, CI {one.more_ci:+.1%}"
    )
    trial = "" if one.trial is None else f"; worth a trial {one.trial:+.1%}"
    return f"{one.name:44} {chosen}; best {one.best} {one.best_gain:+.1%}; regret {one.regret:.1%}{trial}"


if __name__ == "__main__":
    main()
