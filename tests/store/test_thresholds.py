"""Thresholds that a person set, in every kind of store."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.alert import Alert, Compared
from mergecast.queues.model.instant import Window
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import BUILT_IN, REFERENCE, SET, SetThreshold
from mergecast.queues.store.alerts import alerts_between, store_alerts
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.thresholds import put_thresholds, read_thresholds
from mergecast.queues.store.values import KnownRepository
from signals.stored import begun_alert

pytestmark = pytest.mark.thorough

NAME, OTHER = Repository("acme", "widgets"), Repository("acme", "gadgets")
EVERYWHERE = SetThreshold("time_in_queue_p95", 3600.0, alert=False)
HERE = SetThreshold("failure_rate", 0.05, "main", "default")
OFF = SetThreshold("run_too_long", None, "main")
THRESHOLDS = [EVERYWHERE, OFF, HERE]


def _known(store: Store, name: Repository) -> KnownRepository:
    known = asyncio.run(store.repository(name))
    assert known is not None
    return known


def _put(store: Store, thresholds: list[SetThreshold], name: Repository = NAME) -> int:
    """Returns the version of the data afterwards."""
    asyncio.run(store.set_products(name, ()))
    asyncio.run(store.change(name, partial(put_thresholds, thresholds=thresholds), create=False))
    return _known(store, name).version


def _read(store: Store, name: Repository = NAME) -> list[SetThreshold]:
    known = _known(store, name)
    found = asyncio.run(store.read(known.id, partial(read_thresholds, repository_ids=[known.id])))
    return found.get(known.id, [])


def test_thresholds_are_replaced_together(store: Store) -> None:
    """The data version rises only if they change, because answers that show them do."""
    first = _put(store, THRESHOLDS)
    assert THRESHOLDS == _read(store)
    assert first == _put(store, [*reversed(THRESHOLDS)])
    assert first < _put(store, THRESHOLDS[:1])
    assert THRESHOLDS[:1] == _read(store)
    _put(store, [])
    assert [] == _read(store)


def test_other_repositories_keep_theirs(store: Store) -> None:
    _put(store, THRESHOLDS)
    _put(store, THRESHOLDS[1:], OTHER)
    asyncio.run(store.forget(NAME))

    assert THRESHOLDS[1:] == _read(store, OTHER)


FAILING = replace(begun_alert("failure_rate", "default", 100), origin=SET, value=0.2)
BY_A_RULE = replace(FAILING, origin=BUILT_IN)
BY_A_PERIOD = replace(FAILING, origin=REFERENCE, compared=Compared("march", 0.1, 2.0, 1.5))
SPLIT = replace(FAILING, figure="going_round", value=5.0, unit="splits")


@pytest.mark.parametrize(
    ("alert", "threshold", "goes_on"),
    [
        (FAILING, HERE._replace(value=0.1), True),
        (FAILING, HERE._replace(value=0.3), False),
        (FAILING, HERE._replace(value=None), False),
        (FAILING, HERE._replace(alert=False), False),
        (FAILING, HERE._replace(queue_name="hotfix"), False),
        (FAILING, HERE._replace(queue_name=None), True),
        (BY_A_RULE, HERE._replace(value=0.3), True),
        (BY_A_RULE, HERE._replace(value=None), False),
        (BY_A_PERIOD, HERE._replace(value=0.3), True),
        (BY_A_PERIOD, HERE._replace(value=None), False),
        (BY_A_PERIOD, HERE._replace(value=None, queue_name="hotfix"), True),
        (SPLIT, SetThreshold("splits", 4.0), True),
        (SPLIT, SetThreshold("going_round", 4.0), False),
        (begun_alert("run_too_long", "default", 100), SetThreshold("run_too_long", 9.0), True),
        (begun_alert("run_too_long", "default", 100), OFF, False),
    ],
)
def test_alerts_that_lose_their_threshold_end(
    store: Store, alert: Alert, threshold: SetThreshold, *, goes_on: bool
) -> None:
    """It was raised above what was measured, deleted, switched off, or raises no alerts any more."""
    _put(store, THRESHOLDS)
    asyncio.run(store.change(NAME, partial(store_alerts, begun=[alert], ended=()), create=False))

    _put(store, [threshold])

    known = _known(store, NAME)
    work = partial(alerts_between, repository_id=known.id, window=Window(0, 2**62))
    (found,) = asyncio.run(store.read(known.id, work))
    assert (goes_on, None if goes_on else "threshold_changed") == (found.ended_at is None, found.end_reason)


def test_a_copy_has_thresholds(store: Store, tmp_path: Path) -> None:
    """A second copy takes over what has changed, and what is gone."""
    copy_empty_store(tmp_path / "copy")
    copy = open_store(tmp_path / "copy")
    found = []

    async def run() -> None:
        async for _ in copy_store(store, copy, 0):
            pass

    try:
        for thresholds in (THRESHOLDS, THRESHOLDS[:1], []):
            _put(store, thresholds)
            asyncio.run(run())
            found.append(_read(copy))
    finally:
        copy.close()

    assert [THRESHOLDS, THRESHOLDS[:1], []] == found
