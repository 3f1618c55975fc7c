"""`mergecast store distribute`: where the tables of a PostgreSQL database are."""

from typing import Annotated

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson
from mergecast.cli.output import print_done

DatabaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="URL of the database [MERGECAST_DATABASE_URL]"),
]


def distribute(database_url: DatabaseUrl = None, as_json: AsJson = False) -> None:
    """How do I distribute the tables over a Citus cluster?

    Do this once, before or after data is stored.

    Example: mergecast store distribute --database-url postgresql://mergecast@db.internal/mergecast
    """
    from mergecast.cli.environment import read_environment

    url = database_url or read_environment().database_url
    if url is None:
        raise WrongUsage("name the database with --database-url or MERGECAST_DATABASE_URL")
    from mergecast.queues.store.opening import distribute_database

    tables = distribute_database(url)
    lines = [f"distributed {table}" for table in tables] or ["all tables are distributed already"]
    print_done(*lines, as_json=as_json, distributed=tables)
