"""What handlers share, made once at the start."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mergecast.access.guard import Guard
from mergecast.api.access_log import AccessLog
from mergecast.api.answer_cache import Answers
from mergecast.api.metrics import Metrics
from mergecast.api.platform_access import Platform
from mergecast.api.request_body import Buffers
from mergecast.errors import NotFound
from mergecast.judge.limits import FORECAST_LIMITS
from mergecast.judge.pool import Judge
from mergecast.judge.process import FORECAST_COMMAND
from mergecast.model.repository import Repository
from mergecast.store.store import Store
from mergecast.store.values import KnownRepository


def forecasting_process() -> Judge:
    """One process, which starts with the first forecast: statistics need the other processors."""
    return Judge(1, FORECAST_COMMAND, FORECAST_LIMITS.deadline_seconds)


def now_in_microseconds() -> int:
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Services:
    database: Store
    guard: Guard
    metrics: Metrics
    access_log: AccessLog
    answers: Answers = field(default_factory=Answers)
    buffers: Buffers = field(default_factory=Buffers)
    now: Callable[[], int] = now_in_microseconds
    prefix: str = ""  # the path that a proxy adds before these routes
    public_url: str = ""  # where clients reach this service: with the prefix, without a final slash
    judge: Judge = field(default_factory=Judge)
    forecaster: Judge = field(default_factory=forecasting_process)
    platform: Platform | None = None  # without it, simulations use recorded snapshots only

    async def known(self, repository: Repository) -> KnownRepository:
        """The repository's entry in the store; NotFound when nothing is stored for it."""
        known = await self.database.repository(repository)
        if known is None:
            raise NotFound(f"the repository {repository} is not known here: no event of it is stored")
        return known
