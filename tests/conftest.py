"""The fixture `server`, and the watch for secrets in logs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from live_server import LiveServer, live_server

pytest_plugins = ["leak_watch"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path / "data") as live:
        yield live
