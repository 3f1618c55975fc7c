"""Causes of notices are stored together with what they are about, each once."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial

import pytest

from mergecast.queues.model.cause import BEGIN, END, LONGEST_AGE, Cause
from mergecast.queues.model.notification import ALERT, DIGEST
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.outbox import add_causes, mark_as_done
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")


def _cause(phase: str = BEGIN, key: str = "stuck 1", kind: str = ALERT, age: int = 0) -> Cause:
    return Cause(kind, key, phase, time.time_ns() // 1000 - age, "main", "default", '{"text": "é"}')


def _add(store: Store, *causes: Cause) -> None:
    async def add() -> None:
        await store.change(WIDGETS, partial(_add_each, causes=causes), create=True)

    asyncio.run(add())


def _add_each(held: HeldRepository, causes: Sequence[Cause]) -> None:
    add_causes(held, causes)


def _mark(store: Store, *keys: str) -> None:
    def mark(held: HeldRepository) -> None:
        mark_as_done(held, [(ALERT, key, BEGIN) for key in keys])

    asyncio.run(store.change(WIDGETS, mark, create=False))


def _pending(store: Store) -> list[tuple[str, str, str]]:
    async def read() -> list[tuple[str, str, str]]:
        known = await store.repository(WIDGETS)
        if known is None:
            return []
        asked = [known.id, 0, 2**62]
        rows = await store.read(known.id, lambda reader: reader.rows("causes_to_send", asked))
        return [CauseRow(*row).name for row in rows]

    return asyncio.run(read())


def test_a_cause_is_stored_once(store: Store) -> None:
    """However often it is added, and after it was sent on."""
    _add(store, _cause(), _cause())
    _add(store, _cause())
    assert [(ALERT, "stuck 1", BEGIN)] == _pending(store)
    _mark(store, "stuck 1")

    _add(store, _cause())

    assert [] == _pending(store)


def test_causes_of_two_kinds_may_have_the_same_key(store: Store) -> None:
    _add(store, _cause(kind=ALERT), _cause(kind=DIGEST))

    assert [(ALERT, "stuck 1", BEGIN), (DIGEST, "stuck 1", BEGIN)] == _pending(store)


def test_a_beginning_is_dropped_when_its_end_comes_before_it_was_sent(store: Store) -> None:
    _add(store, _cause(BEGIN), _cause(BEGIN, "stuck 2"))

    _add(store, _cause(END))

    assert [(ALERT, "stuck 2", BEGIN)] == _pending(store)
    _add(store, _cause(BEGIN), _cause(END))
    assert [(ALERT, "stuck 2", BEGIN)] == _pending(store)


def test_a_beginning_and_its_end_in_one_transaction_are_both_dropped(store: Store) -> None:
    _add(store, _cause(BEGIN), _cause(END))

    assert [] == _pending(store)


def test_an_end_is_kept_after_its_beginning_was_sent(store: Store) -> None:
    _add(store, _cause(BEGIN))
    _mark(store, "stuck 1")

    _add(store, _cause(BEGIN), _cause(END))

    assert [(ALERT, "stuck 1", END)] == _pending(store)


def test_a_cause_older_than_an_hour_is_not_stored_and_neither_is_its_end(store: Store) -> None:
    _add(store, _cause(BEGIN, age=LONGEST_AGE + 1), _cause(BEGIN, "stuck 2"))
    _add(store, _cause(END))

    assert [(ALERT, "stuck 2", BEGIN)] == _pending(store)


def test_deleting_a_repository_deletes_its_causes(store: Store) -> None:
    _add(store, _cause())

    asyncio.run(store.forget(WIDGETS))

    assert [] == _pending(store)
    _add(store, _cause())
    assert [(ALERT, "stuck 1", BEGIN)] == _pending(store)
