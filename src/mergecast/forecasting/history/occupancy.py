"""How many runs and passed batches a train had at the same time."""

from collections import defaultdict
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.train import Tally, Train
from mergecast.queues.model.slots import most_in_flight

_ENOUGH: Final = 5


class Spell(NamedTuple):
    """A span of time in which the number of running and of passed, unmerged batches did not change."""

    start: float
    end: float
    running: int
    passed: int


def spells(train: Train) -> list[Spell]:
    """The train's occupancy, step by step."""
    changes: dict[float, list[int]] = defaultdict(lambda: [0, 0])
    for kind, spans in enumerate((_running_spans(train), _passed_spans(train))):
        for start, end in spans:
            if end > start:
                changes[start][kind] += 1
                changes[end][kind] -= 1
    found, running, passed, since = [], 0, 0, 0.0
    for at in sorted(changes):
        if running or passed:
            found.append(Spell(since, at, running, passed))
        since, running, passed = at, running + changes[at][0], passed + changes[at][1]
    return found


def _running_spans(train: Train) -> list[tuple[float, float]]:
    end = train.history.length
    return [(run.started, end if run.ended is None else run.ended) for run in train.history.runs]


def _passed_spans(train: Train) -> list[tuple[float, float]]:
    """From the end of a passing run until its first member is merged."""
    found = []
    for run in train.history.runs:
        if run.outcome != "SUCCESS" or run.ended is None:
            continue
        if any(train.runs_of[member][-1].number > run.number for member in run.members):
            continue
        merged = [stay.left for stay in train.members_of(run) if stay.is_merged and stay.left is not None]
        if merged:
            found.append((run.ended, min(merged)))
    return found


def most_at_once(found: list[Spell]) -> int:
    """The most concurrent runs, by the time that they were in progress."""
    return most_in_flight(((spell.end - spell.start, spell.running) for spell in found), LAG)


def slots_kept_until_merged(train: Train, found: list[Spell], slots: int) -> Tally:
    """Whether a passed batch keeps its slot: then running and passed ones together never exceed the slots.

    To show it, a batch must have waited while another had passed and a slot was free.
    """
    lasting = [spell for spell in found if spell.passed and spell.end - spell.start > 2 * LAG]
    more = sum(spell.running + spell.passed > slots for spell in lasting)
    if more:
        return Tally(against=0, agreeing=more)
    full = [spell for spell in lasting if spell.running and spell.running + spell.passed == slots]
    held = sum(bool(train.waiting_at(spell.start + LAG)) for spell in full)
    return Tally(against=held if held >= _ENOUGH else 0, agreeing=0)
