"""Brings the tables up to date; rejects a store that is newer than the program."""

import duckdb

from mergecast.store.duckdb.buckets import Tail, TailLimits, create_buckets
from mergecast.store.errors import StoreTooNew
from mergecast.store.sql_files import migrations


def migrate(connection: duckdb.DuckDBPyConnection) -> None:
    """Apply the missing migrations, each in its own transaction."""
    connection.execute("create table if not exists schema_migrations (number integer not null)")
    # Read the result to its end: otherwise its transaction stays open, and no checkpoint can succeed.
    ((applied,),) = connection.execute("select coalesce(max(number), 0) from schema_migrations").fetchall()
    known = migrations("duckdb")
    if applied > known[-1][0]:
        raise StoreTooNew(
            f"the store is at schema {applied} and this program knows schemas up to {known[-1][0]}; "
            "install the version of mergecast that wrote it, or a newer one"
        )
    for number, text in known:
        if number > applied:
            connection.execute("begin")
            connection.execute(text)
            connection.execute("insert into schema_migrations values ($1)", [number])
            connection.execute("commit")
    _settle(connection)


def _settle(connection: duckdb.DuckDBPyConnection) -> None:
    """Create missing buckets, and move what a store of an earlier program has in the tail.

    The rows of a year may take a minute; it happens once.
    """
    ids = [row[0] for row in connection.execute("select repository_id from repositories").fetchall()]
    connection.execute("begin")
    create_buckets(connection, ids)
    connection.execute("commit")
    tail = Tail(connection, TailLimits())
    while (bucket := tail.bucket_to_move()) is not None:
        tail.move(connection, bucket)
