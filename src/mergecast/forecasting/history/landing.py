"""How GitHub's queue pushed green entries to the base branch."""

from collections import defaultdict
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.seconds import MICROSECONDS
from mergecast.forecasting.history.starting import densest
from mergecast.forecasting.history.structure import Stay
from mergecast.forecasting.history.train import Train
from mergecast.forecasting.replay.values import Landing

_DEFAULT_MOST: Final = 5


class _Group(NamedTuple):
    """Entries that were merged together."""

    size: int
    delay: float  # from the front entry's green build to the merge
    age: float  # of the front entry at the merge
    has_red: bool


def landing(train: Train) -> Landing:
    """The merge settings that explain which entries were merged together."""
    groups = _groups(train)
    waited = [group for group in groups if group.delay > 2 * LAG]
    at_once = [group.size for group in groups if group.delay <= 2 * LAG]
    wait, _ = densest(sorted(group.age for group in waited))
    early = [group.size for group in waited if group.age < wait - 2 * LAG]
    return Landing(
        min_entries=min([*early, *(size for size in at_once if size > 1)], default=2) if wait else 1,
        max_entries=max([_DEFAULT_MOST, *(group.size for group in groups)]),
        wait=round(wait) * MICROSECONDS,
        head_green=sum(group.has_red for group in groups) > len(groups) // 100,
    )


def _groups(train: Train) -> list[_Group]:
    merged = sorted(
        (stay for stay in train.history.stays if stay.is_merged), key=lambda stay: stay.left or 0.0
    )
    together: dict[float, list[Stay]] = defaultdict(list)
    first = -1e18
    for stay in merged:
        left = stay.left or 0.0
        first = left if left - first > LAG else first
        together[first].append(stay)
    return [
        _group(train, stays) for stays in together.values() if all(train.runs_of.get(s.number) for s in stays)
    ]


def _group(train: Train, stays: list[Stay]) -> _Group:
    front = min(stays, key=lambda stay: stay.entered)
    left = min(stay.left or 0.0 for stay in stays)
    green = train.runs_of[front.number][-1].ended
    reds = [train.runs_of[stay.number][-1].has_failed for stay in stays]
    return _Group(len(stays), left - (left if green is None else green), left - front.entered, any(reds))
