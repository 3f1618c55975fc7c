"""Whether a difference gets shares: those of small ones, or of what was not replayed, mean nothing."""

from math import exp
from typing import Final

from mergecast.forecasting.explanation.answer import State
from mergecast.forecasting.explanation.shares import Division
from mergecast.forecasting.explanation.wording import are_known

_LEAST_CHANGE: Final = 0.1
_MOST_OFF: Final = 0.15


def is_large(levels: tuple[float, float]) -> bool:
    """Whether a difference is worth a division."""
    return are_known(levels) and abs(levels[1] / levels[0] - 1) >= _LEAST_CHANGE


def judged(
    levels: tuple[float, float], division: Division | None, refusal: str | None, *, has_named: bool
) -> tuple[State, str | None]:
    """Whether a difference gets shares, and otherwise why not; `refusal` says why nothing was replayed."""
    if not are_known(levels):
        return "unknown", "It is unknown in at least one period."
    if not is_large(levels):
        return "small", "Differences below 10 % are not divided: their shares would mean nothing."
    if division is None:
        return "not_replayed", f"It is not divided by replay: {refusal}."
    return _by_replay(division, has_named=has_named)


def _by_replay(division: Division, *, has_named: bool) -> tuple[State, str | None]:
    if abs(division.recorded) <= division.chance:
        return "chance", "Chance alone gives differences of this size."
    off = round(abs(exp(division.off) - 1), 2)  # as it is said
    if off > _MOST_OFF:
        reason = f"It is not divided: a replay with other random numbers is off by {off:.0%}, more than 15 %."
        return "not_replayed", reason
    if not has_named:
        return "no_cause", "No cause differs more between the periods than single days do within one."
    return "divided", None
