"""A list with one value becomes a single parameter, and finds the same rows."""

import duckdb
import pytest

from mergecast.queues.store.duckdb.statements import execute, with_single_values

_TEXT = """-- $1 first, $2 a list, $3 last
select n from range(20) as numbers(n)
where n >= $1 and n in (select unnest($2::bigint[])) and n < $3"""


@pytest.mark.parametrize(
    ("given", "condition", "values"),
    [
        ([5], "n in ($2) and n < $3", [5]),
        ([5, 1], "n in (select unnest($2::bigint[])) and n < $3", [[5, 1]]),
        ([], "n in (select unnest($2::bigint[])) and n < $3", [[]]),
    ],
    ids=["one value", "two", "none"],
)
def test_a_list_in_a_condition(given: list[int], condition: str, values: list[object]) -> None:
    """The rows are those of the list."""
    text, parameters = with_single_values(_TEXT, [1, given, 7])

    assert condition == text.rpartition("n >= $1 and ")[2]
    assert [1, *values, 7] == parameters
    rows = execute(duckdb.connect(), _TEXT, [1, given, 7]).fetchall()
    assert [(n,) for n in range(20) if 1 <= n < 7 and n in given] == sorted(rows)


def test_a_list_that_is_also_used_otherwise_stays_a_list() -> None:
    """Here it is joined as well."""
    text = (
        "select n from (select unnest($1::bigint[]) as n) as given "
        "where n in (select unnest($1::bigint[])) and n in (select unnest($2::bigint[]))"
    )

    found, parameters = with_single_values(text, [[2], [2]])

    assert text.replace("(select unnest($2::bigint[]))", "($2)") == found
    assert [[2], 2] == parameters
    assert [(2,)] == execute(duckdb.connect(), text, [[2], [2]]).fetchall()
