"""Every worked example, on the loop that answers questions and on the readable one."""

from dataclasses import dataclass

import pytest

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.replay import replay
from queue_replay.examples import EXAMPLES, SECOND, Example
from queue_replay.reference_queue import Reference

LETTERS = {
    "M": codes.MERGED,
    "S": codes.VOUCHED,
    "F": codes.FAILED,
    "D": codes.DROPPED,
    "L": codes.SPLIT_LIMIT,
    "H": codes.BY_HAND,
}


@dataclass
class Told:
    stays: dict[int, tuple[int, int]]
    runs: int
    ci_seconds: float


def expected(example: Example) -> Told:
    stays = {}
    for part in example.results.split("; "):
        numbers, seconds, letter = part.split()
        first, _, last = numbers.partition("-")
        for number in range(int(first), int(last or first) + 1):
            stays[number] = (int(seconds), LETTERS[letter])
    return Told(stays, example.runs, example.ci_seconds)


def told_by_reference(example: Example) -> Told:
    queue = Reference(example.arrivals(), example.policy, example.oracle(), example.around).play()
    return Told(
        {
            stay.number: (stay.left_at // SECOND, stay.reason)
            for stay in sorted(queue.stays, key=lambda s: s.number)
        },
        len(queue.runs),
        sum(run.ended_at - run.started_at for run in queue.runs) / SECOND,
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.id}: {example.story}")
def test_reference_follows_the_worked_example(example: Example) -> None:
    """Who leaves when and why, how many runs, how many seconds of CI."""
    assert expected(example) == told_by_reference(example)


def told_by_replay(example: Example) -> Told:
    arrivals = example.arrivals()
    record = replay(arrivals, example.policy, example.oracle(), example.around)
    stays, runs = record.stays, record.runs
    left = zip(stays.pull, stays.left_at, stays.reason, strict=True)
    return Told(
        {arrivals.number[pull]: (left_at // SECOND, reason) for pull, left_at, reason in left},
        len(runs.batch),
        (sum(runs.ended_at) - sum(runs.started_at)) / SECOND,
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.id}: {example.story}")
def test_replay_follows_the_worked_example(example: Example) -> None:
    """Who leaves when and why, how many runs, how many seconds of CI."""
    assert expected(example) == told_by_replay(example)
