"""Which of the undocumented rules a failed or stopped batch follows is found in the record."""

from dataclasses import replace

import pytest

from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy, QueueRule, Variants
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

_BUSY = World(
    9, days=28, pulls_per_day=60, length_median=25, broken=0.04, leaving_per_hour=0.08, lag_seconds=3.0
)
_POLICY = Policy(rules=(QueueRule(8, 8),), variants=Variants(tests_last_member=True))


def _found(variants: Variants) -> TrainRules:
    record = _BUSY.play(replace(_POLICY, variants=variants))
    (rules,) = infer(read_history(history_of(_BUSY, record), Window(START, _BUSY.end)))
    return rules


@pytest.mark.parametrize("parts_wait", [False, True])
@pytest.mark.parametrize("stopped_wait", [False, True])
def test_who_waits_behind_others_is_found(*, parts_wait: bool, stopped_wait: bool) -> None:
    rules = _found(replace(_POLICY.variants, parts_wait=parts_wait, stopped_wait=stopped_wait))

    cases = {one.rule: one.cases for one in rules.detected}
    assert cases["parts of a failed batch"] >= 5
    assert cases["rest of a stopped batch"] >= 5
    assert rules.policy.variants.parts_wait is parts_wait
    assert rules.policy.variants.stopped_wait is stopped_wait
