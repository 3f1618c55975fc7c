"""What handlers work with, made once at the start."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mergecast.access.guard import Guard
from mergecast.api.access_log import AccessLog
from mergecast.api.answer_cache import Answers
from mergecast.api.body import Buffers
from mergecast.api.metrics import Metrics
from mergecast.api.platform_access import Platform
from mergecast.judge.pool import Judge
from mergecast.store.database import Database


def now_in_microseconds() -> int:
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Services:
    database: Database
    guard: Guard
    metrics: Metrics
    access_log: AccessLog
    answers: Answers = field(default_factory=Answers)
    buffers: Buffers = field(default_factory=Buffers)
    # A large body takes many times its size in memory while it is read: one at a time.
    large_bodies: asyncio.Lock = field(default_factory=asyncio.Lock)
    now: Callable[[], int] = now_in_microseconds
    prefix: str = ""  # what a proxy puts before our paths
    public_url: str = ""  # where clients find this service, with the prefix and no slash at the end
    judge: Judge = field(default_factory=Judge)
    platform: Platform | None = None  # without it, simulations know only what was recorded
