"""One PostgreSQL server and one store for all tests in this folder."""

from collections.abc import Iterator

import pytest

from postgres.server import postgres_server, why_not
from postgres.stores import Stores, same_stores


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with postgres_server() as address, same_stores(tmp_path_factory.mktemp("store"), address) as both:
        yield both
