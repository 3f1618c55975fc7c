"""Parts of statements that each store writes in its own form, such as a list of values.

What follows the name of a fragment is what it is about: `{among $2 bigint}` compares with the values of a
list, `{among page.stay}` with those of a column, and `{sorted seconds where is_known}` lists some values of
a group.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

Form = Callable[[str], str]


class _List(NamedTuple):
    """A parameter with the values of a column."""

    parameter: str
    type: str
    column: str


class _Values(NamedTuple):
    """Values of a group, and a filter of them or an empty text."""

    value: str
    filter: str


def _lists(about: str) -> list[_List]:
    return [_List(*part.split()) for part in about.split(",")]


def _values(about: str) -> _Values:
    value, _, condition = about.partition(" where ")
    return _Values(value.strip(), f" filter (where {condition})" if condition else "")


def _shares(about: str) -> tuple[str, _Values]:
    """Of `0.5 0.9 of duration`: the shares, separated by commas, and the values."""
    shares, _, values = about.partition(" of ")
    return ", ".join(shares.split()), _values(values)


def _among_in_postgres(about: str) -> str:
    if not about.startswith("$"):
        return f"= any(array(select {about} from {_table(about)}))"  # noqa: S608 - constants
    parameter, type = about.split()
    return f"= any(cast({parameter} as {type}[]))"


def _among_in_sqlite(about: str) -> str:
    if not about.startswith("$"):
        return f"in (select {about} from {_table(about)})"  # noqa: S608 - constants
    parameter, type = about.split()
    return f"in (select {_element('value', type)} from json_each({parameter}))"  # noqa: S608 - constants


def _table(column: str) -> str:
    return column.partition(".")[0]


def _list_in_postgres(about: str) -> str:
    parameter, type = about.split()
    return f"cast({parameter} as {type}[])"


def _given_in_postgres(about: str) -> str:
    lists = _lists(about)
    arrays = ", ".join(f"cast({one.parameter} as {one.type}[])" for one in lists)
    columns = ", ".join(one.column for one in lists)
    return f"(select * from unnest({arrays}) as lists({columns}))"  # noqa: S608 - constants


def _given_in_sqlite(about: str) -> str:
    """By grouping, because a join might search for each value. Columns without a type cannot be looked up."""
    lists = list(enumerate(_lists(about)))
    columns = ", ".join(
        f"{_column(f'max(case when list = {place} then value end)', one.type)} as {one.column}"
        for place, one in lists
    )
    elements = " union all ".join(
        f"select key, {place} as list, value from json_each({one.parameter})"  # noqa: S608 - constants
        for place, one in lists
    )
    return f"(select {columns} from ({elements}) group by key)"  # noqa: S608 - constants


def _column(value: str, type: str) -> str:
    return _element(value, type) if type == "bytea" else f"cast({value} as {type})"


def _element(value: str, type: str) -> str:
    """An element of a JSON list, which has no bytes."""
    return f"unhexed({value})" if type == "bytea" else value


def _sorted_in_postgres(about: str) -> str:
    value, filter = _values(about)
    return f"array_agg({value} order by {value}){filter}"


def _sorted_in_sqlite(about: str) -> str:
    value, filter = _values(about)
    return f"json_group_array({value}){filter}"


def _percentile_in_postgres(about: str) -> str:
    share, (value, filter) = _shares(about)
    return f"percentile_cont({share}) within group (order by {value}){filter}"


def _percentiles_in_postgres(about: str) -> str:
    shares, (value, filter) = _shares(about)
    return f"percentile_cont(array[{shares}]) within group (order by {value}){filter}"


def _percentiles_in_sqlite(name: str, about: str) -> str:
    shares, (value, filter) = _shares(about)
    return f"{name}(json_group_array({value}){filter}, {shares})"


def _sum_in_sqlite(about: str) -> str:
    """Of the halves: a sum of large numbers that overflows would be an error."""
    return f"whole(sum(({about}) >> 32), sum(({about}) & 4294967295))"


IN_POSTGRES: Mapping[str, Form] = {
    "among": _among_in_postgres,
    "list": _list_in_postgres,
    "given": _given_in_postgres,
    "bytewise": lambda _: 'collate "C"',
    "bytes": "octet_length({})".format,
    "sum": "sum({})".format,
    "sorted": _sorted_in_postgres,
    "percentile": _percentile_in_postgres,
    "percentiles": _percentiles_in_postgres,
}
IN_SQLITE: Mapping[str, Form] = {
    "among": _among_in_sqlite,
    "list": lambda about: about.split()[0],
    "given": _given_in_sqlite,
    "bytewise": lambda _: "collate binary",
    "bytes": "length(cast({} as blob))".format,
    "sum": _sum_in_sqlite,
    "sorted": _sorted_in_sqlite,
    "percentile": lambda about: _percentiles_in_sqlite("percentile", about),
    "percentiles": lambda about: _percentiles_in_sqlite("percentiles", about),
}
