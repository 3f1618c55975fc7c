"""Checks that were cancelled, so that their group was removed: by a time limit, or by a concurrency key.

Neither says anything about the change that was tested.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY, MINUTE, SECOND
from mergecast.signals.verdict.counts import is_kept
from mergecast.signals.verdict.happenings import Stop

NEAR: Final = 30 * SECOND
_FEWEST_ENDS: Final = 3
_MOST_ENDS: Final = 20  # of one check; the last count
_MOST_CHECKS: Final = 40


class Stopped(NamedTuple):
    """What cancelled a check: its limit in minutes, else another group, if anything is known."""

    name: str
    minutes: int | None = None
    longest_pass: int | None = None  # in microseconds
    is_by_key: bool = False

    @property
    def is_explained(self) -> bool:
        return self.minutes is not None or self.is_by_key


@dataclass(slots=True)
class Lengths:
    """How long a check ran until it was cancelled, with the instants; and the longest pass of each day."""

    ends: list[tuple[int, int]] = field(default_factory=list)
    passes: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Stops:
    lengths: dict[str, Lengths] = field(default_factory=dict)  # by check, the last one to be stopped last

    def note_passes(self, passes: Iterable[tuple[str, int]], at: int) -> None:
        """Of checks that were never stopped, passes are of no interest."""
        for name, length in passes:
            if known := self.lengths.get(name):
                known.passes[at // DAY] = max(known.passes.get(at // DAY, 0), length)

    def stopped(self, stops: Iterable[Stop], starts: Iterable[int], at: int) -> Stopped | None:
        """What stopped a run that ended now; `starts` are those of other groups."""
        stops, starts = list(stops), list(starts)
        for stop in stops:
            known = self.lengths.pop(stop.name, Lengths())
            if stop.length is not None:
                known.ends = [*known.ends, (at, stop.length)][-_MOST_ENDS:]
            self.lengths[stop.name] = known
        for name in list(self.lengths)[:-_MOST_CHECKS]:
            del self.lengths[name]
        limited = (self._by_limit(stop) for stop in stops)
        keyed = (
            Stopped(stop.name, is_by_key=True)
            for stop in stops
            if any(abs(stop.at - start) <= NEAR for start in starts)
        )
        unknown = (Stopped(stop.name) for stop in stops)
        return next((found for found in (*limited, *keyed, *unknown) if found), None)

    def _by_limit(self, stop: Stop) -> Stopped | None:
        """The limit of its check, if enough ends are near one length."""
        known = self.lengths.get(stop.name)
        if known is None or stop.length is None:
            return None
        lengths = sorted(length for _, length in known.ends)
        for first in (length for length in lengths if stop.length - 2 * NEAR <= length <= stop.length):
            near = [length for length in lengths if first <= length <= first + 2 * NEAR]
            if len(near) >= _FEWEST_ENDS:
                minutes = max(1, round(near[len(near) // 2] / MINUTE))
                return Stopped(stop.name, minutes, max(known.passes.values(), default=None))
        return None

    def prune(self, today: int) -> None:
        for name, known in list(self.lengths.items()):
            known.ends = [(at, length) for at, length in known.ends if is_kept(at // DAY, today)]
            known.passes = {day: length for day, length in known.passes.items() if is_kept(day, today)}
            if not known.ends:
                del self.lengths[name]
