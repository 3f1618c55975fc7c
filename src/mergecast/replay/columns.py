"""Columns of 64-bit numbers, and rows that are written at once."""

from array import array
from collections.abc import MutableSequence
from typing import TypeAlias

Column: TypeAlias = "array[int]"


def write(table: MutableSequence[int], at: int, row: tuple[int, ...]) -> None:
    """Write a row over whatever stands there."""
    table[at : at + len(row)] = row
