"""Columns of 64-bit numbers that grow."""

from array import array
from typing import TypeAlias

Column: TypeAlias = "array[int]"
