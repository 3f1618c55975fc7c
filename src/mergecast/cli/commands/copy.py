"""`mergecast store copy`: move a store into another place, such as a PostgreSQL database."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import Target, find_target, missing_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, DataDir
from mergecast.cli.output import print_done, say, steps_progress
from mergecast.errors import NotFound, Unavailable
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.queues.model.credentials import ApplicationKey
    from mergecast.queues.store.store import Store

_DATABASES = ("postgresql://", "postgres://")
_SETTING = "MERGECAST_DATABASE_URL: "


def copy(
    to: Annotated[
        str, typer.Option(metavar="URL", help="URL of a PostgreSQL database, or a data folder, to copy into")
    ],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """How do I move it to PostgreSQL, or back?

    Copies everything into another store and compares the two. Stop the servers of this store first. Run the
    command again after an interruption: it adds what is missing, and makes channels and followed repositories
    those of the source again.

    Example: mergecast store copy --to postgresql://mergecast@db.internal/mergecast
    """
    import asyncio

    source = find_target(data_dir, None, None)
    if source.url is not None:
        raise WrongUsage("copy reads a data folder or a database, not a server; unset MERGECAST_URL")
    target = _read_target(to)
    _refuse_same(source, target)
    if not source.has_store():
        raise NotFound(f"there is no store in `{source.data_dir}`; name its folder with --data-dir")
    try:
        with ExitStack() as stack:
            original = _opened(stack, source)
            with _naming_the_option():
                copied = _opened(stack, target)
            done, surplus = asyncio.run(_copied(original, copied))
    except ModuleNotFoundError as error:
        raise missing_server(error) from None
    for key in surplus:
        say(
            f"mergecast: warning: the copy also accepts key {key.id} ({key.name}), which the source "
            "does not have; if it was revoked, revoke it in the copy too: "
            f"`mergecast admin key revoke {key.id}`",
            file=sys.stderr,
        )
    events, repositories = sum(done.values()), len(done)
    print_done(
        f"copied {counted(events, 'event')} of {counted(repositories, 'repository', 'repositories')}; "
        "the copy has the same events and gives the same answers",
        as_json=as_json,
        events=events,
        repositories=repositories,
        surplus_keys=[key.id for key in surplus],
    )


def _read_target(to: str) -> Target:
    if to.startswith(_DATABASES):
        return Target(Path(), database_url=to)
    scheme, separator, _ = to.partition("://")
    if separator:  # the rest of a URL may contain a password
        raise WrongUsage(
            f"--to: `{scheme}://…` is not the URL of a PostgreSQL database; that starts with postgresql://"
        )
    if not to:
        raise WrongUsage("--to: name a data folder, or the URL of a PostgreSQL database")
    return Target(Path(to))


def _refuse_same(source: Target, target: Target) -> None:
    is_same = source.database_url == target.database_url and (
        target.database_url is not None or source.data_dir.resolve() == target.data_dir.resolve()
    )
    if is_same:
        raise WrongUsage("--to: this is the store to copy from; name another place")


@contextmanager
def _naming_the_option() -> Iterator[None]:
    """Say that it is the target which cannot be opened."""
    from mergecast.queues.store.errors import UnusableDatabase

    try:
        yield
    except UnusableDatabase as error:
        raise UnusableDatabase(f"--to: {str(error).removeprefix(_SETTING)}") from None
    except Unavailable as error:
        raise Unavailable(f"--to: {error}") from None


def _opened(stack: ExitStack, place: Target) -> "Store":
    """Open a store, which must not be in use if it is in a folder."""
    from mergecast.process.data_folder import DataFolder
    from mergecast.queues.store.errors import StoreInUse
    from mergecast.queues.store.opening import open_store

    if place.database_url is None:
        owned = DataFolder(place.data_dir)
        if not owned.take():
            raise StoreInUse(f"the store in `{place.data_dir}` is in use; stop its server first")
        stack.callback(owned.release)
    store = open_store(place.data_dir, place.database_url)
    stack.callback(store.close)
    return store


async def _copied(source: "Store", target: "Store") -> tuple[dict[str, int], "list[ApplicationKey]"]:
    """The number of events of each repository, and keys that only the copy has."""
    from mergecast.incoming.copying.copy_store import copy_store, is_empty, surplus_keys

    if await is_empty(source):
        raise NotFound("there is nothing to copy: the source has no repositories; is it the right one?")
    done: dict[str, int] = {}
    with steps_progress() as bars:
        bar = bars.add_task("copying", total=None)
        async for step in copy_store(source, target, now_in_microseconds()):
            done[str(step.repository)] = step.events
            action = "comparing" if step.is_comparing else "copying"
            description = f"{action} {step.repository}"
            bars.update(bar, total=step.of, completed=step.events, description=description)
    return done, await surplus_keys(source, target)
