"""The recorded runs of one train, in columns."""

from bisect import insort
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.standstills import overlap
from mergecast.forecasting.history.structure import Run
from mergecast.forecasting.history.train import Train


class Ending(IntEnum):
    """How a run ended, as far as it matters to estimates."""

    PASSED = 0
    FAILED = 1
    TIMED_OUT = 2
    CANCELLED = 3  # by the CI system
    STOPPED = 4  # by the queue, or it was still in progress at the end of the window


@dataclass(frozen=True)
class RunTable:
    """One row per run, by start. Lengths are seconds, at least a millisecond, without standstills."""

    starts: Numbers
    lengths: Numbers
    endings: NDArray[np.int64]
    attempts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    in_flight: NDArray[np.int64]  # runs in progress at its start, including itself
    rules: NDArray[np.int64]  # index of its queue in the train
    trees: tuple[tuple[int, ...], ...]  # its members and everything ahead


def run_table(train: Train, queue_names: tuple[str, ...]) -> RunTable:
    runs = train.history.runs
    ends = [train.history.length if run.ended is None else run.ended for run in runs]
    return RunTable(
        starts=np.array([run.started for run in runs], dtype=np.float64),
        lengths=np.array(
            [
                max(1e-3, end - run.started - overlap(train.standstills, run.started, end))
                for run, end in zip(runs, ends, strict=True)
            ],
            dtype=np.float64,
        ),
        endings=np.array([_ending(run) for run in runs], dtype=np.int64),
        attempts=np.array([run.attempt for run in runs], dtype=np.int64),
        sizes=np.array([len(run.members) for run in runs], dtype=np.int64),
        in_flight=np.array(_in_flight(runs, ends), dtype=np.int64),
        rules=np.array([queue_names.index(run.queue_name) for run in runs], dtype=np.int64),
        trees=tuple((*run.members, *train.ahead[run.number]) for run in runs),
    )


def _ending(run: Run) -> Ending:
    if run.outcome == "SUCCESS":
        return Ending.PASSED
    if run.has_failed:
        return Ending.FAILED
    if run.outcome == "CHECKS_TIMEOUT":
        return Ending.TIMED_OUT
    return Ending.CANCELLED if run.outcome == "CHECKS_INTERRUPTED" else Ending.STOPPED


def _in_flight(runs: tuple[Run, ...], ends: list[float]) -> list[int]:
    counts: list[int] = []
    going: list[float] = []
    for run, end in zip(runs, ends, strict=True):
        while going and going[0] <= run.started:
            going.pop(0)
        insort(going, end)
        counts.append(len(going))
    return counts
