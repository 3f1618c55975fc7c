"""Rows arrive the same by COPY and by the insert that Citus commits in one phase."""

import pytest

from mergecast.queues.store.postgres.connections import first_connection
from mergecast.queues.store.postgres.held import Insert, copy_rows, insert_for, insert_joined
from mergecast.queues.store.postgres.migrate import migrate
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.rows import DictionaryRow, EventRow
from postgres.server import new_database

_TEXTS = ("plain", "\\N", "a\tb\nc\rd\\", "{1,NULL}", "é\U0001f600", "'")
_ROWS = [
    EventRow(1, place, place, -place, 1, None, place, None, None, text, "queue_left", place, text, text, None,
             None, 1, None, text, None, 0, None, None, True, None, text)
    for place, text in enumerate(_TEXTS)
]  # fmt: skip


@pytest.mark.server
@pytest.mark.parametrize("insert", [copy_rows, insert_joined])
def test_rows_are_read_back_as_they_were_written(database_server: str, insert: Insert) -> None:
    """Whatever their texts contain, and with values missing."""
    with first_connection(new_database(database_server)) as connection:
        migrate(connection, Opening())
        connection.execute("insert into repository_state values (1, 0, 0, null, null, null, 0, 0, 0, 0, 0)")
        insert(connection, _ROWS)
        columns = ", ".join(EventRow._fields)
        stored = connection.execute(f"select {columns} from events order by number").fetchall()

        assert _ROWS == [EventRow(*row) for row in stored]
        assert copy_rows is insert_for(connection)


@pytest.mark.server
@pytest.mark.parametrize("insert", [copy_rows, insert_joined])
def test_bytes_are_read_back_as_they_were_written(database_server: str, insert: Insert) -> None:
    """Compressed bodies hold any byte."""
    rows = [
        DictionaryRow(1, str(place), place, body)
        for place, body in enumerate((b"", b"\x00\\\n\t", bytes(range(256))))
    ]
    with first_connection(new_database(database_server)) as connection:
        migrate(connection, Opening())
        connection.execute("insert into repository_state values (1, 0, 0, null, null, null, 0, 0, 0, 0, 0)")
        insert(connection, rows)
        stored = connection.execute("select repository_id, id, made_at, body from dictionaries order by id")

        assert rows == [DictionaryRow(*row) for row in stored.fetchall()]
