"""Stores imported items and translates them in the same transaction."""

from collections.abc import Sequence
from typing import NamedTuple

from mergecast.incoming.intake.translate import translate_arrived
from mergecast.queues.store.add_deliveries import ArrivedThread, leave_waiting, store_deliveries
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.values import Deliveries, DeliveryReceipt, count_fitting

# Others can be stored again after about 0.4 seconds.
_MOST_THREADS = 1_500
# An import loads at most this many stored deliveries more than it brings: hundreds may be stored together.
FREELY_LOADED = 20
# Translating a thread takes longer per report if it has more of them than this.
_FEW = 20


class Imported(NamedTuple):
    deliveries: Deliveries
    now: int
    most_loaded: int  # how many stored deliveries a transaction loads


class StoredImport(NamedTuple):
    receipt: DeliveryReceipt
    is_translated: bool


def receive_and_translate(held: HeldRepository, given: Sequence[Imported]) -> list[StoredImport]:
    """Store deliveries and translate their threads; if there are very many, some are translated later."""
    last = held.state.last_delivery
    receipts, threads = store_deliveries(held, [one.deliveries for one in given])
    now, most = max(one.now for one in given), max(one.most_loaded for one in given)
    later = _translated_later(threads, most)
    at_once = [one for one in threads if one.number not in later]
    brought = sum(len(one.deliveries.packed) + FREELY_LOADED for one in given)
    is_translated = translate_arrived(held, at_once, now, min(most, brought), last) and not later
    leave_waiting(held, [one for one in threads if one.number in later])
    return [StoredImport(receipt, is_translated) for receipt in receipts]


def _translated_later(threads: Sequence[ArrivedThread], most: int) -> set[int]:
    """Threads beyond the limits of one transaction; those with few new reports are not counted as loaded."""
    long = [one for one in threads if len(one.fields) > _FEW]
    fitting = count_fitting((len(one.fields) for one in long), most)
    return {one.number for one in (*long[fitting:], *threads[_MOST_THREADS:])}
