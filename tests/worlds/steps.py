"""Worlds that change at one instant, and what happened in each hour of a replay."""

from collections import defaultdict
from dataclasses import dataclass

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    Entering,
    EnteringFields,
    Fate,
    Leaving,
    Oracle,
    Outcome,
    Policy,
    RunStart,
    RunStartFields,
)
from mergecast.queues.model.instant import HOUR, SECOND
from mergecast.queues.model.reference_period import QueueHour
from worlds import world as worlds
from worlds.world import World

_MERGED = (codes.MERGED, codes.VOUCHED)
_FAILED = (codes.FAILED, codes.TIMED_OUT)


@dataclass(frozen=True)
class Step:
    """Two worlds with the same arrivals; `after` takes over at an instant."""

    before: World
    after: World
    at: int

    def world(self, at: int) -> World:
        return self.before if at < self.at else self.after

    def play(self, policy: Policy) -> Record:
        oracle = Oracle(self, _fate, _outcome, _comes_back)
        return replay(self.before.arrivals, policy, oracle, self.before.circumstances())


def _fate(step: Step, fields: EnteringFields) -> Fate:
    return worlds.fate(step.world(Entering(*fields).at), fields)


def _outcome(step: Step, fields: RunStartFields) -> Outcome:
    return worlds.outcome(step.world(RunStart(*fields).at), fields)


def _comes_back(step: Step, leaving: Leaving) -> int:
    return worlds.comes_back(step.before, leaving)


def hours_of(record: Record) -> list[QueueHour]:
    """What the store would answer about each hour in which something happened."""
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    seconds: defaultdict[int, list[int]] = defaultdict(list)
    stays = record.stays
    for entered_at, left_at, reason in zip(stays.entered_at, stays.left_at, stays.reason, strict=True):
        if left_at != codes.NEVER:
            of_hour = counts[left_at // HOUR]
            of_hour[0] += 1
            of_hour[1] += reason in _FAILED
            of_hour[2] += reason in _MERGED
            if reason in _MERGED:
                seconds[left_at // HOUR].append((left_at - entered_at) // SECOND)
    for ended_at in record.runs.ended_at:
        if ended_at != codes.NEVER:
            counts[ended_at // HOUR][3] += 1
    return [QueueHour._make((number, *counts[number], tuple(seconds[number]))) for number in sorted(counts)]
