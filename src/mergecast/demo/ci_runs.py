"""How long CI runs take, and how they end."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from mergecast.demo.incidents import broken_share, flake_share, slowness
from mergecast.demo.settings import (
    BROKEN_PASSES_AGAIN_SHARE,
    CHECKS_TIMEOUT_SECONDS,
    CONFLICT_SHARE,
    DAY,
    EARLY_FAILURE_SHARE,
    FLAKES_AGAIN_SHARE,
    HANG_SHARE,
    HOUR,
    INTERRUPTION_SHARE,
    MINUTE,
    REFUSED_SHARE,
    SLOW_FACTOR,
    WEEK,
    Pipeline,
)
from mergecast.demo.stays import Batch, Fate


@dataclass(frozen=True, slots=True)
class CiResult:
    """`seconds` is how long the run took."""

    outcome: str
    seconds: float


def fate(seed: int, session_id: str, moment: float) -> Fate:
    """What is wrong with a pull request that enters at `moment`."""
    chance = Random(f"{seed}:fate:{session_id}")
    return Fate(
        is_broken=chance.random() < broken_share(seed, moment),
        has_conflict=chance.random() < CONFLICT_SHARE,
        is_refused=chance.random() < REFUSED_SHARE,
    )


def ci_result(seed: int, pipeline: Pipeline, batch: Batch, moment: float) -> CiResult:
    """The result of the current attempt of a batch that starts at `moment`."""
    chance = Random(f"{seed}:run:{batch.batch_id}:{batch.attempt}")
    seconds = _seconds(chance, pipeline) * _load(seed, moment) * (1 + 0.02 * (len(batch.stays) - 1))
    seconds *= SLOW_FACTOR if batch.is_slow else 1
    if chance.random() < HANG_SHARE or seconds >= CHECKS_TIMEOUT_SECONDS:
        return CiResult("CHECKS_TIMEOUT", CHECKS_TIMEOUT_SECONDS)
    if batch.attempt == 1 and chance.random() < INTERRUPTION_SHARE:
        return CiResult("CHECKS_INTERRUPTED", seconds * chance.uniform(0.1, 1))
    if chance.random() >= _failure_share(seed, batch, moment):
        return CiResult("SUCCESS", seconds)
    ends_early = chance.random() < EARLY_FAILURE_SHARE
    return CiResult("CHECKS_FAILED", seconds * (chance.uniform(0.3, 1) if ends_early else 1))


def _seconds(chance: Random, pipeline: Pipeline) -> float:
    minutes = pipeline.median_minutes * chance.lognormvariate(0, pipeline.sigma)
    return MINUTE * max(pipeline.floor_minutes, minutes)


def _load(seed: int, moment: float) -> float:
    drift = _drift(seed, int(moment // WEEK))
    is_office_time = moment % WEEK < 5 * DAY and 8 * HOUR <= moment % DAY < 22 * HOUR
    return drift * slowness(seed, moment) * (1.15 if is_office_time else 1.0)


@lru_cache(maxsize=64)
def _drift(seed: int, week: int) -> float:
    return Random(f"{seed}:drift:{week}").uniform(0.9, 1.1)


def _failure_share(seed: int, batch: Batch, moment: float) -> float:
    is_retry = batch.attempt > 1
    if batch.is_broken:
        return 1 - BROKEN_PASSES_AGAIN_SHARE if is_retry else 1.0
    return FLAKES_AGAIN_SHARE if is_retry else flake_share(seed, moment)
