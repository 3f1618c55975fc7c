"""Durations as people read them."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def duration(seconds: float) -> str:
    """Seconds in the two largest units that matter.

    >>> [duration(5.25), duration(3720), duration(200000), duration(-90)]
    ['5.2s', '1h02m', '2d07h', '-1m30s']
    """
    if seconds < 0:
        return f"-{duration(-seconds)}"
    if seconds < _MINUTE:
        return f"{seconds:.1f}s"
    if seconds < _HOUR:
        return f"{int(seconds) // _MINUTE}m{int(seconds) % _MINUTE:02}s"
    if seconds < _DAY:
        return f"{int(seconds) // _HOUR}h{int(seconds) % _HOUR // _MINUTE:02}m"
    return f"{int(seconds) // _DAY}d{int(seconds) % _DAY // _HOUR:02}h"
