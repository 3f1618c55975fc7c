"""Observations sorted into threads: one per pull request and base branch, translated together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mergecast.sources.github.groups import Surroundings, merge_groups
from mergecast.sources.github.observation import Observation, Seen
from mergecast.sources.github.stays import github_stays, groups_ahead, surroundings_of


class Thread(NamedTuple):
    base_ref: str
    number: int


def threads(observations: Iterable[Observation]) -> dict[Thread, list[Observation]]:
    """The observations of each pull request on each base branch."""
    found: defaultdict[Thread, list[Observation]] = defaultdict(list)
    for one in observations:
        if one.number is not None:
            found[Thread(one.base_ref, one.number)].append(one)
    return dict(found)


def surroundings(
    others: Mapping[Thread, Sequence[Observation]], pushes: Iterable[Observation]
) -> Surroundings:
    """What other pull requests of a base branch, and pushes to it, say about the end of a group."""
    groups: dict[str, str | None] = {}
    for observations in others.values():
        groups |= groups_ahead(github_stays(observations, merge_groups(observations), Surroundings()))
    foreign = [one.instant for one in pushes if one.seen is Seen.BASE_PUSHED and not one.is_by_queue]
    return surroundings_of(groups, foreign)
