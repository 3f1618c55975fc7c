"""Databases of a Citus cluster: a real one, and a plain one that answers migrations as Citus would.

Citus is not packaged where the tests usually run. The imitation keeps the list of distributed tables, and
refuses what Citus refuses: several statements in one text, a unique index without the column that rows are
distributed by, and moving a table that is where it should be.
"""

import os

import psycopg
import pytest

from postgres.server import new_database

CLUSTER = os.environ.get("MERGECAST_TEST_CITUS_URL")
NO_CLUSTER = "MERGECAST_TEST_CITUS_URL is not set: it names a database of a Citus cluster to test on"
_IMITATION = """
set allow_system_table_mods = on;

create table pg_catalog.pg_dist_partition (logicalrelid regclass primary key, partmethod "char" not null);

create function pg_catalog.create_distributed_table(
    moved regclass, by text, colocate_with text default 'default'
) returns void language plpgsql as $$
begin
    if exists (
        select from pg_index join pg_attribute on attrelid = indrelid and attname = by
        where indrelid = moved and indisunique and attnum <> all (indkey)
    ) then
        raise feature_not_supported using message = format('cannot create constraint on "%s"', moved);
    end if;
    insert into pg_dist_partition values (moved, 'h');
end $$;

create function pg_catalog.create_reference_table(moved regclass) returns void language sql as
$$ insert into pg_dist_partition values (moved, 'n') $$;

create function pg_catalog.undistribute_table(moved regclass) returns void language plpgsql as $$
begin
    delete from pg_dist_partition where logicalrelid = moved;
    if not found then
        raise exception 'cannot undistribute table because the table is not distributed';
    end if;
end $$;

create function pg_catalog.refuse_several() returns event_trigger language plpgsql as $$
declare
    sent text := regexp_replace(current_query(), '--[^\n]*', '', 'g');
begin
    if exists (select from pg_dist_partition) and rtrim(sent, E'; \n') ~ ';\\s*(alter|create|drop)' then
        raise syntax_error using message = 'cannot insert multiple commands into a prepared statement';
    end if;
end $$;

create event trigger one_by_one on ddl_command_start execute function refuse_several();

insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
select 999999, 'citus', extowner, extnamespace, false, '13.2-1' from pg_extension where extname = 'plpgsql';
"""


def imitated_cluster(server: str) -> str:
    """The address of an empty database that has an imitation of Citus."""
    url = new_database(server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_IMITATION.encode())
    return url


def empty_cluster() -> str:
    """The address of the real cluster, without tables."""
    if CLUSTER is None:
        pytest.skip(NO_CLUSTER)
    with psycopg.connect(CLUSTER, autocommit=True) as connection:
        connection.execute("drop owned by current_user cascade")
        connection.execute("create extension if not exists citus")
    return CLUSTER


def placed(url: str) -> dict[str, str]:
    """The tables that are not on the coordinator: `h` for distributed, `n` for copied to every machine."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select logicalrelid::regclass::text, partmethod from pg_dist_partition"
        ).fetchall()
    return {name: method if isinstance(method, str) else method.decode() for name, method in rows}
