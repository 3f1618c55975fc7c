"""Exact ratios, so that a comparison of two figures is rounded only once."""

from typing import NamedTuple


class Ratio(NamedTuple):
    """`part / whole`, with a whole above 0."""

    part: int
    whole: int = 1


def relative_change(now: Ratio | None, then: Ratio | None) -> float | None:
    """How much more or less it is, as a share of what it was; None if there is nothing to compare with.

    >>> relative_change(Ratio(1, 2), Ratio(1, 6)), relative_change(Ratio(1), Ratio(0))
    (2.0, None)
    """
    if now is None or then is None or not then.part:
        return None
    return (now.part * then.whole - then.part * now.whole) / (then.part * now.whole)


def difference(now: Ratio | None, then: Ratio | None) -> float | None:
    """How much more or less it is, for rates; None if there is nothing to compare with.

    >>> difference(Ratio(1, 2), Ratio(1, 6))
    0.3333333333333333
    """
    if now is None or then is None:
        return None
    return (now.part * then.whole - then.part * now.whole) / (now.whole * then.whole)
