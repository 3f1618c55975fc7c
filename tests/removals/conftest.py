"""A store of each kind."""

from collections.abc import Iterator

import pytest

from mergecast.queues.store.store import Store
from store.places import KINDS

_OWN_MACHINE = [
    pytest.param(kind, marks=[pytest.mark.server] if kind == "postgres" else [])
    for kind in KINDS
    if kind != "citus"
]


@pytest.fixture(params=_OWN_MACHINE)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = KINDS[request.param](request)()
    yield opened
    opened.close()
