"""Spans, changes and counts in the words of a verdict."""

from mergecast.queues.model.instant import (
    DAY,
    HOUR,
    MINUTE,
    SECONDS_PER_DAY,
    SECONDS_PER_HOUR,
    SECONDS_PER_MINUTE,
)

_NONE, _MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
_AS_MINUTES = 2 * HOUR
_AS_HOURS = 2 * DAY
_WITH_DECIMAL = 9.95  # percents below it


def short(seconds: float | None) -> str:
    """A figure, in at most two units.

    >>> [short(45), short(1860), short(6720), short(183_600), short(172_800)]
    ['45s', '31m', '1h52', '2d 3h', '2d']
    """
    if seconds is None:
        return _NONE
    minutes, hours = _nearest(seconds / SECONDS_PER_MINUTE), _nearest(seconds / SECONDS_PER_HOUR)
    if _nearest(seconds) < SECONDS_PER_MINUTE:
        return f"{_nearest(seconds)}s"
    if minutes < SECONDS_PER_HOUR // SECONDS_PER_MINUTE:
        return f"{minutes}m"
    if minutes < SECONDS_PER_DAY // SECONDS_PER_MINUTE:
        return f"{minutes // 60}h{minutes % 60:02}"
    return f"{hours // 24}d {hours % 24}h".removesuffix(" 0h")


def span(microseconds: int) -> str:
    """How long something has lasted, in one unit.

    >>> [span(40 * MINUTE), span(25 * HOUR), span(7 * DAY + HOUR), span(0)]
    ['40 min', '25 h', '7 days', '0 min']
    """
    if microseconds < _AS_MINUTES:
        return f"{microseconds // MINUTE} min"
    if microseconds < _AS_HOURS:
        return f"{microseconds // HOUR} h"
    return f"{microseconds // DAY:,} days"


def rate(value: float | None) -> str:
    """A share in percent.

    >>> rate(0.0625), rate(1.0)
    ('6.3%', '100.0%')
    """
    return _NONE if value is None else f"{_nearest(value * 1000) / 10:.1f}%"


def percent(change: float) -> str:
    """A relative change.

    >>> percent(0.38), percent(0.001), percent(-0.5) == f"{_MINUS}50%"
    ('+38%', '±0%', True)
    """
    return f"{_signed(change, f'{_nearest(abs(change) * 100):,}')}%"


def points(change: float) -> str:
    """The change of a rate.

    >>> points(0.06), points(0.123), points(0.01)
    ('+6 points', '+12 points', '+1 point')
    """
    size = abs(change) * 100
    text = f"{_nearest(size * 10) / 10:g}" if size < _WITH_DECIMAL else str(_nearest(size))
    return f"{_signed(change, text)} {'point' if text == '1' else 'points'}"


def plural(count: int, one: str) -> str:
    """A number of things.

    >>> plural(1, "stay"), plural(1200, "stay")
    ('1 stay', '1,200 stays')
    """
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def _signed(change: float, text: str) -> str:
    if text == "0":
        return "±0"
    return f"{_MINUS if change < 0 else '+'}{text}"


def _nearest(value: float) -> int:
    """Halves are rounded up, as people expect."""
    return int(value + 0.5)
