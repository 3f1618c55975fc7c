"""A server inside a command, for a data folder that no running server owns."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex

from mergecast.app import RunningServer, Serving, platform_of
from mergecast.cli.server_settings import load_settings
from mergecast.judge.pools import document_pool
from mergecast.process.data_folder import DataFolder
from mergecast.process.interpreter import search_garbage_seldom, switch_threads_often
from mergecast.process.logs import log_as_json
from mergecast.sandbox.patience import PATIENCE_OF_COMMANDS
from mergecast.settings import Settings

# Few commands send a document, and only one: its process starts with it.
_CHILD_ON_DEMAND = partial(document_pool, 1, children_at_start=0, patience=PATIENCE_OF_COMMANDS)


@contextmanager
def serve_folder(folder: DataFolder, *, quiet: bool) -> Iterator[tuple[str, str]]:
    """The URL and admin token of a server that stops at the end of the block."""
    settings = load_settings()
    token = settings.admin_token or folder.admin_token()[0]
    with _serve(Serving(Path(folder.path), token, "127.0.0.1", 0), settings, quiet=quiet) as url:
        yield url, token


@contextmanager
def serve_database(data_dir: Path, database_url: str, *, quiet: bool) -> Iterator[tuple[str, str]]:
    """The same for a store in a database; the token is valid for this server alone."""
    token = token_hex(32)
    serving = Serving(data_dir, token, "127.0.0.1", 0, database_url=database_url)
    with _serve(serving, load_settings(), quiet=quiet) as url:
        yield url, token


@contextmanager
def _serve(serving: Serving, settings: Settings, *, quiet: bool) -> Iterator[str]:
    log_as_json(logging.ERROR if quiet else logging.WARNING)
    search_garbage_seldom()
    switch_threads_often()
    server = RunningServer(
        replace(
            serving,
            log_requests=False,
            watches=False,
            platform=platform_of(settings),
            judge=_CHILD_ON_DEMAND,
            notices=settings.notices,
        )
    )
    thread = threading.Thread(target=server.run, name="server")
    thread.start()
    try:
        yield server.url
    finally:
        server.stop()
        thread.join()
