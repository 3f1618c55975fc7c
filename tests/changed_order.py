"""A pytest plugin: with TEST_ORDER_SEED, files and the tests of each file run in another order for each seed.

Tests of one file stay together, because they share servers and browsers.
"""

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random

import pytest

SEED = "TEST_ORDER_SEED"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Every worker computes the same order."""
    yield
    seed = os.environ.get(SEED)
    if seed is not None:
        items[:] = _shuffled(items, Random(seed))


def _shuffled(items: list[pytest.Item], chance: Random) -> list[pytest.Item]:
    files = [list(tests) for _, tests in groupby(sorted(items, key=_path), key=_path)]
    chance.shuffle(files)
    for tests in files:
        tests.sort(key=lambda item: item.nodeid)
        chance.shuffle(tests)
    return [item for tests in files for item in tests]


def _path(item: pytest.Item) -> Path:
    return item.path
