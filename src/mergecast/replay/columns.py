"""Columns of 64-bit numbers, and tables of them."""

from array import array
from typing import TypeAlias

Column: TypeAlias = "array[int]"
Table: TypeAlias = "list[Column]"


def column(rows: int) -> Column:
    """So many zeros."""
    return array("q", bytes(8 * rows))


def table(columns: int, rows: int) -> Table:
    return [column(rows) for _ in range(columns)]
