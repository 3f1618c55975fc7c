"""`mergecast store database`: the schema of the store, and where the tables of a PostgreSQL database are."""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, DataDir
from mergecast.cli.output import print_done, print_json, say
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.queues.store.migrations import Plan, Rewritten

DatabaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="URL of the database [MERGECAST_DATABASE_URL]"),
]


def distribute(database_url: DatabaseUrl = None, as_json: AsJson = False) -> None:
    """How do I distribute the tables over a Citus cluster?

    Do this once, before or after data is stored.

    Example: mergecast store database distribute --database-url postgresql://mergecast@db.internal/mergecast
    """
    from mergecast.cli.environment import read_environment

    url = database_url or read_environment().database_url
    if url is None:
        raise WrongUsage("name the database with --database-url or MERGECAST_DATABASE_URL")
    from mergecast.queues.store.opening import distribute_database

    tables = distribute_database(url)
    lines = [f"distributed {table}" for table in tables] or ["all tables are distributed already"]
    print_done(*lines, as_json=as_json, distributed=tables)


def plan(data_dir: DataDir = None, database_url: DatabaseUrl = None, as_json: AsJson = False) -> None:
    """What would the next start do to the tables?

    Says which migrations it would run, and how many rows they rewrite; changes nothing.

    Example: mergecast store database plan
    """
    from mergecast.cli.environment import read_environment
    from mergecast.process.data_folder import DataFolder
    from mergecast.queues.store.errors import StoreInUse
    from mergecast.queues.store.opening import plan_of_migrations

    environment = read_environment()
    url = database_url or (environment.database_url if data_dir is None else None)
    folder = data_dir or environment.data_dir
    if url is None and DataFolder(folder).is_taken():
        raise StoreInUse(
            f"the store in `{folder}` is in use by another process: stop it first, or look at a backup in a "
            "folder of its own"
        )
    found = plan_of_migrations(folder, url)
    if as_json:
        migrations = [
            {**one._asdict(), "rewritten": [table._asdict() for table in one.rewritten]}
            for one in found.migrations
        ]
        print_json({**found._asdict(), "migrations": migrations})
    else:
        _print_plan(found, "the database" if url else f"the store in `{folder}`")


def _print_plan(plan: "Plan", what: str) -> None:
    from mergecast import __version__
    from mergecast.cli.output import print_table

    if plan.schema == 0:
        say(f"{what} has no tables yet: the first start creates them, with schema {plan.known_schema}")
        return
    if not plan.migrations:
        say(f"{what} has schema {plan.schema}, like mergecast {__version__}: no migration would run")
        return
    say(
        f"{what} has schema {plan.schema}: the next start of mergecast {__version__} runs "
        f"{counted(len(plan.migrations), 'migration')}, to schema {plan.known_schema}"
    )
    about = "about " if plan.is_estimate else ""
    rows = [
        (str(one.number), one.name, ", ".join(_rewritten(table, about) for table in one.rewritten) or "none")
        for one in plan.migrations
    ]
    print_table(("number", "name", "tables that it rewrites"), rows)
    say("There is no way back except a backup: make one first")


def _rewritten(table: "Rewritten", about: str) -> str:
    rows = "an unknown number of rows" if table.rows is None else f"{about}{counted(table.rows, 'row')}"
    return f"{table.table} ({rows})"
