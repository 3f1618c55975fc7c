"""An event that was translated again keeps its id to itself, however many events follow."""

import asyncio
from functools import partial

import pytest

from mergecast.errors import Conflict
from mergecast.queues.model.event import QUEUE_ENTERED, Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.add_events import replace_derived
from mergecast.queues.store.store import Store

_NAME = Repository("acme", "widgets")


def _entered(id: str, pull_request: int, at: int = 1) -> Event:
    return Event(id, QUEUE_ENTERED, at, "main", "default", None, "api", f"s{pull_request}", pull_request)


def _translate(store: Store, events: list[Event]) -> None:
    asyncio.run(store.change(_NAME, partial(replace_derived, wanted={1: events}), create=True))


def _send(store: Store, first: int) -> None:
    asyncio.run(store.record(_NAME, [_entered(f"e{number}", number) for number in range(first, first + 4)]))


def test_the_id_of_an_event_that_was_replaced_stays_in_use(store: Store) -> None:
    _translate(store, [_entered("translated", 1)])
    _send(store, 10)
    _translate(store, [_entered("translated", 1, at=2)])
    _send(store, 20)

    with pytest.raises(Conflict):
        asyncio.run(store.record(_NAME, [_entered("translated", 1, at=3)]))


def test_the_id_of_an_event_that_is_no_longer_translated_is_free(store: Store) -> None:
    """Then a client can send it, once."""
    _translate(store, [_entered("translated", 1)])
    _send(store, 10)
    _translate(store, [])
    _send(store, 20)

    receipts = [asyncio.run(store.record(_NAME, [_entered("translated", 1, at=3)])) for _ in range(2)]

    assert [(1, 0), (0, 1)] == [(receipt.stored, receipt.duplicates) for receipt in receipts]
