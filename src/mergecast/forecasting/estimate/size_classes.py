"""Batch sizes with enough runs to show how long CI takes for them, in classes."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_ENOUGH: Final = 15


@dataclass(frozen=True)
class SizeClass:
    """Sizes from `smallest` to `largest`; `mean` is that of the recorded runs."""

    smallest: int
    largest: int
    mean: float


def size_classes(sizes: NDArray[np.int64]) -> tuple[SizeClass, ...]:
    """Neighbouring sizes that together have enough runs; one class at least."""
    counts = np.bincount(sizes) if len(sizes) else np.array([0, 1])
    found: list[list[int]] = []
    for size in np.flatnonzero(counts).tolist():
        if found and counts[found[-1]].sum() < _ENOUGH:
            found[-1].append(size)
        else:
            found.append([size])
    if len(found) > 1 and counts[found[-1]].sum() < _ENOUGH:
        few = found.pop()
        found[-1] += few
    return tuple(
        SizeClass(group[0], group[-1], float(np.average(group, weights=counts[group]))) for group in found
    )
