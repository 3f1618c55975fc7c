"""When alerts about a queue as it is now begin and end: at once above a level, later below half of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mergecast.queues.model.instant import MINUTE
from mergecast.signals.thresholds.readings import Reading

REST: Final = 10 * MINUTE  # so long a figure must be calm before its alert has ended


@dataclass(frozen=True, slots=True)
class Watched:
    """The figures of the open alerts of one queue, and since when some of them seem to be over."""

    names: frozenset[str] = frozenset()
    calm_since: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    watched: Watched
    begun: tuple[Reading, ...]
    ended: Mapping[str, int]  # when each alert ended, by its figure


def watch(before: Watched, readings: Sequence[Reading], at: int) -> Change:
    """Compare the readings of a queue with the alerts that were open before."""
    found = {reading.name: reading for reading in readings}
    begun = tuple(reading for reading in readings if reading.holds and reading.name not in before.names)
    calm = {
        name: before.calm_since.get(name, at)
        for name in before.names
        if name not in found or found[name].is_calm
    }
    # What is neither too high nor low enough keeps its state.
    calm |= {
        name: since
        for name, since in before.calm_since.items()
        if name in before.names and name in found and not found[name].holds
    }
    ended = {name: since for name, since in sorted(calm.items()) if at - since >= REST}
    kept = before.names.difference(ended).union(reading.name for reading in begun)
    still = {name: since for name, since in calm.items() if name not in ended}
    return Change(Watched(kept, still), begun, ended)
