"""Every test that takes `store` or `open_again` runs over every kind of store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mergecast.store.store import Store
from store.places import KINDS, OpenStore


@pytest.fixture(params=KINDS)
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """Opens the store of this test; only one may be open at a time."""
    return KINDS[request.param](tmp_path)


@pytest.fixture
def store(open_again: OpenStore) -> Iterator[Store]:
    opened = open_again()
    yield opened
    opened.close()
