"""Are forecasts right? Plays worlds under one configuration, forecasts another, and compares with the truth.

    PYTHONPATH=tests .venv/bin/python benchmarks/counterfactual.py [FAMILY] [PAIRS] [REPLICATES]

FAMILY is `final` (the default), `tuning` or `frozen`, see tests/worlds/families.py. Prints for each pair the
true figures, the error of the forecast and half the width of its 90 % interval, marked `!` where the error
is beyond the limit and `x` where the interval misses the truth; then the shares, as in docs/forecast.md.
"""

import sys
import time

from worlds.counterfactual import LIMITS, Held, held
from worlds.families import pairs


def main(family: str = "final", count: str = "36", replicates: str = "20") -> None:
    found: list[Held] = []
    print(f"{'':42}" + "".join(f"{name:>28}" for name in LIMITS))
    for pair in pairs(family, int(count)):
        started = time.perf_counter()
        of_pair = list(held(pair, int(replicates)))
        found += of_pair
        took = time.perf_counter() - started
        print(f"{pair.name:42}" + "".join(_cell(one) for one in of_pair) + f"  {took:5.1f} s", flush=True)
    for name, limit in LIMITS.items():
        of_figure = [one for one in found if one.figure == name]
        error = sum(abs(one.error) for one in of_figure) / len(of_figure)
        print(
            f"{name}: within {limit:.0%} in {sum(one.is_within for one in of_figure)} of {len(of_figure)}, "
            f"covered in {sum(one.is_covered for one in of_figure)}, mean absolute error {error:.1%}"
        )


def _cell(one: Held) -> str:
    width = (one.forecast.high - one.forecast.low) / one.forecast.value / 2
    marks = (" " if one.is_within else "!") + (" " if one.is_covered else "x")
    return f"{one.truth:12.2f}{one.error:+8.1%}{marks}±{width:4.0%} "


if __name__ == "__main__":
    main(*sys.argv[1:])
