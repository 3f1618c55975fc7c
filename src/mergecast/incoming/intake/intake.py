"""Stores deliveries and translates them: imports before they are acknowledged, webhooks right after."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from operator import add
from typing import NamedTuple

import structlog

from mergecast.errors import Conflict, MergecastError, Stopping
from mergecast.incoming.intake.given_up import MOST_FAILURES, TranslationFailed, give_up_first
from mergecast.incoming.intake.housekeeping import Housekeeping, Keep, TranslatingAgain
from mergecast.incoming.intake.outdated import give_up_outdated
from mergecast.incoming.intake.packing import Packer, pack_together
from mergecast.incoming.intake.replace_checks import Times
from mergecast.incoming.intake.translate import (
    MOST_LOADED,
    THREADS_AT_ONCE,
    Translated,
    mark_all_waiting,
    translate_arrived,
    translate_outdated,
    translate_waiting,
)
from mergecast.incoming.sources.unreadable import within_limits
from mergecast.process.background import Background
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.add_deliveries import ArrivedThread, leave_waiting, store_deliveries
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory
from mergecast.queues.store.errors import OutOfMemory
from mergecast.queues.store.held_repository import HeldRepository, unless_renamed
from mergecast.queues.store.rows import ThreadRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Cursor, Deliveries, DeliveryReceipt, PackedDelivery, count_fitting

_MOST_MEMORIES = 8
# Compressing a longer body takes long enough to delay other requests.
LARGE_BODY = 64 << 10
_STORED_TOGETHER = 400  # items of one import; others take their turns between such parts
# Others can be stored again after about 0.4 seconds.
_MOST_THREADS = 1_500
# An import loads at most this many stored deliveries more than it brings: hundreds may be stored together.
FREELY_LOADED = 20
# Translating a thread takes longer per report if it has more of them than this.
_FEW = 20
_WEIGHT = 20  # storing and translating an item takes up to as long as storing this many events

_FAILURE = "translating failed"

_Translate = Callable[..., Translated]
_GiveUp = Callable[[HeldRepository], ThreadRow | None]

log = structlog.get_logger("mergecast.intake")


class Intake(Background):
    """One per server. Any server translates what any other has stored."""

    # Long enough for the many checks of one group to be translated together.
    pause_seconds = 0.1
    # After a longer translation it pauses this many times as long, so that under load it translates more
    # deliveries at a time, and storing them gets most of the time.
    pause_factor = 2.0
    longest_pause_seconds = 0.5
    # When a server tries again what failed.
    retry_seconds = 1.0
    # How long it waits after an unexpected error.
    patience_seconds = 30.0
    # A webhook about a pull request with thousands of checks makes all of them be translated again. If that
    # takes more CPU time than this, its repository then rests for so many times as long.
    long_seconds = 0.1
    rest_factor = 50.0
    # How many deliveries one transaction loads, unless a single thread has more.
    most_loaded = MOST_LOADED

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        holder: str,
        keep: Keep = Keep(),  # noqa: B008 - it does not change
    ) -> None:
        self._store, self._now, self._keep = store, now, keep
        # How often a server looks for deliveries that another server stored but did not translate.
        self.look_seconds = store.look_seconds
        self._packer = Packer()
        self._waiting: set[Repository] = set()
        self._memories: dict[Repository, CiMemory] = {}  # of those translated last
        self._failures: Counter[Repository] = Counter()  # since its last success
        self._resting: dict[Repository, float] = {}  # until when, by the clock of the event loop
        self._translating_seconds = 0.0  # how long it took the last time
        self._look_at = 0.0  # by the clock of the event loop
        self._wake = asyncio.Event()
        # However many imports wait for translation, others' changes never queue behind more than one of them.
        self._turn = asyncio.Lock()
        self._outdated = TranslatingAgain(store, self._translate_outdated)
        self.housekeeping = Housekeeping(store, now, holder, keep)
        super().__init__()

    async def receive(
        self,
        name: Repository,
        deliveries: Sequence[Delivery],
        *,
        platform_id: int | None = None,
        repository_id: int | None = None,
    ) -> DeliveryReceipt:
        """Store deliveries; returns once they are durable.

        Raises RepositoryRenamed if `repository_id` is given and that repository no longer has this name.
        """
        if any(len(delivery.body) > LARGE_BODY for delivery in deliveries):
            large = await asyncio.to_thread(_pack_together, deliveries)
            return await self._store.receive(name, self._arrived(large, platform_id, repository_id))
        packed = self._packer.pack(str(name), [within_limits(delivery) for delivery in deliveries])
        receipt = await self._store.receive(name, self._arrived(packed, platform_id, repository_id))
        if receipt.stored:
            self._packer.stored(str(name), packed)
        return receipt

    async def receive_import(
        self,
        name: Repository,
        deliveries: Sequence[Delivery],
        cursor: Cursor | None,
        *,
        platform_id: int | None = None,
        repository_id: int | None = None,
    ) -> DeliveryReceipt:
        """Store deliveries and the cursor of their import; returns once they are durable and translated.

        Many are stored in several transactions, so that others take turns; the last one stores the cursor.
        Raises RepositoryRenamed if `repository_id` is given and that repository no longer has this name.
        """
        # Thousands of items take long enough to delay other requests.
        packed = await asyncio.to_thread(_pack_together, deliveries)
        receipt, is_translated = DeliveryReceipt(0, 0, 0), True
        for start in range(0, max(1, len(packed)), _STORED_TOGETHER):
            part = packed[start : start + _STORED_TOGETHER]
            is_last = start + _STORED_TOGETHER >= len(packed)
            page = self._arrived(part, platform_id, repository_id)._replace(
                cursor=cursor if is_last else None
            )
            given = _Imported(page, self._times(), self.most_loaded)
            size = _WEIGHT * (len(part) + FREELY_LOADED)
            stored = await self._store.run_batched(name, _receive_and_translate, given, size)
            receipt = DeliveryReceipt(*map(add, receipt, stored.receipt))
            is_translated &= stored.is_translated
        if not is_translated:
            await self.translate(name)
        return receipt

    def _arrived(
        self, packed: Sequence[PackedDelivery], platform_id: int | None, repository_id: int | None
    ) -> Deliveries:
        keep_from = None if self._keep.events is None else self._now() - self._keep.events
        return Deliveries(packed, platform_id=platform_id, keep_from=keep_from, repository_id=repository_id)

    def translate_soon(self, name: Repository) -> None:
        self._waiting.add(name)
        self._wake.set()

    async def translate(self, name: Repository) -> Translated:
        """Translate the waiting threads of a repository."""
        threads = events = 0
        while True:
            try:
                done = await self._translate_some(name)
            except TranslationFailed:
                continue  # after a few failures, the thread is given up
            threads, events = threads + done.threads, events + done.events
            if done.is_done:
                return Translated(threads, events)

    async def _translate_some(self, name: Repository) -> Translated:
        """Translate as many of the waiting threads as one transaction should.

        After a failure it translates only the first, to find out which of them it is.
        """
        return await self._change(name, translate_waiting, give_up_first)

    async def _translate_outdated(self, name: Repository) -> Translated:
        """The same for threads that an earlier version translated."""
        return await self._change(name, translate_outdated, give_up_outdated)

    async def _change(self, name: Repository, translate: _Translate, give_up: _GiveUp) -> Translated:
        async with self._turn:
            threads = 1 if self._failures[name] else THREADS_AT_ONCE
            memory = self._memories.pop(name, NO_MEMORY)
            given = {"times": self._times(), "most": self.most_loaded, "threads": threads, "memory": memory}
            work = partial(translate, **given)
            try:
                done = await self._store.change(name, work, create=False)
            except Exception as error:
                if isinstance(error, MergecastError) and not isinstance(error, OutOfMemory):
                    raise
                await self._note_failure(name, error, give_up)
                raise TranslationFailed from error
            self._failures.pop(name, None)
            if done is not None:
                self._remember(name, done.memory)
            return done or Translated()

    def _remember(self, name: Repository, memory: CiMemory) -> None:
        """Keep what the next translation of this repository need not read, for a few repositories."""
        self._memories[name] = memory
        if len(self._memories) > _MOST_MEMORIES:
            del self._memories[next(iter(self._memories))]

    async def _note_failure(self, name: Repository, error: Exception, give_up: _GiveUp) -> None:
        self._failures[name] += 1
        log.error(_FAILURE, repository=str(name), exc_info=error)
        if self._failures[name] >= MOST_FAILURES:
            thread = await self._store.change(name, give_up, create=False)
            del self._failures[name]
            if thread is not None:
                log.error("gave up translating a thread", repository=str(name), thread=thread.name)

    async def translate_again(self, name: Repository, source: str) -> Translated:
        """Translate everything that a source has delivered to a repository."""
        await self._store.change(name, partial(mark_all_waiting, source=source), create=False)
        return await self.translate(name)

    def _times(self) -> Times:
        return Times.at(self._now(), self._keep.checks)

    def start(self) -> None:
        self._begin(self._repeat(self._work, log, _FAILURE, lambda: 0.0, self.patience_seconds))

    async def close(self) -> None:
        await super().close()
        await self.housekeeping.close()

    async def _work(self) -> None:
        """Translate what an earlier server left or what has arrived, then wait for more."""
        for step in (self._find_waiting, self._translate_waiting, *self.housekeeping.steps):
            await self._try(step)
        if not self._waiting:
            await self._try(self._outdated.translate_some)
        await self._wait_for_arrivals()

    async def _try(self, step: Callable[[], Awaitable[None]]) -> None:
        """A step that fails for a while does not keep the others from their work."""
        try:
            await step()
        except Stopping:
            raise
        except MergecastError as error:
            log.warning(_FAILURE, error=str(error))

    async def _find_waiting(self) -> None:
        """Periodically find repositories that another server left untranslated."""
        now = asyncio.get_running_loop().time()
        if now >= self._look_at:
            self._look_at = now + self.look_seconds
            self._waiting |= set(await self._store.repositories_with_waiting_threads())

    async def _translate_waiting(self) -> None:
        """Translate what has arrived so far; what arrives meanwhile waits for the next pause to end.

        So does the rest of a repository that needs more than one transaction: others get their turn first. A
        repository that cannot be changed now, for example because its machine is down, is tried again later.
        """
        self._wake.clear()
        begun = asyncio.get_running_loop().time()
        resting = self._resting_now()
        names, self._waiting = self._waiting - resting, self._waiting & resting
        while names:
            name = names.pop()
            try:
                done = await self._translate_some(name)
            except Stopping:
                raise
            except MergecastError as error:
                log.warning(_FAILURE, repository=str(name), error=str(error))
                self._waiting.add(name)
                continue
            except TranslationFailed:
                self._waiting.add(name)
                self._rest(name, self.patience_seconds)
                continue
            except BaseException:
                self._waiting |= {name, *names}
                raise
            if done.threads == 1 and done.seconds > self.long_seconds:
                self._rest(name, self.rest_factor * done.seconds)
            if not done.is_done:
                self.translate_soon(name)
        self._translating_seconds = asyncio.get_running_loop().time() - begun

    def _rest(self, name: Repository, seconds: float) -> None:
        self._resting[name] = asyncio.get_running_loop().time() + seconds

    def _resting_now(self) -> set[Repository]:
        """Repositories that are not translated for a while: they failed, or took much time."""
        now = asyncio.get_running_loop().time()
        self._resting = {name: until for name, until in self._resting.items() if until > now}
        return set(self._resting)

    async def _wait_for_arrivals(self) -> None:
        """Wait until something has arrived, should be tried again, or until the next periodic check."""
        seconds = self.retry_seconds if self._waiting else min(self.look_seconds, self._outdated.rest_seconds)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
                await asyncio.sleep(self.pause_after(self._translating_seconds))

    def pause_after(self, seconds: float) -> float:
        """How long deliveries are collected, after translating has taken so long."""
        return min(max(self.pause_seconds, self.pause_factor * seconds), self.longest_pause_seconds)


def _pack_together(deliveries: Sequence[Delivery]) -> list[PackedDelivery]:
    return pack_together([within_limits(delivery) for delivery in deliveries])


class _Imported(NamedTuple):
    deliveries: Deliveries
    times: Times
    most_loaded: int  # how many stored deliveries a transaction loads


class _StoredImport(NamedTuple):
    receipt: DeliveryReceipt
    is_translated: bool


def _receive_and_translate(
    held: HeldRepository, given: Sequence[_Imported]
) -> list[_StoredImport | Conflict]:
    """Store deliveries and translate their threads; if there are very many, some are translated later."""
    ids = [imported.deliveries.repository_id for imported in given]
    return unless_renamed(held, given, ids, _receive_all)


def _receive_all(held: HeldRepository, given: Sequence[_Imported]) -> list[_StoredImport]:
    last = held.state.last_delivery
    receipts, threads = store_deliveries(held, [imported.deliveries for imported in given])
    times, most = max(imported.times for imported in given), max(imported.most_loaded for imported in given)
    later = _translated_later(threads, most)
    at_once = [thread for thread in threads if thread.number not in later]
    brought = sum(len(imported.deliveries.packed) + FREELY_LOADED for imported in given)
    is_translated = translate_arrived(held, at_once, times, min(most, brought), last) and not later
    leave_waiting(held, [thread for thread in threads if thread.number in later])
    return [_StoredImport(receipt, is_translated) for receipt in receipts]


def _translated_later(threads: Sequence[ArrivedThread], most: int) -> set[int]:
    """Threads beyond the limits of one transaction; those with few new reports are not counted as loaded."""
    long = [thread for thread in threads if len(thread.fields) > _FEW]
    fitting = count_fitting((len(thread.fields) for thread in long), most)
    return {thread.number for thread in (*long[fitting:], *threads[_MOST_THREADS:])}
