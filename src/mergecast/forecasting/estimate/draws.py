"""Random numbers that are pure functions of a seed, a purpose and a key.

Every candidate asks for the same numbers by the same keys, so that a difference between two of them comes
from the settings and not from luck.
"""

from array import array
from enum import IntEnum
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np

SIZE: Final = 1 << 16
MASK: Final = SIZE - 1
# Odd strides, so that the numbers of one key are far apart in the table.
STRIDE: Final = 40_503
_PURPOSE_STRIDE: Final = 11_027


class Purpose(IntEnum):
    """What a number is drawn for; each is an offset into the table."""

    LENGTH = 1 * _PURPOSE_STRIDE
    VERDICT = 2 * _PURPOSE_STRIDE
    CANCEL = 3 * _PURPOSE_STRIDE
    BROKEN = 4 * _PURPOSE_STRIDE
    DEPARTURE = 5 * _PURPOSE_STRIDE
    RETURN = 7 * _PURPOSE_STRIDE


def generator(seed: int, *keys: int) -> np.random.Generator:
    """A separate stream for each combination of keys."""
    return np.random.Generator(np.random.Philox(_seeds(seed % (1 << 63), *keys)))


@lru_cache(maxsize=4096)
def _seeds(*keys: int) -> np.random.SeedSequence:
    """Mixing the keys takes twice as long as everything else about a stream, and many are asked for again."""
    return np.random.SeedSequence(keys)


def table(seed: int, replicate: int) -> "array[float]":
    """The numbers of one replicate, at `(key + turn * STRIDE + purpose) & MASK`.

    Few of them are read, so that a list of objects would take longer to make than it saves.
    """
    return array("d", generator(seed, replicate, 1).random(SIZE).tobytes())


def key(session_id: str) -> int:
    return crc32(session_id.encode()) & MASK
