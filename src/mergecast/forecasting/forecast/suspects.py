"""Which of the pull requests in the queue are broken, given what has failed and passed so far."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.breakage import Explanations, Rates
from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.evidence import gather
from mergecast.forecasting.estimate.oracle import Tables, lasting
from mergecast.forecasting.estimate.run_table import RunTable, run_table
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY, microseconds
from mergecast.forecasting.history.train import Train
from mergecast.queues.model.verdict import Suspicion

# What verdicts would say about pull requests that were in the queue then, in seconds from the start.
Suspicions = Callable[[float], Sequence[Suspicion]]

_SEED: Final = 8
_LOOKS_BACK: Final = DAY  # from the oldest stay: what its first runs were tested on


def unsuspecting(_instant: float) -> Sequence[Suspicion]:
    """Where neither commits nor names of checks are known."""
    return ()


class _Weighed(NamedTuple):
    suspects: tuple[str, ...]
    sets: NDArray[np.int64]
    probabilities: Numbers

    def draw(self, known: dict[str, bool], uniform: float) -> None:
        """Adds who is broken, given what is known of some of them."""
        places = [(1 << place, known[name]) for place, name in enumerate(self.suspects) if name in known]
        if len(places) == len(self.suspects):
            return
        seen = sum(bit for bit, _ in places)
        is_left = (self.sets & seen) == sum(bit for bit, is_broken in places if is_broken)
        added_up = np.cumsum(self.probabilities * is_left)
        if added_up[-1] > 0:
            drawn = int(self.sets[np.searchsorted(added_up, uniform * added_up[-1], side="right")])
            known |= {
                name: bool(drawn >> place & 1)
                for place, name in enumerate(self.suspects)
                if name not in known
            }


@dataclass(frozen=True)
class Suspects:
    """The runs since the oldest stay entered, and what they show; stays are numbered as in these runs.

    What verdicts say counts for those that they are about: they know names of checks and commits.
    """

    table: RunTable
    explanations: Explanations
    running: tuple[int, ...]  # rows of the runs in progress
    numbers: tuple[int, ...]  # of the stays in the whole history
    weighed: tuple[_Weighed, ...]
    sessions: dict[str, int]  # the numbers of those in the queue

    def broken(self, tables: Tables, replicate: int, count: int) -> Iterator[frozenset[int]]:
        """The numbers of the stays that are broken, drawn with the rates of one replicate."""
        rates = Rates(tables.broken, tables.runs[0].flakes[-1], tables.flake_again, tables.lucky)
        ratios = self._lasting(tables)
        for turn in range(count):
            chance = generator(_SEED, replicate, turn)
            found = self.explanations.broken(ratios, rates, chance)
            yield frozenset(self._revised({self.numbers[stay] for stay in found}, chance))

    def _revised(self, broken: set[int], chance: np.random.Generator) -> set[int]:
        known: dict[str, bool] = {}
        for weighed, uniform in zip(self.weighed, chance.random(len(self.weighed)), strict=True):
            weighed.draw(known, float(uniform))
        here = {self.sessions[name]: is_broken for name, is_broken in known.items() if name in self.sessions}
        return (broken - here.keys()) | {number for number, is_broken in here.items() if is_broken}

    def _lasting(self, tables: Tables) -> Numbers:
        """A run that has lasted longer than most failures is likely to pass."""
        found, table = np.ones(len(self.table.starts)), self.table
        for run in self.running:
            kind = int(table.sizes[run]), int(table.in_flight[run]), int(table.rules[run])
            found[run] = lasting(tables, kind, microseconds(float(table.lengths[run])))
        return found


def suspects_of(train: TrainRules, suspicions: Sequence[Suspicion]) -> Suspects:
    history = train.recorded.history
    since = min(stay.entered for stay in history.stays if stay.left is None) - _LOOKS_BACK
    near = history.since(since)
    table = run_table(Train(near), train.queue_names)
    return Suspects(
        table,
        Explanations(table, gather(table, len(near.stays))),
        running=tuple(run.number for run in near.runs if run.ended is None),
        numbers=tuple(stay.number for stay in history.stays if stay.left is None or stay.left >= since),
        weighed=tuple(
            _Weighed(one.suspects, np.array(one.sets, dtype=np.int64), np.array(one.probabilities))
            for one in suspicions
        ),
        sessions={stay.session_id: stay.number for stay in history.stays if stay.left is None},
    )
