"""One server per module, and a new repository per example."""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from live_server import LiveServer, live_server
from postgres.server import new_database


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("property") / "data") as live:
        yield live


@pytest.fixture(scope="module")
def database_backed_server(
    tmp_path_factory: pytest.TempPathFactory, database_server: str
) -> Iterator[LiveServer]:
    """A server whose store is a PostgreSQL database."""
    folder, url = tmp_path_factory.mktemp("property") / "data", new_database(database_server)
    with live_server(folder, database_url=url) as live:
        yield live


@pytest.fixture(scope="module")
def new_repository() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"acme/example-{next(numbers)}"
