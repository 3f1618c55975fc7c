"""A data folder with a running server, so that the commands of many tests need not start one each."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from live_server import TOKEN, live_server
from mergecast.process.data_folder import Address, DataFolder


@contextmanager
def served_folder(path: Path, **serving: Any) -> Iterator[Path]:
    """A new store; commands with this data folder find the address of its server there."""
    folder = DataFolder(path)
    assert folder.take()
    try:
        with live_server(path, log_requests=False, **serving) as live:
            folder.publish(Address(live.url, TOKEN))
            yield path
    finally:
        folder.release()
