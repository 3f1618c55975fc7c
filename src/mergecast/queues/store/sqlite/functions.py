"""What statements need and SQLite lacks: lists as parameters, booleans and lists in answers, functions."""

import json
import sqlite3
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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


def figures(values: str) -> str:
    """The sum, the 95th percentile and the largest of some values, as JSON.

    >>> figures("[3,1]")
    '[4,2.9,3]'
    """
    found = sorted(json.loads(values))
    return f"[{sum(found)},{_percentile(found, 0.95)},{found[-1]}]"


def percentile(values: str, share: float) -> float | None:
    """A percentile as PostgreSQL computes `percentile_cont`.

    >>> percentile("[3,1]", 0.5)
    2.0
    """
    found = sorted(json.loads(values))
    return _percentile(found, share) if found else None


def percentiles(values: str | None, *shares: float) -> str | None:
    """Several of them, as JSON; None if there are no values."""
    found = sorted(json.loads(values)) if values else None
    return f"[{','.join([repr(_percentile(found, share)) for share in shares])}]" if found else None


def swept(groups: str, starts: str, ends: str, *period: int) -> str:
    """A sweep over the spans of groups within a period: what each interval of each group has, as JSON.

    That is the group, the number of the interval, the sum of the level by time, which is text if it does not
    fit, how much of the interval lies in the period, and the highest and the lowest level: the number of
    spans that cover an instant. A period has a start, an end, and the width and the shift of its intervals.

    >>> swept("[7,7]", "[0,5]", "[10,8]", 0, 20, 10, 0)
    '[[7, 0, 13, 10, 2, 1], [7, 1, 0, 10, 0, 0]]'
    """
    by_group: defaultdict[int, list[int]] = defaultdict(list)
    for group, start, end in zip(json.loads(groups), json.loads(starts), json.loads(ends), strict=True):
        by_group[group] += (start, end)
    return _swept(by_group, *period)


def swept_runs(groups: str, runs: str, starts: str, ends: str, places: str, *period: int) -> str:
    """The same for CI runs, each of which counts once in the place of its groups.

    >>> swept_runs("[7,8,9]", "[1,1,2]", "[0,0,5]", "[9,9,6]", '{"7":7,"8":7}', 0, 10, 10, 0)
    '[[7, 0, 9, 10, 1, 0]]'
    """
    place_of = {int(group): place for group, place in json.loads(places).items()}.get
    spans = zip(json.loads(starts), json.loads(ends), strict=True)
    counted = dict(
        zip(zip(map(place_of, json.loads(groups)), json.loads(runs), strict=True), spans, strict=True)
    )
    by_place: defaultdict[int | None, list[int]] = defaultdict(list)
    for (place, _), span in counted.items():
        by_place[place] += span
    return _swept({place: listed for place, listed in by_place.items() if place is not None}, *period)


def _swept(spans: Mapping[int, Sequence[int]], start: int, end: int, width: int, shift: int) -> str:
    first, last = _interval(start + shift, width), _interval(end - 1 + shift, width)
    cuts = [start, *(number * width - shift for number in range(first + 1, last + 1)), end]
    return json.dumps(
        [
            (group, number, *step)
            for group, listed in sorted(spans.items())
            for number, step in enumerate(_steps(listed, cuts), start=first)
        ]
    )


def _steps(spans: Sequence[int], cuts: Sequence[int]) -> Iterator[tuple[int | str, int, int, int]]:
    """What happens between two cuts each; the starts of spans are followed by their ends."""
    changes = dict.fromkeys(cuts, 0)
    change_at = changes.get
    for start in islice(spans, 0, None, 2):
        changes[start] = change_at(start, 0) + 1
    for end in islice(spans, 1, None, 2):
        changes[end] = change_at(end, 0) - 1
    instants = sorted(changes)
    levels = list(accumulate(map(changes.__getitem__, instants)))
    lengths = list(map(sub, islice(instants, 1, None), instants))
    place = 0
    for since, until in pairwise(cuts):
        next_place = bisect_left(instants, until, place)
        part = levels[place:next_place]
        by_time = sum(map(mul, part, lengths[place:next_place]))
        yield _fitting(by_time), until - since, max(part), min(part)
        place = next_place


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
    ("figures", 1, figures),
    ("percentile", 2, percentile),
    ("percentiles", -1, percentiles),
    ("swept", 7, swept),
    ("swept_runs", 9, swept_runs),
    ("unhexed", 1, bytes.fromhex),
)
sqlite3.register_converter("boolean", {b"0": False, b"1": True}.__getitem__)
sqlite3.register_converter("list", _converted_list)
sqlite3.register_converter("sorted", _converted_sorted)
