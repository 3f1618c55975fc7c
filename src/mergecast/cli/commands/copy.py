"""`mergecast copy`: move a store into another place, such as a PostgreSQL database."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import find_target, missing_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir
from mergecast.cli.output import counted, steps_progress
from mergecast.errors import NotFound

if TYPE_CHECKING:
    from mergecast.store.store import Store

_DATABASES = ("postgresql://", "postgres://")


def copy(
    to: Annotated[
        str, typer.Option(metavar="URL", help="URL of a PostgreSQL database, or a data folder, to copy into")
    ],
    data_dir: DataDir = None,
) -> None:
    """Copy everything into another store and compare the two. Stop the server of this store first.

    Run the command again after an interruption: it adds what is missing.
    """
    import asyncio

    target = find_target(data_dir, None, None)
    if target.url is not None:
        raise WrongUsage("copy reads a data folder or a database, not a server; unset MERGECAST_URL")
    if not target.has_store():
        raise NotFound(f"there is no store in `{target.data_dir}`; name its folder with --data-dir")
    is_database = to.startswith(_DATABASES)
    try:
        with ExitStack() as stack:
            source = _opened(stack, target.data_dir, target.database_url)
            other = _opened(stack, Path("." if is_database else to), to if is_database else None)
            events, repositories = asyncio.run(_copied(source, other))
    except ModuleNotFoundError as error:
        raise missing_server(error) from None
    print(
        f"copied {counted(events, 'event')} of {counted(repositories, 'repository', 'repositories')}; "
        "all statistics of the copy are the same"
    )


def _opened(stack: ExitStack, folder: Path, database_url: str | None) -> "Store":
    """Open a store, which must not be in use if it is in a folder."""
    from mergecast.data_folder import DataFolder
    from mergecast.store.errors import StoreInUse
    from mergecast.store.opening import open_store

    if database_url is None:
        owned = DataFolder(folder)
        if not owned.take():
            raise StoreInUse(f"the store in `{folder}` is in use; stop its server first")
        stack.callback(owned.release)
    store = open_store(folder, database_url)
    stack.callback(store.close)
    return store


async def _copied(source: "Store", target: "Store") -> tuple[int, int]:
    from mergecast.copying import copy_store

    done: dict[str, int] = {}
    with steps_progress() as bars:
        bar = bars.add_task("copying", total=None)
        async for step in copy_store(source, target):
            done[str(step.repository)] = step.events
            bars.update(bar, total=step.of, completed=step.events, description=str(step.repository))
    return sum(done.values()), len(done)
