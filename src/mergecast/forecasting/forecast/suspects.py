"""Which of the pull requests in the queue are broken, given what has failed and passed so far."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.breakage import Rates, draw_broken
from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.evidence import Evidence, gather
from mergecast.forecasting.estimate.oracle import Tables, lasting
from mergecast.forecasting.estimate.run_table import RunTable, run_table
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY, microseconds
from mergecast.forecasting.history.train import Train

_SEED: Final = 8
_LOOKS_BACK: Final = DAY  # from the oldest stay: what its first runs were tested on


@dataclass(frozen=True)
class Suspects:
    """The runs since the oldest stay entered, and what they show; stays are numbered as in these runs."""

    table: RunTable
    evidence: Evidence
    running: tuple[int, ...]  # rows of the runs in progress
    numbers: tuple[int, ...]  # of the stays in the whole history

    def broken(self, tables: Tables, replicate: int, count: int) -> Iterator[frozenset[int]]:
        """The numbers of the stays that are broken, drawn with the rates of one replicate."""
        rates = Rates(tables.broken, tables.runs[0].flakes[-1], tables.flake_again, tables.lucky)
        chances = (generator(_SEED, replicate, turn) for turn in range(count))
        for found in draw_broken(self.table, self.evidence, self._lasting(tables), rates, chances):
            yield frozenset(self.numbers[stay] for stay in found)

    def _lasting(self, tables: Tables) -> Numbers:
        """A run that has lasted longer than most failures is likely to pass."""
        found, table = np.ones(len(self.table.starts)), self.table
        for run in self.running:
            kind = int(table.sizes[run]), int(table.in_flight[run]), int(table.rules[run])
            found[run] = lasting(tables, kind, microseconds(float(table.lengths[run])))
        return found


def suspects_of(train: TrainRules) -> Suspects:
    history = train.recorded.history
    since = min(stay.entered for stay in history.stays if stay.left is None) - _LOOKS_BACK
    near = history.since(since)
    table = run_table(Train(near), train.queue_names)
    return Suspects(
        table,
        gather(table, len(near.stays)),
        running=tuple(run.number for run in near.runs if run.ended is None),
        numbers=tuple(stay.number for stay in history.stays if stay.left is None or stay.left >= since),
    )
