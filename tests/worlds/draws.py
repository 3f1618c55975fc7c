"""Chance as a pure function of a seed, a purpose and a key, so that the order of asking does not matter."""

from functools import lru_cache
from math import cos, log, pi, sqrt

_WORD = (1 << 64) - 1


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    return word ^ (word >> 31)


@lru_cache(maxsize=1024)
def _stream(seed: int, purpose: int) -> int:
    """Where the draws of a purpose start; a third of the work, and the same for all of them."""
    return _mix((seed * 0x9E3779B97F4A7C15 + purpose) & _WORD)


def chance(seed: int, purpose: int, first: int, second: int = 0) -> float:
    """A number between 0 and 1."""
    word = (_stream(seed, purpose) ^ first) + 0x9E3779B97F4A7C15 & _WORD
    # `_mix` twice: calls would take a third of the time.
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    word = (word ^ (word >> 31) ^ second) + 0x9E3779B97F4A7C15 & _WORD
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
    word ^= word >> 31
    return ((word >> 11) + 0.5) / (1 << 53)


def bell(seed: int, purpose: int, first: int, second: int = 0) -> float:
    """A number from the standard normal distribution."""
    radius = chance(seed, 2 * purpose + 1_000_000, first, second)
    angle = chance(seed, 2 * purpose + 1_000_001, first, second)
    return sqrt(-2 * log(radius)) * cos(2 * pi * angle)
