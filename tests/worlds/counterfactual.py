"""A forecast held against the truth: the same world played under the candidate."""

from collections.abc import Iterator
from typing import NamedTuple

from mergecast.forecasting.estimate.estimate import estimate
from mergecast.forecasting.forecast.figures import Range, ranged
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.replicates import Experiment, play
from mergecast.forecasting.forecast.settings import apply, described
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.instant import Window
from worlds.events import events_of, history_of
from worlds.families import Pair
from worlds.figures import figures
from worlds.world import START

LIMITS = {"time_to_merge_p50": 0.1, "time_to_merge_p95": 0.2, "ci_runs_per_merge": 0.05}


class Held(NamedTuple):
    """One figure of one pair: what was forecast, what is true."""

    pair: str
    figure: str
    forecast: Range
    truth: float

    @property
    def error(self) -> float:
        return self.forecast.value / self.truth - 1

    @property
    def is_within(self) -> bool:
        return abs(self.error) <= LIMITS[self.figure]

    @property
    def is_covered(self) -> bool:
        return self.forecast.low <= self.truth <= self.forecast.high


def _kind(policy: Policy) -> str:
    if policy.landing is not None:
        return "github"
    return "gitlab" if policy.variants.slot_until_merged else "mergify"


def held(pair: Pair, replicates: int) -> Iterator[Held]:
    """Forecast `after` from the events that `before` left, and compare."""
    world = pair.world
    truth = figures(events_of(world, world.play(pair.after)), START, world.end)
    history = read_history(history_of(world, world.play(pair.before)), Window(START, world.end))
    (rules,) = infer(history)
    asked = described(_kind(pair.after), pair.after)
    candidate = apply(asked, rules.kind, rules.policy)
    experiment = Experiment(
        (estimate(rules, replicates, seed=1),), frozenset(history.queue_names), 0.0, history.length
    )
    played = [play(experiment, [[Plan(candidate)]], number)[0].figures for number in range(replicates)]
    found = ranged(played)
    for name in LIMITS:
        yield Held(pair.name, name, getattr(found, name), getattr(truth, name))
