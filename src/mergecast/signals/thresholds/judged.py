"""Which figures can have a threshold, and of which origins."""

from typing import Final, NamedTuple

from mergecast.queues.model.figures import FIGURES, Figure
from mergecast.queues.model.threshold import BUILT_IN, LEARNED, REFERENCE, SET

# The figures that are read from a queue as it is now.
NO_RUN_STARTED: Final = "no_run_started"
RUN_TOO_LONG: Final = "run_too_long"
EVERYONE_FAILS: Final = "everyone_fails"
GOING_ROUND: Final = "going_round"
SPLITS: Final = "splits"  # an alert because of them is one of the figure going_round
NOTHING_MERGES: Final = "nothing_merges"
SOURCE_SILENT: Final = "source_silent"
RUNS_SLOW: Final = "runs_slow"
FORGOTTEN: Final = "forgotten"

OF_NOW: Final = (
    *(NO_RUN_STARTED, RUN_TOO_LONG, EVERYONE_FAILS, GOING_ROUND, SPLITS),
    *(NOTHING_MERGES, SOURCE_SILENT, RUNS_SLOW, FORGOTTEN),
)
_HIGHEST = 10_000_000.0


class Judged(NamedTuple):
    """The origins of a figure's thresholds, and which values can be set."""

    figure: Figure
    origins: tuple[str, ...]
    lowest: float = 1.0
    highest: float = _HIGHEST

    @property
    def is_of_now(self) -> bool:
        """Whether it is read from the queue as it is now, in place of from its last hours."""
        return self.figure.name in OF_NOW


def _judged(name: str, *origins: str, lowest: float = 1.0, highest: float = _HIGHEST) -> Judged:
    return Judged(FIGURES[name], origins, lowest, highest)


JUDGED: Final = {  # in the order of answers
    judged.figure.name: judged
    for judged in (
        _judged(NO_RUN_STARTED, LEARNED, SET),
        _judged(RUN_TOO_LONG, LEARNED, SET),
        _judged(EVERYONE_FAILS, LEARNED, SET),
        _judged(GOING_ROUND, LEARNED, SET),
        _judged(SPLITS, LEARNED, SET),
        _judged(NOTHING_MERGES, BUILT_IN),
        _judged(SOURCE_SILENT, LEARNED, SET, BUILT_IN),
        _judged(RUNS_SLOW, LEARNED, SET),
        _judged(FORGOTTEN, LEARNED, SET),
        _judged("failure_rate", SET, REFERENCE, BUILT_IN, lowest=0.0001, highest=1.0),
        _judged("time_in_queue_p95", SET),
        _judged("time_to_merge_p95", SET, REFERENCE),
        _judged("ci_runs_per_merge", SET, REFERENCE, lowest=0.001, highest=1000.0),
    )
}
OVER_TIME: Final = tuple(name for name in JUDGED if name not in OF_NOW)
ALERTED_NOW: Final = tuple(name for name in OF_NOW if name != SPLITS)  # the figures that alerts are of
