"""How the dashboard writes figures, from the definition of each form and not from its program."""

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

NONE = "\N{EN DASH}"


def duration(seconds: float | None) -> str:
    """At most two units: `45s`, `31m`, `1h52m`, `2d 3h`."""
    if seconds is None:
        return NONE
    minutes, hours = _nearest(seconds / 60), _nearest(seconds / 3600)
    if seconds < 59.5:
        return f"{_nearest(seconds)}s"
    if minutes < 60:
        return f"{minutes}m"
    if minutes < 24 * 60:
        return f"{minutes // 60}h{minutes % 60:02}m"
    return f"{hours // 24}d {hours % 24}h".removesuffix(" 0h")


def count(value: float | None) -> str:
    """Small numbers with a decimal if they have one, and smaller ones with their first digit."""
    if value is None:
        return NONE
    if 1e-6 <= abs(value) < 0.05:
        digits = -Decimal(repr(value)).adjusted()
        return _decimals(value, digits).rstrip("0")
    return _up_to_a_decimal(value) if abs(value) < 10 else _decimals(value, 0)


def per_day(figure: Any, window: Any) -> str:
    """`4.2/ day`, or how many there were: if that is less than one per day, or in less than two days."""
    value = figure["value"]
    start, end = (datetime.fromisoformat(window[name]) for name in ("start", "end"))
    days = (end - start) / timedelta(days=1)
    if value is None or (days >= 2 and (value == 0 or value >= 1)):
        return f"{count(value)}/ day"
    number, unit = (days, "day") if days >= 1 else (days * 24, "hour")
    return f"{count(figure['count'])}in {count(number)} {unit}{'' if count(number) == '1' else 's'}"


def rate(value: float | None) -> str:
    return NONE if value is None else f"{_decimals(value * 100, 1)}%"


def ratio(value: float | None) -> str:
    return NONE if value is None else _decimals(value, 2)


def change(value: float | None, *, of_rate: bool = False) -> str:
    """`+38%`; the change of a rate is in points."""
    if value is None:
        return ""
    percent = abs(value * 100)
    text = _up_to_a_decimal(percent) if of_rate and percent < 9.95 else _decimals(percent, 0)
    sign = "±" if text == "0" else "\N{MINUS SIGN}" if value < 0 else "+"
    unit = "%" if not of_rate else " point" if text == "1" else " points"
    return f"{sign}{text}{unit}"


def plural(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def _nearest(value: float) -> int:
    return int(value + 0.5)


def _decimals(value: float, digits: int) -> str:
    """Halves are rounded up, as people expect of a decimal number."""
    return f"{Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,}"


def _up_to_a_decimal(value: float) -> str:
    return _decimals(value, 1).removesuffix(".0")
