"""Values of thresholds as people write them: a number in the unit of the figure, or `45m`, `1h30m`, `5%`."""

import re
from math import inf
from typing import Final

from mergecast.queues.model.figures import FIGURES, Figure, Unit
from mergecast.queues.model.instant import (
    SECONDS_PER_DAY,
    SECONDS_PER_HOUR,
    SECONDS_PER_MINUTE,
    exact_duration,
)
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.threshold import SET
from mergecast.signals.thresholds.judged import JUDGED, Judged

_NUMBER: Final = r"[0-9]{1,9}(?:\.[0-9]{1,6})?"
_PLAIN: Final = re.compile(_NUMBER)
_PERCENT: Final = re.compile(rf"({_NUMBER}) ?%")
_DURATION: Final = re.compile(
    "".join(rf"(?:({_NUMBER}) ?{unit} ?)?" for unit in ("d", "h", "(?:m|min)", "s")), re.IGNORECASE
)
_SECONDS: Final = (SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, 1)
_HOURS: Final = "source_silent"  # the one figure in hours; a duration fits it, too
_LONGEST_SHOWN: Final = 40
_DECIMALS: Final = 6  # as the store keeps them


class NotAValue(ValueError):
    """The value cannot be a threshold of the figure; the message says why, and what can."""


class UnknownFigure(ValueError):
    """No threshold can be about a figure of this name; the message names the nearest, and all."""


def judged_figure(name: str) -> Judged:
    """The figure of a threshold; raises UnknownFigure."""
    if name in JUDGED:
        return JUDGED[name]
    meant = nearest(name, JUDGED)
    hint = f"did you mean {meant}? There" if meant else "there"
    why = "no threshold can be about it" if name in FIGURES else "is not a figure"
    raise UnknownFigure(f"{name[:_LONGEST_SHOWN]}: {why}; {hint} are {', '.join(JUDGED)}")


def read_value(name: str, given: object) -> float:
    """The value of a threshold in the unit of its figure; raises NotAValue or UnknownFigure.

    >>> [read_value("run_too_long", given) for given in (5400, "45m", "1h30m", "1d 2h")]
    [5400.0, 2700.0, 5400.0, 93600.0]
    >>> [read_value("failure_rate", given) for given in (0.05, "5%", "0.05")]
    [0.05, 0.05, 0.05]
    """
    judged = judged_figure(name)
    if SET not in judged.origins:
        raise NotAValue(f"{name} has a fixed limit, which takes no other value; null switches it off")
    value = round(_read(judged.figure, given), _DECIMALS)
    if value <= 0:
        shown = _shortened(given)
        raise NotAValue(f"must be above 0: any {judged.figure.words} would be beyond a threshold of {shown}")
    if not judged.lowest <= value <= judged.highest:
        low, high = (written_value(name, bound) for bound in (judged.lowest, judged.highest))
        raise NotAValue(f"must be from {low} to {high}, and {_shown(given)} is not")
    return value


def written_value(name: str, value: float) -> str:
    """A value as settings show it, which reads as the same value.

    >>> [written_value("run_too_long", 5400.0), written_value("failure_rate", 0.05)]
    ['1h30m', '5%']
    >>> [written_value("everyone_fails", 4.0), written_value("runs_slow", 1.25)]
    ['4', '1.25']
    """
    match FIGURES[name].unit:
        case Unit.SECONDS:
            return exact_duration(value)
        case Unit.RATE:
            return f"{_plain(value * 100)}%"
        case _:
            return _plain(value)


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _read(figure: Figure, given: object) -> float:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        return _number(given)
    if not isinstance(given, str):
        raise NotAValue(_wanted(figure))
    text = given.strip()
    if _PLAIN.fullmatch(text):
        return float(text)
    if (percent := _PERCENT.fullmatch(text)) is not None:
        return _percent(figure, text, float(percent[1]))
    if text and (parts := _DURATION.fullmatch(text)) is not None:
        return _duration(figure, text, parts)
    raise NotAValue(f"{_shown(given)} is not a number, a duration or a percentage; {_wanted(figure)}")


def _number(given: float) -> float:
    """JSON may have integers of any length."""
    try:
        return float(given)
    except OverflowError:
        return inf if given > 0 else -inf


def _percent(figure: Figure, text: str, percent: float) -> float:
    if figure.unit is not Unit.RATE:
        raise NotAValue(f"{_shown(text)} is a percentage, but {figure.name} is {_kind(figure)}")
    return percent / 100


def _duration(figure: Figure, text: str, parts: re.Match[str]) -> float:
    quantities = zip(parts.groups(), _SECONDS, strict=True)
    seconds = sum(float(number) * unit for number, unit in quantities if number)
    if figure.unit is Unit.SECONDS:
        return seconds
    if figure.name == _HOURS:
        return seconds / SECONDS_PER_HOUR
    raise NotAValue(f"{_shown(text)} is a duration, but {figure.name} is {_kind(figure)}")


def _wanted(figure: Figure) -> str:
    return f"{figure.name} is {_kind(figure)}"


def _kind(figure: Figure) -> str:
    """What the values of a figure are, with an example."""
    match figure.unit:
        case Unit.SECONDS:
            return "a duration, such as `45m`, `1h30m` or 2700 (in seconds)"
        case Unit.RATE:
            return "a rate from 0 to 1, such as `5%` or 0.05"
        case _ if figure.counts is not None:
            return f"a number ({figure.counts}), such as 4"
        case _:
            return "a number, such as 1.5"


def _shown(given: object) -> str:
    return f"`{_shortened(given)}`"


def _shortened(given: object) -> str:
    text = str(given)
    return f"{text[:_LONGEST_SHOWN]}…" if len(text) > _LONGEST_SHOWN else text
