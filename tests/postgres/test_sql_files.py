"""Every SQL file, and every statement about one table, gives the same rows on SQLite and on PostgreSQL."""

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from importlib.resources import files
from typing import Any

import psycopg
import pytest

from mergecast.queues.store.postgres.connections import statement_text
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.sqlite.connections import execute
from postgres.parameters import FILES
from postgres.stores import Row, Stores
from property.compare import differences

_CHANGES = ("add_", "change_", "delete", "drop_", "mark_", "move_", "note_", "set_")
_CHANGING = sorted(name for name in FILES if name.startswith(_CHANGES))
_READING = sorted(set(FILES) - set(_CHANGING))


def _plain(value: Any) -> Any:
    """Convert PostgreSQL's numerics to the types that SQLite returns."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _rows(rows: Iterable[Row]) -> list[Any]:
    return [[_plain(value) for value in row] for row in rows]


def _in_sqlite(stores: Stores, name: str, parameters: Sequence[Any]) -> list[Any]:
    return _rows(stores.rows(sql(name, "sqlite"), *parameters))


def _in_postgres(stores: Stores, name: str, parameters: Sequence[Any]) -> list[Any]:
    return _rows(stores.postgres.execute(statement_text(name), parameters).fetchall())


def _differences(name: str, expected: list[Any], actual: list[Any]) -> list[str]:
    """Compare row by row if the file orders its rows, otherwise as a multiset."""
    if "\norder by " in sql(name, "sqlite"):
        return differences(expected, actual, name, tolerance=1e-9)
    missing, surplus = Counter(map(repr, expected)), Counter(map(repr, actual))
    return [f"{name}: {row}" for row in (missing - surplus) + (surplus - missing)]


def test_every_file_is_tested() -> None:
    """A SQL file without parameters here would never run on PostgreSQL."""
    folder = files("mergecast.queues.store") / "sql"

    folders = (folder, folder / "sqlite", folder / "postgres")
    found = {entry.name for one in folders for entry in one.iterdir() if entry.is_file()}

    assert {f"{name}.sql" for name in FILES if " " not in name} == found


@pytest.mark.parametrize("name", _READING)
def test_a_file_gives_the_same_rows_on_both(stores: Stores, name: str) -> None:
    """This holds for every window, filter and repository; at least one result has rows."""
    expected, found = [], []

    try:
        for parameters in FILES[name](stores):
            expected.append(_in_sqlite(stores, name, parameters))
            found.append(_in_postgres(stores, name, parameters))
    except psycopg.Error as error:
        pytest.fail(f"{name}.sql does not run on PostgreSQL: {error}")
    finally:
        stores.postgres.rollback()

    assert any(expected)
    assert [] == [line for a, b in zip(expected, found, strict=True) for line in _differences(name, a, b)]


@pytest.mark.parametrize("name", _CHANGING)
def test_as_many_rows_are_changed_on_both(stores: Stores, name: str) -> None:
    """The changes run in transactions that are rolled back."""
    expected, found = [], []

    for parameters in FILES[name](stores):
        stores.sqlite.execute("begin")
        expected.append(execute(stores.sqlite, sql(name, "sqlite"), parameters).rowcount)
        stores.sqlite.execute("rollback")
        found.append(stores.postgres.execute(statement_text(name), parameters).rowcount)
        stores.postgres.rollback()

    assert expected == found
    assert any(expected)
