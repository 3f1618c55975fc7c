"""Figures and their changes in the words of a state."""

from mergecast.queues.model.words import plural

_NONE, _MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
_WITH_DECIMAL = 9.95  # percents below it


def rate(value: float | None) -> str:
    """A share in percent.

    >>> rate(0.0625), rate(1.0)
    ('6.3%', '100.0%')
    """
    return _NONE if value is None else f"{_nearest(value * 1000) / 10:.1f}%"


def change(ratio: float) -> str:
    """A relative change.

    >>> change(0.38), change(0.001), change(-0.5)
    ('up 38%', 'unchanged', 'down 50%')
    """
    percent = _nearest(abs(ratio) * 100)
    return f"{'down' if ratio < 0 else 'up'} {percent:,}%" if percent else "unchanged"


def points(change: float) -> str:
    """The change of a rate.

    >>> points(0.06), points(0.123), points(0.01), points(0.0)
    ('+6 points', '+12 points', '+1 point', '±0 points')
    """
    size = abs(change) * 100
    text = f"{_nearest(size * 10) / 10:g}" if size < _WITH_DECIMAL else str(_nearest(size))
    sign = "±" if text == "0" else _MINUS if change < 0 else "+"
    return f"{sign}{text} {plural(float(text), 'point')}"


def _nearest(value: float) -> int:
    """Halves are rounded up, as people expect."""
    return int(value + 0.5)
