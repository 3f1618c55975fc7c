"""`mergecast serve`: run the HTTP service."""

import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, DataDir
from mergecast.cli.output import print_json_line, say

if TYPE_CHECKING:
    from mergecast.app import RunningServer
    from mergecast.process.data_folder import Address, DataFolder
    from mergecast.settings import Settings


def serve(
    data_dir: DataDir = None,
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Address to listen on [MERGECAST_HOST, default: 127.0.0.1]"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="Port, 0 for any free one [MERGECAST_PORT, default: 8000]",
            min=0,
            max=65535,
        ),
    ] = None,
    database_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Keep the data in this PostgreSQL database [MERGECAST_DATABASE_URL]"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How do I run the server and its dashboard?

    Runs it until it is interrupted.

    Example: mergecast serve --port 8000
    """
    from mergecast.cli.connection import missing_server
    from mergecast.process.memory import address_space_limit, check_address_space, check_memory, memory_limit

    check_memory(memory_limit())  # before the server's libraries take much of it
    try:
        from mergecast.cli.server_settings import load_settings
        from mergecast.queues.store.progress import OpeningStopped
    except ModuleNotFoundError as error:
        raise missing_server(error) from None
    settings = load_settings(data_dir=data_dir, host=host, port=port, database_url=database_url)
    check_address_space(address_space_limit())
    with suppress(OpeningStopped):  # by a signal, which ends a server that runs with 0 too
        if settings.database_url is None:
            _serve_folder(settings, as_json=as_json)
        else:
            _serve_database(settings, as_json=as_json)


def _serve_folder(settings: "Settings", *, as_json: bool) -> None:
    from mergecast.process.data_folder import DataFolder

    folder = DataFolder(settings.data_dir)
    _take(folder)
    try:
        _serve(settings, folder, as_json=as_json)
    finally:
        folder.release()


def _take(folder: "DataFolder") -> None:
    """Own the folder, if need be after a command that has it: unlike a server, it ends soon."""
    from mergecast.cli.connection import WAITING_SECONDS, owner_of
    from mergecast.client.errors import Unreachable
    from mergecast.queues.store.errors import StoreInUse

    def tell() -> None:
        say(
            f"mergecast: another process is using the store in `{folder.path}`; "
            f"waiting up to {WAITING_SECONDS:.0f} seconds for it",
            file=sys.stderr,
            flush=True,
        )

    try:
        address = owner_of(folder, tell)
    except Unreachable:
        raise StoreInUse(f"the store in `{folder.path}` is in use by another process") from None
    if address is not None:
        raise StoreInUse(f"the store in `{folder.path}` is in use by the server at {address.url}")


def _serve_database(settings: "Settings", *, as_json: bool) -> None:
    """Serve a database that other servers may share, so the admin token must come from the environment."""
    if settings.admin_token is None:
        raise WrongUsage(
            "with a database, set MERGECAST_ADMIN_TOKEN: all servers of the database share one admin token"
        )
    server = _server(settings, Path(settings.data_dir), settings.admin_token)
    if as_json:
        _print_facts(server, data_dir=None)
    else:
        say(f"mergecast is serving {server.url}, data in PostgreSQL", flush=True)
        _print_way_in(server)
    server.run()


def _server(settings: "Settings", folder: Path, token: str) -> "RunningServer":
    from mergecast.app import RunningServer, Serving, follows_of, platform_of, sources_of
    from mergecast.process.interpreter import search_garbage_seldom, switch_threads_often
    from mergecast.process.logs import log_as_json

    log_as_json()
    search_garbage_seldom()
    switch_threads_often()
    try:
        return RunningServer(
            Serving(
                folder,
                token,
                settings.host,
                settings.port,
                settings.prefix,
                public_url=settings.public_url,
                platform=platform_of(settings),
                policy=settings.policy,
                database_url=settings.database_url,
                webhook_secrets=settings.webhook_secrets,
                deliveries_keep=settings.deliveries_keep,
                checks_keep=settings.checks_keep,
                events_keep=settings.events_keep,
                follows=follows_of(settings),
                sources=sources_of(settings),
                notices=settings.notices,
            )
        )
    except OSError as error:
        raise WrongUsage(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}; "
            "choose another with --host and --port"
        ) from error


def _serve(settings: "Settings", folder: "DataFolder", *, as_json: bool) -> None:
    from mergecast.process.data_folder import Address

    token, is_new = (settings.admin_token, False) if settings.admin_token else folder.admin_token()
    server = _server(settings, Path(folder.path), token)
    with closing(server):
        _publish(folder, Address(server.local_url, token))
        if as_json:
            _print_facts(server, data_dir=str(folder.path), **({"admin_token": token} if is_new else {}))
        else:
            say(f"mergecast is serving {server.url}, data in {folder.path}", flush=True)
            if is_new and sys.stdout.isatty():
                say(f"new admin token, also in {folder.path}/admin-token: {token}", flush=True)
            elif not settings.admin_token:
                # A file or a journal would keep the token, and more people may read it.
                say(f"the admin token is in {folder.path}/admin-token", flush=True)
            _print_way_in(server)
        server.run()


def _print_facts(server: "RunningServer", **facts: str | None) -> None:
    """In one line, for a program that reads while the server runs."""
    link = _sign_in_link(server) if server.has_dashboard else None
    print_json_line({"url": server.url, **facts, "sign_in_url": link})


_NO_DASHBOARD = (
    "this installation has no dashboard: run scripts/install in a clone, "
    "or install a wheel that scripts/build built"
)


def _print_way_in(server: "RunningServer") -> None:
    if not server.has_dashboard:
        say(_NO_DASHBOARD, flush=True)
    elif (link := _sign_in_link(server)) is not None:
        say(f"to sign in, open {link} (works once, for 10 minutes)", flush=True)


def _sign_in_link(server: "RunningServer") -> str | None:
    """The service works without one; on a full disk its code cannot be stored."""
    from mergecast.errors import Unavailable

    try:
        return server.sign_in_link()
    except Unavailable as error:
        say(f"mergecast: cannot create a sign-in link: {error}", file=sys.stderr, flush=True)
        return None


def _publish(folder: "DataFolder", address: "Address") -> None:
    """The service works without server.json; commands then need its address."""
    try:
        folder.publish(address)
    except OSError as error:
        say(
            f"mergecast: cannot write {folder.path}/server.json: {error.strerror}; serving without it. "
            f"Commands on this machine need --url {address.url} and --token",
            file=sys.stderr,
            flush=True,
        )
