"""Rows of one table of a repository: all of them, or those with certain values in a column.

Their statements are made from the row types, which list the columns; other statements are in `sql`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import TABLES, Row

R = TypeVar("R", bound=Row)
# Reads rows by a statement and its parameters after the repository, as `HeldRepository.rows` does.
ReadRows = Callable[..., list[tuple[Any, ...]]]


def stored_rows(read: ReadRows, row_type: type[R], **chosen: Collection[object]) -> list[R]:
    """The rows of a table, or those with one of the given values in a column, in any order."""
    if not all(chosen.values()):
        return []
    rows = read(_name("select", row_type, chosen), *map(list, chosen.values()))
    return [row_type(*row) for row in rows]


def read_rows(reader: Reader, repository_id: int, row_type: type[R], **chosen: Collection[object]) -> list[R]:
    """The same for a repository that is not held."""
    return stored_rows(of_repository(reader, repository_id), row_type, **chosen)


def of_repository(reader: Reader, repository_id: int) -> ReadRows:
    """Reads rows of one repository, as `HeldRepository.rows` does."""
    return lambda statement, *parameters: reader.rows(statement, [repository_id, *parameters])


def delete_rows(held: HeldRepository, row_type: type[Row], **chosen: Collection[object]) -> int:
    """Delete the same rows; returns how many there were."""
    if not all(chosen.values()):
        return 0
    return held.change_rows(_name("delete", row_type, chosen), *map(list, chosen.values()))


def _name(verb: str, row_type: type[Any], chosen: Mapping[str, object]) -> str:
    """The name of a statement, such as `select threads number`; `sql_files.py` makes its text."""
    return " ".join([verb, TABLES[row_type], *chosen])
