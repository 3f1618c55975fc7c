"""Where a command finds its server: named, running beside it, or started for the moment."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mergecast.app import RunningServer, Serving, platform_of
from mergecast.cli.options import Place
from mergecast.client.client import Client
from mergecast.client.errors import Unreachable
from mergecast.data_folder import Address, DataFolder
from mergecast.errors import NotFound
from mergecast.logs import log_as_json
from mergecast.settings import Settings
from mergecast.store.database import FILE_NAME

_WAITING_SECONDS = 30.0


@contextmanager
def connect(place: Place, *, may_create: bool = False) -> Iterator[Client]:
    """A client of the server that owns the store; without one, this process owns it meanwhile."""
    if place.url is not None:
        with Client(place.url, place.token or "") as client:
            yield client
        return
    if not may_create and not has_store(place):
        raise NotFound(
            f"there is no store in `{place.data_dir}`; name its folder with --data-dir, "
            "name a server with --url, or make one with `mergecast serve` or `mergecast demo`"
        )
    folder = DataFolder(place.data_dir)
    address = _owner(folder)
    if address is not None:
        with Client(address.url, address.token) as client:
            yield client
        return
    try:
        with _own_server(folder, place.token) as client:
            yield client
    finally:
        folder.release()


def has_store(place: Place) -> bool:
    return (place.data_dir / FILE_NAME).exists()


def _owner(folder: DataFolder) -> Address | None:
    """Where the server of this store listens; None once this process owns it.

    A server that is starting, or another command that is about to end, is waited for.
    """
    deadline = time.monotonic() + _WAITING_SECONDS
    while not folder.take():
        address = folder.address()
        if address is not None:
            return address
        if time.monotonic() > deadline:
            raise Unreachable(f"the store in `{folder.path}` is in use by another command; try again later")
        time.sleep(0.05)
    return None


@contextmanager
def _own_server(folder: DataFolder, token: str | None) -> Iterator[Client]:
    """A server on a free port for as long as the command runs. Nobody else is told of it."""
    log_as_json(logging.WARNING)
    token = token or folder.admin_token()[0]
    platform = platform_of(Settings())
    server = RunningServer(
        Serving(Path(folder.path), token, "127.0.0.1", 0, log_requests=False, platform=platform)
    )
    thread = threading.Thread(target=server.run, name="server")
    thread.start()
    try:
        with Client(server.url, token) as client:
            yield client
    finally:
        server.stop()
        thread.join()
