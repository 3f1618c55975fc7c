"""Compare two answers, down to the last digit unless a tolerance is given for floats."""

from math import isclose
from typing import Any


def differences(expected: Any, actual: Any, path: str = "", *, tolerance: float = 0.0) -> list[str]:
    """One line per difference; empty if the answers are equal. The tolerance is relative."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        if expected.keys() != actual.keys():
            return [f"{path}: expected the keys {sorted(expected)}, found {sorted(actual)}"]
        return [
            line
            for key in expected
            for line in differences(expected[key], actual[key], f"{path}/{key}", tolerance=tolerance)
        ]
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return [f"{path}: expected {len(expected)} items, found {len(actual)}: {expected} / {actual}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [
            line
            for place, (a, b) in pairs
            for line in differences(a, b, f"{path}/{place}", tolerance=tolerance)
        ]
    if isinstance(expected, float) and type(actual) in (int, float):
        same = isclose(expected, actual, rel_tol=tolerance)
    else:
        same = type(expected) is type(actual) and expected == actual
    return [] if same else [f"{path}: expected {expected!r}, found {actual!r}"]
