"""`mergecast database`: work on the PostgreSQL database itself."""

from typing import Annotated

import typer

from mergecast.cli.errors import WrongUsage


def distribute(
    database_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="URL of the database [MERGECAST_DATABASE_URL]"),
    ] = None,
) -> None:
    """Distribute the tables over a Citus cluster. Do this once, before or after data is stored."""
    from mergecast.cli.environment import read_environment

    url = database_url or read_environment().database_url
    if url is None:
        raise WrongUsage("name the database with --database-url or MERGECAST_DATABASE_URL")
    from mergecast.queues.store.opening import distribute_database

    tables = distribute_database(url)
    if not tables:
        print("all tables are distributed already")
        return
    for table in tables:
        print(f"distributed {table}")
