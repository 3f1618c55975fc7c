"""The forecast in the simulation of a repository: its last weeks under the submitted document."""

import asyncio
from dataclasses import dataclass
from functools import partial

import msgspec
import structlog
from starlette.requests import Request

from mergecast.api.routing import admission_of
from mergecast.api.services import Services
from mergecast.errors import MergecastError
from mergecast.forecasting.forecast.requirements import LEAST_DAYS, LEAST_MERGED
from mergecast.judge.messages import (
    FORECAST,
    Baseline,
    ForecastAnswer,
    ForecastFound,
    ForecastQuestion,
    PolicyGiven,
    RecordedWindow,
    Setting,
)
from mergecast.prediction.history import USUAL_SEED, ReplayParameters, head_of, recorded_window, whole_answer
from mergecast.queues.model.instant import DAY, Window
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.busiest_branch import Branch, busiest_branch
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import ChildError

# Less than the forecast endpoint takes by default, because a simulation waits for it.
_DAYS = 28

log = structlog.get_logger("mergecast.forecast")


@dataclass(frozen=True, slots=True)
class SimulationForecast:
    """The forecast of one simulation, which is left out if it is slow or fails."""

    services: Services
    request: Request
    repository: Repository

    async def __call__(self, setting: Setting, current: str | None, /) -> ForecastFound | None:
        """None if the history is too short."""
        known = await self.services.database.repository(self.repository)
        window = None if known is None else _window(known, setting.now)
        if known is None or window is None:
            return None
        try:
            async with asyncio.timeout(self.services.simulated_forecast_seconds):
                branch = await self._branch(known, window)
                if branch is None or branch.merged < LEAST_MERGED:
                    return None
                about = ReplayParameters(branch.base_ref, None, window, USUAL_SEED)
                recorded = await recorded_window(partial(self.services.query, self.request), known, about)
                answer = await self._ask(_question(setting, current, recorded))
        except (MergecastError, ChildError, TimeoutError) as error:
            return ForecastFound(left_out=self._reason(error))
        if answer.errors:
            return ForecastFound(left_out="; ".join(error.message for error in answer.errors))
        if answer.too_little is not None:
            return None
        return ForecastFound(msgspec.Raw(whole_answer(head_of(known, about), answer)))

    async def _branch(self, known: KnownRepository, window: Window) -> Branch | None:
        return await self.services.query(
            self.request, known.id, lambda reader: busiest_branch(reader, known.id, window)
        )

    async def _ask(self, question: ForecastQuestion) -> ForecastAnswer:
        caller = admission_of(self.request).caller.identity
        seconds = self.services.simulated_forecast_seconds
        # The child stops too: it would keep other forecasts waiting for an answer that is discarded.
        return await self.services.forecaster.ask(caller, FORECAST, question, ForecastAnswer, seconds=seconds)

    def _reason(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"it takes more than {self.services.simulated_forecast_seconds:g} seconds"
        if isinstance(error, ChildError):
            log.error("the forecast of a simulation failed", error=str(error))
            return "an internal error occurred"
        return str(error)


def _window(known: KnownRepository, now: int) -> Window | None:
    """The last weeks, or what is recorded of them; None if that is too little."""
    if known.complete_since is None or known.events < LEAST_MERGED:
        return None
    window = Window(max(known.complete_since, now - _DAYS * DAY), now)
    return window if window.end - window.start >= LEAST_DAYS * DAY else None


def _question(setting: Setting, current: str | None, recorded: RecordedWindow) -> ForecastQuestion:
    policy = partial(PolicyGiven, owner=setting.owner, repository=setting.repository, remotes=setting.remotes)
    candidate = policy(config_yml=msgspec.json.decode(setting.text, type=str))
    baseline = Baseline(current=None if current is None else policy(config_yml=current))
    return ForecastQuestion(recorded, candidate, baseline, USUAL_SEED)
