"""Are forecasts right? Plays worlds under one configuration, forecasts another, and compares with the truth.

    PYTHONPATH=tests .venv/bin/python benchmarks/counterfactual.py [OPTION …] [FAMILY …]

The options are `--pairs N`, `--replicates N` and `--each`; without a FAMILY all of them are tried, see
tests/worlds/families.py. Prints for each family how many figures are within 10, 20 and 5 %, how many of the
90 % intervals cover the truth, and the mean absolute errors. With `--each` it prints every pair too: the true
figures, the error of the forecast and half the width of its interval, marked `!` where the error is beyond
the limit and `x` where the interval misses the truth.
"""

import argparse
import time

from worlds.counterfactual import LIMITS, Held, held
from worlds.families import FAMILIES, pairs


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare forecasts with the truth of made-up worlds.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--pairs", type=int, default=18, help="of each family (default 18)")
    parser.add_argument("--replicates", type=int, default=20, help="of each forecast (default 20)")
    parser.add_argument("--each", action="store_true", help="print every pair")
    asked = parser.parse_args()
    if unknown := sorted(set(asked.families) - set(FAMILIES)):
        parser.error(f"there is no family {', '.join(unknown)}; there are {', '.join(FAMILIES)}")
    names = list(LIMITS)
    columns = [*(f"{name} within" for name in names), *(f"{name} covered" for name in names), "mean errors"]
    print("| family | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|", flush=True)
    found: list[Held] = []
    for family in asked.families or FAMILIES:
        of_family = []
        for pair in pairs(family, asked.pairs):
            started = time.process_time()
            of_pair = list(held(pair, asked.replicates))
            of_family += of_pair
            if asked.each:
                took = time.process_time() - started
                print(f"{pair.name:42}" + "".join(map(_cell, of_pair)) + f"  {took:5.1f} s", flush=True)
        print(_row(family, of_family), flush=True)
        found += of_family
    print(_row("all", found))


def _row(family: str, found: list[Held]) -> str:
    by_figure = [[one for one in found if one.figure == name] for name in LIMITS]
    errors = [sum(abs(one.error) for one in figures) / len(figures) for figures in by_figure]
    cells = [
        *(_share([one.is_within for one in figures]) for figures in by_figure),
        *(_share([one.is_covered for one in figures]) for figures in by_figure),
        ", ".join(f"{error:.1%}" for error in errors),
    ]
    return f"| {family} | " + " | ".join(cells) + " |"


def _share(hits: list[bool]) -> str:
    return f"{sum(hits)} of {len(hits)}"


def _cell(one: Held) -> str:
    width = (one.forecast.high - one.forecast.low) / one.forecast.value / 2
    marks = (" " if one.is_within else "!") + (" " if one.is_covered else "x")
    return f"{one.truth:12.2f}{one.error:+8.1%}{marks}±{width:4.0%} "


if __name__ == "__main__":
    main()
