"""Every test that takes `store` or `open_again` runs over every kind of store."""

from collections.abc import Iterator

import pytest

from mergecast.queues.store.store import Store
from store.places import KINDS, OpenStore

# A database listens on a port.
_MARKS = {"postgres": [pytest.mark.server], "citus": [pytest.mark.server]}


@pytest.fixture(params=[pytest.param(kind, marks=_MARKS.get(kind, [])) for kind in KINDS])
def open_again(request: pytest.FixtureRequest) -> OpenStore:
    """Opens the store of this test; only one may be open at a time."""
    return KINDS[request.param](request)


@pytest.fixture
def store(open_again: OpenStore) -> Iterator[Store]:
    opened = open_again()
    yield opened
    opened.close()
