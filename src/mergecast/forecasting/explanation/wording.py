"""An explanation in words. This module loads no numerical library."""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Final

from mergecast.forecasting.explanation.answer import Cause, Evidence, MeanPart, Part
from mergecast.queues.model.figures import FIGURES, Figure, Unit, added, signed
from mergecast.queues.model.instant import duration

LEAST_SHARE: Final = 0.05  # less of a difference is not mentioned
_MUCH_UNEXPLAINED: Final = 0.2
_SAME: Final = 0.03
_SUBJECTS: Final = {
    "time_to_merge_p50": "p50 of time to merge",
    "time_to_merge_p95": "p95 of time to merge",
    "ci_runs_per_merge": "CI runs per merge",
}
# With more of it, with less of it, and with about as much.
_WORDS: Final[dict[Cause, tuple[str, str, str]]] = {
    "arrivals": (
        "more pull requests enter",
        "fewer pull requests enter",
        "pull requests enter at different times",
    ),
    "run_length": ("CI takes longer", "CI takes less time", "CI times are distributed differently"),
    "failures": ("more failures", "fewer failures", "other failures"),
    "settings": ("other settings", "other settings", "other settings"),
    "closed_time": ("more closed time", "less closed time", "closed at different times"),
    "people": ("people act differently", "people act differently", "people act differently"),
}
REST_WORDS: Final = {"everything_else": "everything else", "not_explained": "not explained"}


def cause_words(cause: Cause, evidence: Sequence[Evidence[float]]) -> str:
    """What a cause did, by the first that is recorded about it."""
    more, less, same = _WORDS[cause]
    if cause == "settings":
        changed = ", ".join(f"{one.words} {one.before} → {one.after}" for one in evidence)
        return f"{more} ({changed})" if changed else more
    first = next(iter(evidence), None)
    if first is None or isinstance(first.before, str) or isinstance(first.after, str):
        return same
    if abs(first.after - first.before) <= _SAME * abs(first.before):
        return same
    return more if first.after > first.before else less


def are_known(values: Iterable[float]) -> bool:
    """Whether figures can be compared: one of no runs is 0, and one of no merges is NaN."""
    return all(isfinite(value) and value > 0 for value in values)


def subject(figure: str, before: float, after: float) -> str:
    """As in `p95 of time to merge rose from 1h17m to 1h52m (+45%)`."""
    row: Figure = FIGURES[figure]
    name = _SUBJECTS[figure]
    if not are_known((before, after)):
        return f"{name} is unknown in at least one period"
    rose = "rose" if after > before else "fell"
    if row.written(before) == row.written(after):
        return f"{name} stayed at {row.written(after)}"
    change = signed(after / before - 1)
    return f"{name} {rose} from {row.written(before)} to {row.written(after)} ({change})"


def divided_sentence(figure: str, before: float, after: float, parts: Iterable[Part[float]]) -> str:
    """Causes by size; those that went the other way follow."""
    named = [part for part in parts if part.part != "not_explained" and abs(part.share) >= LEAST_SHARE]
    named.sort(key=lambda part: -abs(part.share))
    pushing = [part for part in named if part.share > 0]
    opposing = [part for part in named if part.share < 0]
    said = ", ".join(
        f"{part.words} ({part.share:.0%}{' of it' if not place else ''})"
        for place, part in enumerate(pushing)
    )
    back = ", ".join(f"{part.words} offset {-part.share:.0%} of it" for part in opposing)
    causes = "; ".join(filter(None, (said, back))) or f"no cause adds as much as {LEAST_SHARE:.0%} of it"
    rest = next((part for part in parts if part.part == "not_explained"), None)
    unexplained = ""
    if rest is not None and abs(rest.share) > _MUCH_UNEXPLAINED:
        offset = f"What is not explained offset {-rest.share:.0%} of it"
        unexplained = f" {offset}." if rest.share < 0 else f" {rest.share:.0%} is not explained."
    return f"{subject(figure, before, after)}: {causes}.{unexplained}"


def mean_sentence(total: tuple[float, float], parts: Sequence[MeanPart[float]]) -> str:
    """As in `The mean of time to merge rose from 40m to 55m: CI +12m, capacity +3m.`"""
    before, after = total
    if not are_known(total):
        return "The mean of time to merge is unknown in at least one period."
    difference = after - before
    rose = "rose" if difference > 0 else "fell"
    shown = sorted(parts, key=lambda part: -abs(part.difference))
    said = ", ".join(
        f"{part.words} {added(Unit.SECONDS, part.difference)}"
        for part in shown
        if abs(part.difference) >= max(LEAST_SHARE * abs(difference), 1.0)
    )
    if not said or duration(before) == duration(after):
        return f"The mean of time to merge stayed at {duration(after)}."
    return f"The mean of time to merge {rose} from {duration(before)} to {duration(after)}: {said}."
