"""Which alerts a threshold would have raised, found in a forecasting process."""

from collections.abc import Callable, Hashable
from typing import Final

from mergecast.judge.messages import PREVIEW
from mergecast.prediction.forecaster import Forecaster
from mergecast.process.lru import RecentEntries
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.thresholds.preview import Previewed

_MOST_KEPT: Final = 200  # answers, each of some kilobytes


class ThresholdPreviews:
    """One per server. An answer is kept for as long as the data of its repository stays the same."""

    def __init__(self, forecaster: Forecaster) -> None:
        self._forecaster = forecaster
        self._found: RecentEntries[Hashable, Previewed] = RecentEntries(_MOST_KEPT)

    async def find(
        self,
        caller: Hashable,
        known: KnownRepository,
        asked: Hashable,
        question: Callable[[Reader], bytes],
    ) -> Previewed:
        """The alerts that a threshold would have raised; `question` reads what that takes, as JSON."""
        key = known.id, known.version, asked
        found = self._found.get(key)
        if found is None:
            body = await self._forecaster.query(caller, known.id, question)
            found = await self._forecaster.ask(caller, PREVIEW, body, Previewed)
            self._found.put(key, found)
        return found
