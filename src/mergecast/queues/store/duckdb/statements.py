"""Runs statements that are parsed once: parsing takes a fifth of the time of a statement on few rows.

A list with one value becomes a single parameter. DuckDB plans `in (select unnest($2::bigint[]))` as a join,
which takes as long as the rest of a statement on few rows, and `in ($2)` as a filter. Two or more values
stay a list: for `in ($2, $3)`, DuckDB reads all columns of all rows before it compares them.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import duckdb

# Some statements name a bucket, and there are hundreds of buckets.
_MOST = 1_000
_parsed: dict[str, duckdb.Statement] = {}
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
        text, parameters = with_single_values(text, parameters)
    return connection.execute(parsed(connection, text), parameters)


def with_single_values(text: str, parameters: Sequence[object]) -> tuple[str, list[object]]:
    """The statement and its parameters, with the value itself in place of a list that has only one."""
    lists = _lists(text)
    singles: list[int] = []
    values: list[object] = []
    for number, parameter in enumerate(parameters, start=1):
        if number in lists and isinstance(parameter, (list, tuple)) and len(parameter) == 1:
            singles.append(number)
            values.append(parameter[0])
        else:
            values.append(parameter)
    return _text(text, tuple(singles)), values


@lru_cache(maxsize=_MOST)
def _lists(text: str) -> frozenset[int]:
    """The parameters that the statement uses only as such lists."""
    code = _COMMENT.sub("", text)
    others = {int(number) for _, number in _PARAMETER.findall(code) if number}
    return frozenset(int(number) for number in _LIST.findall(code)) - others


@lru_cache(maxsize=_MOST)
def _text(text: str, singles: tuple[int, ...]) -> str:
    """The text for single values in place of these lists."""
    return _LIST.sub(lambda match: f"in (${match[1]})" if int(match[1]) in singles else match[0], text)
