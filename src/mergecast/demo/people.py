"""What people do with a pull request in a queue, or after it has left."""

from dataclasses import dataclass
from random import Random
from typing import Final

from mergecast.demo.settings import DAY, DEQUEUES_PER_HOUR, HOUR, MINUTE, UPDATES_PER_HOUR, WEEK
from mergecast.demo.stays import Stay


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Someone removes a pull request from the queue, if it is still there then."""

    moment: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Habit:
    share: float
    median_minutes: float
    sigma: float


_AFTER_A_FLAKE: Final = _Habit(share=0.9, median_minutes=25, sigma=1.2)
_AFTER_A_CONFLICT: Final = _Habit(share=0.7, median_minutes=120, sigma=1.0)
_COMING_BACK: Final = {
    "CHECKS_FAILED": _Habit(share=0.4, median_minutes=300, sigma=1.0),
    "CHECKS_TIMEOUT": _AFTER_A_FLAKE,
    "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS": _AFTER_A_FLAKE,
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE": _AFTER_A_FLAKE,
    "PULL_REQUEST_UPDATED": _Habit(share=0.8, median_minutes=50, sigma=0.9),
    "PR_MANUALLY_DEQUEUED": _Habit(share=0.4, median_minutes=180, sigma=1.0),
    "CONFLICT_WITH_BASE_BRANCH": _AFTER_A_CONFLICT,
    "CONFLICT_WITH_PULL_AHEAD": _AFTER_A_CONFLICT,
}


def withdrawal(seed: int, session_id: str, entered_at: float) -> Withdrawal | None:
    """When someone removes the pull request; None if that would be outside working hours."""
    chance = Random(f"{seed}:withdrawal:{session_id}")
    per_hour = UPDATES_PER_HOUR + DEQUEUES_PER_HOUR
    moment = entered_at + HOUR * chance.expovariate(per_hour)
    is_update = chance.random() < UPDATES_PER_HOUR / per_hour
    if not _is_working_time(moment):
        return None
    return Withdrawal(moment, "PULL_REQUEST_UPDATED" if is_update else "PR_MANUALLY_DEQUEUED")


def comes_back_at(seed: int, stay: Stay, reason: str, moment: float) -> float | None:
    """When a pull request that left at `moment` is queued again, or None."""
    habit = _COMING_BACK.get(reason)
    if reason == "CHECKS_FAILED" and not stay.fate.is_broken:
        habit = _AFTER_A_FLAKE
    chance = Random(f"{seed}:back:{stay.session_id}")
    if habit is None or chance.random() >= habit.share:
        return None
    back_at = moment + MINUTE * (1 + habit.median_minutes * chance.lognormvariate(0, habit.sigma))
    return back_at if _is_working_time(back_at) else _next_morning(back_at) + chance.uniform(0, 2) * HOUR


def _is_working_time(moment: float) -> bool:
    return moment % WEEK < 5 * DAY and moment % DAY >= 7 * HOUR


def _next_morning(moment: float) -> float:
    # It is the early morning of a working day, or the weekend.
    day = moment // DAY if moment % WEEK < 5 * DAY else (moment // WEEK + 1) * 7
    return day * DAY + 7 * HOUR
