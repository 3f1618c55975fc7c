"""Runs statements that are parsed once: parsing takes a fifth of the time of a statement on few rows.

The values of a short list become single parameters. DuckDB plans `in (select unnest($2::bigint[]))` as a
join, which takes as long as the rest of a statement on few rows. For `in ($2, $3)` it plans a filter, but
it compares each row with each value.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import duckdb

# Some statements name a bucket, and there are hundreds of buckets.
_MOST = 1_000
_parsed: dict[str, duckdb.Statement] = {}
# Lists are filled up to one of these lengths, so that there are few texts to parse.
_LENGTHS = (1, 2, 4, 8)
_COMMENT = re.compile(r"--.*")
_LIST = re.compile(r"\bin \(select unnest\(\$(\d+)::\w+\[\]\)\)")
_PARAMETER = re.compile(rf"{_LIST.pattern}|\$(\d+)")


def parsed(connection: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    """The statement with this text. It belongs to no connection."""
    found = _parsed.get(text)
    if found is None:
        (found,) = connection.extract_statements(text)
        if len(_parsed) >= _MOST:
            _parsed.clear()
        _parsed[text] = found
    return found


def execute(
    connection: duckdb.DuckDBPyConnection, text: str, parameters: Sequence[object] = ()
) -> duckdb.DuckDBPyConnection:
    if "in (select unnest($" in text:
        text, parameters = spread_lists(text, parameters)
    return connection.execute(parsed(connection, text), parameters)


def spread_lists(text: str, parameters: Sequence[object]) -> tuple[str, list[object]]:
    """The statement with one parameter for each value of a short list, and these parameters."""
    lists = _lists(text)
    lengths: list[int | None] = []
    values: list[object] = []
    for number, parameter in enumerate(parameters, start=1):
        if number in lists and isinstance(parameter, (list, tuple)) and 0 < len(parameter) <= _LENGTHS[-1]:
            length = next(length for length in _LENGTHS if length >= len(parameter))
            lengths.append(length)
            values += [*parameter, *[parameter[-1]] * (length - len(parameter))]
        else:
            lengths.append(None)
            values.append(parameter)
    return _spread_text(text, tuple(lengths)), values


@lru_cache(maxsize=_MOST)
def _lists(text: str) -> frozenset[int]:
    """The parameters that the statement uses only as such lists."""
    code = _COMMENT.sub("", text)
    others = {int(number) for _, number in _PARAMETER.findall(code) if number}
    return frozenset(int(number) for number in _LIST.findall(code)) - others


@lru_cache(maxsize=_MOST)
def _spread_text(text: str, lengths: tuple[int | None, ...]) -> str:
    """The text for lists of these lengths; None stands for a parameter that stays as it is."""
    firsts = [1 + sum(length or 1 for length in lengths[:place]) for place in range(len(lengths))]

    def renumbered(match: re.Match[str]) -> str:
        place = int(match[1] or match[2]) - 1
        first, length = firsts[place], lengths[place]
        if length is None:
            return match[0].replace(f"${place + 1}", f"${first}")
        return f"in ({', '.join(f'${number}' for number in range(first, first + length))})"

    return _PARAMETER.sub(renumbered, _COMMENT.sub("", text))
