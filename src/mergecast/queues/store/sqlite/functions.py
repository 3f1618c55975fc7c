"""What statements need and SQLite lacks: lists as parameters, booleans and lists in answers, functions."""

import json
import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, islice, pairwise
from math import ceil, floor
from operator import mul, sub


def bound(parameters: Sequence[object]) -> dict[str, object]:
    """The parameters by the names that statements give them: `$1` is the first. Lists become JSON.

    SQLite numbers parameters by their first appearance in the text, unless they are bound by name.
    """
    return {
        str(place): value if not isinstance(value, (list, tuple)) else _list(value)
        for place, value in enumerate(parameters, start=1)
    }


def _list(values: Sequence[object]) -> str:
    if values and isinstance(values[0], bytes):
        values = [value.hex() if isinstance(value, bytes) else value for value in values]
    return json.dumps(values, ensure_ascii=False)


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the functions of statements."""
    for name, count, function in _FUNCTIONS:
        connection.create_function(name, count, function, deterministic=True)


def whole(high: int | None, low: int | None) -> int | str | None:
    """The sum of numbers whose halves were added up; as text if it does not fit.

    >>> whole(-1, 2**32 - 1), whole(2**31, 0)
    (-1, '9223372036854775808')
    """
    if high is None or low is None:
        return None
    return _fitting((high << 32) + low)


def _fitting(total: int) -> int | str:
    return total if -(2**63) <= total < 2**63 else str(total)


def percentile(values: str, share: float) -> float | None:
    """A percentile as PostgreSQL computes `percentile_cont`.

    >>> percentile("[3,null,1]", 0.5)
    2.0
    """
    found = sorted(value for value in json.loads(values) if value is not None)
    return _percentile(found, share) if found else None


def percentiles(values: str, *shares: float) -> str | None:
    """Several of them, as JSON."""
    found = sorted(value for value in json.loads(values) if value is not None)
    return json.dumps([_percentile(found, share) for share in shares]) if found else None


def swept(  # noqa: PLR0913, PLR0917 - as SQL passes them
    starts: str, ends: str, start: int, end: int, width: int, shift: int
) -> str:
    """A sweep over spans within a period: what each interval of it has, as JSON.

    That is its number, the sum of the level by time, which is text if it does not fit, how much of the
    interval lies in the period, and the highest and the lowest level: the number of spans that cover an
    instant.

    >>> swept("[0,5]", "[10,8]", 0, 20, 10, 0)
    '[[0, 13, 10, 2, 1], [1, 0, 10, 0, 0]]'
    """
    changes = Counter(json.loads(starts))
    changes.subtract(json.loads(ends))
    first, last = _interval(start + shift, width), _interval(end - 1 + shift, width)
    cuts = [start, *(number * width - shift for number in range(first + 1, last + 1)), end]
    for cut in cuts:
        changes.setdefault(cut, 0)
    instants = sorted(changes)
    levels = list(accumulate(map(changes.__getitem__, instants)))
    lengths = list(map(sub, islice(instants, 1, None), instants))
    found, place = [], 0
    for number, (since, until) in enumerate(pairwise(cuts), start=first):
        next_place = bisect_left(instants, until, place)
        part = levels[place:next_place]
        by_time = sum(map(mul, part, lengths[place:next_place]))
        found.append([number, _fitting(by_time), until - since, max(part), min(part)])
        place = next_place
    return json.dumps(found)


def _interval(shifted: int, width: int) -> int:
    """The division of SQL, which rounds towards zero."""
    return shifted // width if shifted >= 0 else -(-shifted // width)


def _percentile(ordered: Sequence[int], share: float) -> float:
    place = share * (len(ordered) - 1)
    below, above = floor(place), ceil(place)
    lower, upper = float(ordered[below]), float(ordered[above])
    return lower + (upper - lower) * (place - below)


def _converted_list(text: bytes) -> list[object]:
    found: list[object] = json.loads(text)
    return found


def _converted_sorted(text: bytes) -> list[int] | None:
    """PostgreSQL's aggregate of no rows is null."""
    return sorted(json.loads(text)) or None


_FUNCTIONS = (
    ("whole", 2, whole),
    ("percentile", 2, percentile),
    ("percentiles", -1, percentiles),
    ("swept", 6, swept),
    ("unhexed", 1, bytes.fromhex),
)
sqlite3.register_converter("boolean", {b"0": False, b"1": True}.__getitem__)
sqlite3.register_converter("list", _converted_list)
sqlite3.register_converter("sorted", _converted_sorted)
