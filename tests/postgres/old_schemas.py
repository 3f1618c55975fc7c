"""Databases as earlier versions left them, with one repository in them."""

import psycopg

from mergecast.queues.model.repository import Repository
from mergecast.queues.store.migrations import statements_of
from mergecast.queues.store.postgres.migrate import COORDINATOR, DISTRIBUTED, REFERENCE, all_migrations

OLD = Repository("acme", "widgets")
PLATFORM_ID = 17
FORMER_NAME = Repository("acme", "gizmos")
_ROWS = """
insert into repositories values (nextval('repository_ids'), 'acme', 'widgets', 'acme/widgets');
insert into repository_state values (1, 1, 40, 100, 4000, null, 0, 0, 40, 40, 1);
insert into groups values (1, 1, 'main', 'default', null);
insert into subjects select 1, i, 0, i from generate_series(1, 40) as i;
insert into events (
    repository_id, number, key_high, key_low, group_id, stay,
    id, type, happened_at, source, session_id, pull_request
)
select 1, i, 0, i, 1, i, 'e' || i, 'queue_entered', i * 100, 'api', 's' || i, i
from generate_series(1, 40) as i;
insert into stays (repository_id, stay, pull_request, entered_at, entered_group, retries)
select 1, i, i, i * 100, 1, 0 from generate_series(1, 40) as i
"""
_RENAMED = f"update repository_state set platform_id = {PLATFORM_ID}, former_names = 'acme/gizmos'"
_FOUND_BY_NAME = 6  # from this migration on, the list of repositories has these values too
_LISTED = f"update repositories set platform_id = {PLATFORM_ID}, former_names = 'acme/gizmos'"
NUMBERS = [migration.number for migration in all_migrations()[:-1]]


def make_old(url: str, number: int, *, is_distributed: bool = False) -> None:
    """Create the tables as of a migration, distributed as versions of that time did, and fill them."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "create table schema_migrations (number integer primary key, oldest_program integer not null)"
        )
        for migration in all_migrations()[:number]:
            with connection.transaction():
                for statement in migration.statements:
                    connection.execute(statement.encode())
            connection.execute("insert into schema_migrations values (%s, 1)", [migration.number])
        if is_distributed:
            _distribute(connection)
        for statement in statements_of(_ROWS):
            connection.execute(statement.encode())
        if number > 1:
            connection.execute(_RENAMED.encode())
        if number >= _FOUND_BY_NAME:
            connection.execute(_LISTED.encode())


def _distribute(connection: psycopg.Connection) -> None:
    """Before schema 6 every machine had a copy of the tables that belong to no repository."""
    rows = connection.execute("select relname from pg_class where relkind = 'r'").fetchall()
    existing = {name for (name,) in rows}
    for table in (*REFERENCE, *COORDINATOR):
        if table in existing:
            connection.execute("select create_reference_table(%s)", [table])
    for table in DISTRIBUTED:
        if table in existing:
            connection.execute("select create_distributed_table(%s, 'repository_id')", [table])
