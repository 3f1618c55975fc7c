"""When the pull requests that are in a queue now will probably merge."""

from collections.abc import Sequence
from typing import Final

from mergecast.estimate.estimate import estimate
from mergecast.estimate.tables import oracle_of
from mergecast.forecast.backtest import BackTest
from mergecast.forecast.eta import Eta
from mergecast.forecast.forecast import TooLittle, too_little
from mergecast.forecast.plan import Plan, as_recorded
from mergecast.forecast.present import ExpectedMerge, play_forward
from mergecast.history.inference import TrainRules
from mergecast.history.structure import History

_REPLICATES: Final = 30


def expected_merges(
    history: History, trains: Sequence[TrainRules], seed: int = 1
) -> tuple[ExpectedMerge, ...] | TooLittle:
    """One for each pull request that is in a queue when the history ends."""
    if missing := too_little(history, frozenset(history.queue_names)):
        return missing
    return tuple(found for train in trains for found in _of_train(train, seed))


def trust_in_expected_merges(history: History, trains: Sequence[TrainRules], seed: int = 1) -> Eta:
    """How often past pull requests merged when they were expected to."""
    test = BackTest(history, trains, as_recorded(trains), frozenset(history.queue_names), seed)
    return test.eta(test.fitted())


def _of_train(train: TrainRules, seed: int) -> list[ExpectedMerge]:
    if all(stay.left is not None for stay in train.line.history.stays):
        return []
    fitted = estimate(train, _REPLICATES, seed)
    oracles = [oracle_of(fitted, replicate) for replicate in range(_REPLICATES)]
    return list(play_forward(train, Plan(train.policy, train.kind), oracles, fitted.overheads))
