"""Two periods of worlds, and what an explanation says about them."""

from collections.abc import Sequence
from typing import NamedTuple

from mergecast.forecasting.explanation.answer import Explained
from mergecast.forecasting.explanation.explain import explain, too_little
from mergecast.forecasting.explanation.sides import Side, read_side
from mergecast.forecasting.replay.values import Policy
from mergecast.judge.messages import BEFORE as SHOWN_BEFORE
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, Window
from worlds.events import history_of
from worlds.world import START, World

DAYS = 28
BEFORE = Window(START, START + DAYS * DAY)
AFTER = Window(BEFORE.end, BEFORE.end + DAYS * DAY)


class Played(NamedTuple):
    """A world and the policy that is played in it."""

    world: World
    policy: Policy

    def side(self, window: Window) -> Side:
        found = history_of(self.world, self.world.play(self.policy))
        return side_of(found, window, BEFORE)


def side_of(events: Sequence[Event], window: Window, first: Window) -> Side:
    since = window.start - SHOWN_BEFORE
    return read_side([one for one in events if since <= one.happened_at < window.end], window, first)


def explained(before: Side, after: Side) -> Explained[float] | None:
    if too_little(before, after):
        return None
    steps = explain(before, after)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Explained[float] = end.value
            return found
