"""Tables of runs with known truth."""

from collections.abc import Sequence

import numpy as np

from mergecast.forecasting.estimate.run_table import Ending, RunTable


def made_up_table(
    trees: Sequence[Sequence[int]],
    endings: Sequence[int],
    attempts: Sequence[int] | None = None,
    lengths: Sequence[float] | None = None,
    sizes: Sequence[int] | None = None,
) -> RunTable:
    """One run every ten minutes; the first member of a tree is its batch unless sizes say otherwise."""
    count = len(trees)
    return RunTable(
        starts=np.arange(count, dtype=np.float64) * 600.0,
        lengths=np.full(count, 600.0) if lengths is None else np.array(lengths),
        endings=np.array(endings, dtype=np.int64),
        attempts=np.ones(count, dtype=np.int64) if attempts is None else np.array(attempts),
        sizes=np.ones(count, dtype=np.int64) if sizes is None else np.array(sizes),
        in_flight=np.ones(count, dtype=np.int64),
        rules=np.zeros(count, dtype=np.int64),
        trees=tuple(tuple(tree) for tree in trees),
    )


def singles_with_retries(count: int, broken: float, flake: float, again: float) -> RunTable:
    """Pull requests tested one by one, each failure retried once."""
    chance = np.random.default_rng(7)
    trees, endings, attempts = [], [], []
    for stay in range(count):
        is_broken = chance.random() < broken
        fails = is_broken or chance.random() < flake
        trees.append([stay])
        endings.append(Ending.FAILED if fails else Ending.PASSED)
        attempts.append(1)
        if fails:
            fails_again = is_broken or chance.random() < again
            trees.append([stay])
            endings.append(Ending.FAILED if fails_again else Ending.PASSED)
            attempts.append(2)
    return made_up_table(trees, endings, attempts)
