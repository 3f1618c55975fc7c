"""Stores imported items and translates them in the same transaction."""

from collections.abc import Sequence
from typing import NamedTuple

from mergecast.errors import Conflict
from mergecast.incoming.intake.replace_checks import Times
from mergecast.incoming.intake.translate import translate_arrived
from mergecast.queues.store.add_deliveries import ArrivedThread, leave_waiting, store_deliveries
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.unless_renamed import unless_renamed
from mergecast.queues.store.values import Deliveries, DeliveryReceipt, count_fitting

# Others can be stored again after about 0.4 seconds.
_MOST_THREADS = 1_500
# An import loads at most this many stored deliveries more than it brings: hundreds may be stored together.
FREELY_LOADED = 20
# Translating a thread takes longer per report if it has more of them than this.
_FEW = 20


class Imported(NamedTuple):
    deliveries: Deliveries
    times: Times
    most_loaded: int  # how many stored deliveries a transaction loads


class StoredImport(NamedTuple):
    receipt: DeliveryReceipt
    is_translated: bool


def receive_and_translate(held: HeldRepository, given: Sequence[Imported]) -> list[StoredImport | Conflict]:
    """Store deliveries and translate their threads; if there are very many, some are translated later."""
    ids = [imported.deliveries.repository_id for imported in given]
    return unless_renamed(held, given, ids, _receive_and_translate)


def _receive_and_translate(held: HeldRepository, given: Sequence[Imported]) -> list[StoredImport]:
    last = held.state.last_delivery
    receipts, threads = store_deliveries(held, [imported.deliveries for imported in given])
    times, most = max(imported.times for imported in given), max(imported.most_loaded for imported in given)
    later = _translated_later(threads, most)
    at_once = [thread for thread in threads if thread.number not in later]
    brought = sum(len(imported.deliveries.packed) + FREELY_LOADED for imported in given)
    is_translated = translate_arrived(held, at_once, times, min(most, brought), last) and not later
    leave_waiting(held, [thread for thread in threads if thread.number in later])
    return [StoredImport(receipt, is_translated) for receipt in receipts]


def _translated_later(threads: Sequence[ArrivedThread], most: int) -> set[int]:
    """Threads beyond the limits of one transaction; those with few new reports are not counted as loaded."""
    long = [thread for thread in threads if len(thread.fields) > _FEW]
    fitting = count_fitting((len(thread.fields) for thread in long), most)
    return {thread.number for thread in (*long[fitting:], *threads[_MOST_THREADS:])}
