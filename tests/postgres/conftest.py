"""One store of each kind for all tests in this folder."""

from collections.abc import Iterator

import pytest

from postgres.server import new_store
from postgres.stores import Stores, same_stores


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory, database_server: str) -> Iterator[Stores]:
    address = new_store(database_server)
    with same_stores(tmp_path_factory.mktemp("store"), address) as both:
        yield both
