"""The queue's own delays: to start checks, to retry them, to merge."""

from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.seconds import MINUTE, in_seconds
from mergecast.forecasting.history.starting import largest_batches, oldest_age
from mergecast.forecasting.history.structure import Run
from mergecast.forecasting.history.train import Train
from mergecast.forecasting.replay.values import Policy

_LONGEST: Final = 5 * MINUTE
_FEW: Final = 5


class Overheads(NamedTuple):
    """Seconds. The k-th pull request of a batch, from 0, leaves `end + k * next_end` after the checks."""

    form: float
    retry: float
    end: float
    next_end: float


def fit_overheads(train: Train, queue_names: tuple[str, ...], policy: Policy) -> Overheads:
    end, next_end = _endings(train)
    return Overheads(
        _typical(_formings(train, queue_names, policy)), _typical(_retries(train)), end, next_end
    )


def _typical(found: list[float]) -> float:
    usual = [max(0.0, seconds) for seconds in found if -LAG <= seconds <= _LONGEST]
    return median(usual) if len(usual) >= _FEW else 0.0


def _formings(train: Train, queue_names: tuple[str, ...], policy: Policy) -> list[float]:
    """Delays of batches that nothing held up: the train was empty, and the batch full or its wait over."""
    largest = largest_batches(train)
    settings = dict(zip(queue_names, policy.rules, strict=True))
    waits = {name: in_seconds(rule.batch_max_wait_time) for name, rule in settings.items()}
    found = []
    quiet_since = 0.0
    for run in train.history.runs:
        stays = train.members_of(run)
        newest = max(stay.entered for stay in stays)
        is_full = len(stays) == largest[run.queue_name]
        ready = newest if is_full else run.started - oldest_age(train, run) + waits[run.queue_name]
        if run.attempt == 1 and not train.ahead[run.number] and ready > quiet_since + LAG:
            found.append(run.started - ready)
        quiet_since = max(quiet_since, run.ended if run.ended is not None else train.history.length)
    return found


def _retries(train: Train) -> list[float]:
    return [
        after.started - before.ended
        for attempts in train.attempts_of.values()
        for before, after in pairwise(attempts)
        if before.ended is not None
    ]


def _endings(train: Train) -> tuple[float, float]:
    """From the end of the checks to the first merge, and how much each further merge adds."""
    first: list[float] = []
    steps: list[float] = []
    for run in train.history.runs:
        if run.outcome == "SUCCESS" and run.ended is not None and not _held(train, run):
            exits = sorted(
                stay.left for stay in train.members_of(run) if stay.is_merged and stay.left is not None
            )
            first += [exits[0] - run.ended] if exits else []
            steps += [after - before for before, after in pairwise(exits)]
    return _typical(first), _typical(steps)


def _held(train: Train, run: Run) -> bool:
    """Whether a pull request ahead of a passed run merged only after it passed, so that it had to wait."""
    return any(
        (stay.left is None or stay.left >= (run.ended or 0.0) - LAG)
        for stay in (train.history.stays[ahead] for ahead in train.ahead[run.number])
    )
