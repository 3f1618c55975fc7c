"""`mergecast serve`: run the HTTP service."""

from pathlib import Path
from typing import Annotated, Any

import typer

from mergecast.app import RunningServer, Serving, platform_of
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir
from mergecast.data_folder import Address, DataFolder
from mergecast.logs import log_as_json
from mergecast.settings import Settings
from mergecast.store.errors import StoreInUse


def serve(
    data_dir: DataDir = None,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on [MERGECAST_HOST, default: 127.0.0.1]")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port, 0 for a free one [MERGECAST_PORT, default: 8000]")
    ] = None,
) -> None:
    """Serve the API until told to stop."""
    given: dict[str, Any] = {"data_dir": data_dir, "host": host, "port": port}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    folder = DataFolder(settings.data_dir)
    if not folder.take():
        address = folder.address()
        owner = f"the server at {address.url}" if address else "another process"
        raise StoreInUse(f"the store in `{settings.data_dir}` is in use by {owner}")
    try:
        _serve(settings, folder)
    finally:
        folder.release()


def _serve(settings: Settings, folder: DataFolder) -> None:
    token, is_new = (settings.admin_token, False) if settings.admin_token else folder.admin_token()
    log_as_json()
    try:
        server = RunningServer(
            Serving(
                Path(folder.path),
                token,
                settings.host,
                settings.port,
                settings.prefix,
                public_url=settings.public_url,
                platform=platform_of(settings),
                policy=settings.policy,
            )
        )
    except OSError as error:
        raise WrongUsage(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}; "
            "choose another with --host and --port"
        ) from error
    folder.publish(Address(server.local_url, token))
    print(f"mergecast serves {server.url}, data in {folder.path}", flush=True)
    if is_new:
        print(f"admin token, shown once and kept in {folder.path}/admin-token: {token}", flush=True)
    elif not settings.admin_token:
        print(f"the admin token is in {folder.path}/admin-token", flush=True)
    server.run()
