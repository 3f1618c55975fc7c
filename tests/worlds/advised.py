"""A recommendation held against the truth: today's settings and all others, played in the same world."""

from dataclasses import dataclass
from random import Random

from mergecast.forecasting.forecast.answer import SettingsTried
from mergecast.forecasting.forecast.figures import ranged
from mergecast.forecasting.forecast.plan import as_recorded
from mergecast.forecasting.forecast.recommendation import recommended
from mergecast.forecasting.forecast.search import Bench, SearchQuestion, around, bench_for, try_settings
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.instant import Window
from worlds.changes import Change, queue
from worlds.events import events_of, history_of
from worlds.families import FAMILIES, fitted
from worlds.figures import Figures, figures
from worlds.world import START, World

_TODAY = ((1, 8), (1, 1), (1, 3), (2, 2), (3, 4), (4, 2), (5, 5), (8, 2), (2, 6), (8, 4), (1, 5), (6, 3))
_NO_MORE = 0.01  # CI, as a share of today's


@dataclass(frozen=True)
class Advised:
    """What was recommended in one world. Gains are true differences of p95: -0.1 is 10 % less than today."""

    name: str
    recommended: SettingsTried | None
    gain: float  # of what is recommended; 0 if that is nothing
    more_ci: float  # of what is recommended: CI time or runs per merge, whichever grows more
    trial: float | None  # the gain of what is worth a trial
    best: SettingsTried
    best_gain: float  # of all that truly need no more CI

    @property
    def regret(self) -> float:
        return (1 + self.gain) / (1 + self.best_gain) - 1


def advised(family: str, number: int, replicates: int) -> Advised:
    size, slots = _TODAY[number % len(_TODAY)]
    draw, today = Random(f"advised:{family}:{number}"), queue(size, slots)
    load = draw.uniform(0.4, 1.1)
    world = fitted(FAMILIES[family].draw(draw), Change("none", today, today), load)
    bench = _bench(world, today, replicates)
    before = bench.play(bench.today)
    tried = [try_settings(bench, before, settings) for settings in bench.combinations]
    found = recommended(tried, ranged([one.figures for one in before]).time_to_merge_p95)
    now, settings = _figures(world, today), bench.combinations
    then = [_figures(world, queue(one["batch_size"], one["max_parallel_checks"])) for one in settings]
    gains = [one.time_to_merge_p95 / now.time_to_merge_p95 - 1 for one in then]
    free = [place for place, one in enumerate(then) if _more_ci(one, now) <= _NO_MORE]
    best = min(free, key=lambda place: gains[place])
    chosen, trial = found.no_more_ci.combination, found.worth_a_trial.combination
    return Advised(
        f"{family} {number}: batches of {size}, {slots} at once",
        None if chosen is None else settings[chosen],
        0.0 if chosen is None else gains[chosen],
        0.0 if chosen is None else _more_ci(then[chosen], now),
        None if trial is None else gains[trial],
        settings[best],
        gains[best],
    )


def _bench(world: World, today: Policy, replicates: int) -> Bench:
    history = read_history(history_of(world, world.play(today)), Window(START, world.end))
    trains = infer(history)
    question = SearchQuestion(around(as_recorded(trains)), replicates=replicates)
    bench = bench_for(history, trains, question)
    assert isinstance(bench, Bench)
    return bench


def _figures(world: World, policy: Policy) -> Figures:
    return figures(events_of(world, world.play(policy)), START, world.end)


def _more_ci(then: Figures, now: Figures) -> float:
    return (
        max(
            then.ci_seconds_per_merge / now.ci_seconds_per_merge,
            then.ci_runs_per_merge / now.ci_runs_per_merge,
        )
        - 1
    )
