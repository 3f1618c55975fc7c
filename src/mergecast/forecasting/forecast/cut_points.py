"""Where a back-test cuts the history: each part fits on some weeks and forecasts those after them."""

from typing import Final, NamedTuple

from mergecast.forecasting.forecast.requirements import FITTED_DAYS, MOST_PARTS, TESTED_DAYS
from mergecast.forecasting.history.seconds import DAY

_FITTED: Final = FITTED_DAYS * DAY
_TESTED: Final = TESTED_DAYS * DAY
_SHORT_TESTED: Final = 7 * DAY
_LEAST_FITTED: Final = 14 * DAY
_FITTED_SHARE: Final = 0.7


class Part(NamedTuple):
    """A forecast knows what happened from `start` to `cut`; what follows until `end` is compared with it."""

    start: float
    cut: float
    end: float


def parts_of(start: float, end: float, most: int = MOST_PARTS) -> list[Part]:
    """Parts of the recorded time, the oldest first.

    42 days forecast the next 14. Less than 13 weeks are cut into parts that forecast a week each, and less
    than three weeks are cut once.
    """
    length = end - start
    if length >= _FITTED + _TESTED + (most - 1) * _SHORT_TESTED:
        step = min(_TESTED, (length - _FITTED - _TESTED) / max(1, most - 1))
        cuts = [end - _TESTED - step * back for back in reversed(range(most))]
        return [Part(cut - _FITTED, cut, cut + _TESTED) for cut in cuts]
    count = min(most, int((length - _LEAST_FITTED) / _SHORT_TESTED))
    if count < 1:
        return [Part(start, start + _FITTED_SHARE * length, end)]
    cuts = [end - _SHORT_TESTED * (back + 1) for back in reversed(range(count))]
    return [Part(max(start, cut - _FITTED), cut, cut + _SHORT_TESTED) for cut in cuts]
