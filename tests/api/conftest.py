"""One server shared by all API tests; a test that stores events uses its own repository."""

from collections.abc import Iterator
from itertools import count
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest

from api.noon import NOON
from builders import worked_example
from live_server import LiveServer, live_server
from postgres.server import new_store

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with the repository `acme/widgets`, which holds the events of the worked example."""
    with live_server(tmp_path_factory.mktemp("api")) as live:
        live.send(worked_example()).raise_for_status()
        yield live


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def at_noon(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on each kind of store, at which it is always noon."""
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("noon"), now=lambda: NOON, **more) as live:
        yield live


@pytest.fixture
def repository() -> str:
    """The name of an unused repository, which is like no other: the API suggests similar names."""
    return f"acme/{''.join(Random(next(_NUMBERS)).choices(ascii_lowercase, k=16))}"
