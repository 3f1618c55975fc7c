"""How sure the difference between candidate and baseline is, apart from the figures themselves."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.figures import Figures, Ranged

_LEAST_CHANGE: Final = 0.005  # less is none
_LIKELY: Final = 0.75


class Sureness(NamedTuple):
    """`lower` is the share of the replicates in which the candidate has the lower figure."""

    verdict: str  # lower, higher, probably lower, probably higher, unclear or none
    lower: float


COMPARED: Final = ("p50", "p95", "runs_per_merge")


def sureness(
    baseline: Sequence[Figures], candidate: Sequence[Figures], difference: dict[str, Ranged]
) -> dict[str, Sureness]:
    return {
        name: _of_figure(
            [
                (getattr(before, name), getattr(after, name))
                for before, after in zip(baseline, candidate, strict=True)
            ],
            difference[name],
        )
        for name in COMPARED
    }


def _of_figure(pairs: list[tuple[float, float]], difference: Ranged) -> Sureness:
    lower = sum(after < before for before, after in pairs) / len(pairs)
    higher = sum(after > before for before, after in pairs) / len(pairs)
    if max(abs(bound) for bound in difference) < _LEAST_CHANGE:
        return Sureness("none", lower)
    if difference.high < 0:
        return Sureness("lower", lower)
    if difference.low > 0:
        return Sureness("higher", lower)
    if lower >= _LIKELY:
        return Sureness("probably lower", lower)
    return Sureness("probably higher" if higher >= _LIKELY else "unclear", lower)
