"""Translates again what an earlier version translated: in the background, while nothing new waits."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from mergecast.errors import MergecastError
from mergecast.incoming.intake.given_up import TranslationFailed
from mergecast.incoming.intake.outdated import outdated_repositories
from mergecast.incoming.intake.translate import Translated
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import StoreClosed
from mergecast.queues.store.store import Store

log = structlog.get_logger("mergecast.intake")


class TranslatingAgain:
    # During a rolling upgrade, a server of the earlier version translates for a while.
    look_seconds = 3600.0
    # After a failure.
    patience_seconds = 30.0

    def __init__(self, store: Store, translate: Callable[[Repository], Awaitable[Translated]]) -> None:
        self._store, self._translate = store, translate
        self._left: list[Repository] = []
        self._look_at = self._continue_at = 0.0  # by the clock of the event loop

    @property
    def rest_seconds(self) -> float:
        """How long there is nothing to do."""
        next_at = self._continue_at if self._left else self._look_at
        return max(0.0, next_at - _clock())

    async def translate_some(self) -> None:
        """Translate as much as one transaction should, then rest as long as that took of the processor."""
        if _clock() >= self._look_at:
            self._look_at = _clock() + self.look_seconds
            self._left = await outdated_repositories(self._store)
        if not self._left or _clock() < self._continue_at:
            return
        name = self._left.pop(0)
        rest = self.patience_seconds
        try:
            done = await self._translate(name)
            rest = done.seconds
        except StoreClosed:
            raise
        except MergecastError as error:  # for example, the machine of the repository is down
            log.warning("translating again failed", repository=str(name), error=str(error))
            done = Translated(is_done=False)
        except TranslationFailed:
            done = Translated(is_done=False)
        self._continue_at = _clock() + rest
        if not done.is_done:
            self._left.append(name)
        else:
            log.info("translated again", repository=str(name))


def _clock() -> float:
    return asyncio.get_running_loop().time()
