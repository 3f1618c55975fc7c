"""What handlers work with, made once at the start."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mergecast.access.guard import Guard
from mergecast.api.answers import Answers
from mergecast.api.metrics import Metrics
from mergecast.store.database import Database

# Large bodies are read and stored by a few at a time: each takes many times its size in memory.
LARGE_BODIES = 4


def now_in_microseconds() -> int:
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Services:
    database: Database
    guard: Guard
    metrics: Metrics
    answers: Answers = field(default_factory=Answers)
    large_bodies: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LARGE_BODIES))
    now: Callable[[], int] = now_in_microseconds
    prefix: str = ""  # what a proxy puts before our paths
