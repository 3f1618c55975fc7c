"""Verdicts on removals in the store."""

import asyncio
from functools import partial

import pytest

from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import VerdictRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from mergecast.queues.store.verdicts import (
    JudgedPeriod,
    JudgedRemoval,
    RemovedStay,
    store_first_verdicts,
    store_period,
)

_WIDGETS = Repository("acme", "widgets")
_NOON = 1_000 * DAY + 12 * HOUR
_QUEUE = ("main", "default")


def _period(left_at: int) -> JudgedPeriod:
    """The day of a removal, judged after it."""
    start = left_at - left_at % DAY
    verdict = JudgedRemoval("s1", left_at + HOUR, "own", "fix", "{}")
    removed = {"s1": RemovedStay(1, left_at, 7)}
    return JudgedPeriod(_QUEUE, start, start + DAY, removed, [verdict], [], lambda _: True)


@pytest.mark.parametrize("days", [0, -3, 3])
def test_a_removal_whose_time_was_corrected_keeps_one_verdict(store: Store, days: int) -> None:
    """It was judged at once, and its day is judged later: the same one, or another."""

    def judge(held: HeldRepository) -> bool:
        begun: KnownRepository = held.state
        return store_period(held, begun, _period(_NOON + days * DAY))

    asyncio.run(
        store.record(_WIDGETS, [Event("1", "queue_entered", _NOON - HOUR, *_QUEUE, None, "api", "s1", 7)])
    )
    known = asyncio.run(store.repository(_WIDGETS))
    assert known is not None
    first = partial(store_first_verdicts, repository_id=known.id, period=_period(_NOON))
    asyncio.run(store.change(_WIDGETS, first, create=False))

    assert asyncio.run(store.change(_WIDGETS, judge, create=False))

    rows = asyncio.run(store.read(known.id, lambda reader: read_rows(reader, known.id, VerdictRow)))
    revision = 2 if days else 1
    assert [(1, _NOON + days * DAY, revision)] == [(row.stay, row.left_at, row.revision) for row in rows]
