"""Finds what is connected by common names."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence


def connected(names: Sequence[Collection[Hashable]]) -> list[list[int]]:
    """The places of the given collections, together with those that share a name, directly or by others.

    A collection without names is connected to no other.
    """
    leaders = list(range(len(names)))

    def leader_of(place: int) -> int:
        while leaders[place] != place:
            leaders[place] = leaders[leaders[place]]
            place = leaders[place]
        return place

    first: dict[Hashable, int] = {}
    for place, own in enumerate(names):
        for name in own:
            leaders[leader_of(place)] = leader_of(first.setdefault(name, place))
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(names)):
        found[leader_of(place)].append(place)
    return list(found.values())
