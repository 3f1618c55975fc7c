"""Stores imported items and translates them in the same transaction."""

from collections.abc import Sequence
from typing import NamedTuple

from mergecast.intake.translate import translate_arrived
from mergecast.store.held_repository import HeldRepository
from mergecast.store.receive import leave_waiting, store_deliveries
from mergecast.store.values import Deliveries, DeliveryReceipt

# Others can be stored again after about 0.4 seconds.
_MOST_THREADS = 1_500


class Imported(NamedTuple):
    deliveries: Deliveries
    now: int


class StoredImport(NamedTuple):
    receipt: DeliveryReceipt
    is_translated: bool


def receive_and_translate(held: HeldRepository, given: Sequence[Imported]) -> list[StoredImport]:
    """Store deliveries and translate their threads; if there are very many, some are translated later."""
    receipts, threads = store_deliveries(held, [one.deliveries for one in given])
    translate_arrived(held, threads[:_MOST_THREADS], max(one.now for one in given))
    leave_waiting(held, threads[_MOST_THREADS:])
    return [StoredImport(receipt, len(threads) <= _MOST_THREADS) for receipt in receipts]
