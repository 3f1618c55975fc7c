"""Thousands of stays whose lengths differ by few microseconds, so that many percentiles end in halves."""

from collections.abc import Iterator
from random import Random

from builders import Wire, ended, entered, left, started
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant

_START = parse_instant("2026-02-27T00:00:00Z")
_SPAN = 30 * DAY
_LENGTHS = (5 * MINUTE, 47 * MINUTE, 3 * HOUR, 2 * DAY)
_SPREADS = (2, 9, 1000, HOUR)
_GROUPS = (
    {"base_ref": "main", "queue_name": "default"},
    {"base_ref": "main", "queue_name": "default", "priority_rule_name": "urgent"},
    {"base_ref": "release", "queue_name": "slow ä"},
)
_REASONS = (
    "PR_MERGED",
    "PR_MERGED",
    "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED",
    "CHECKS_FAILED",
    "PR_DEQUEUED",
)


def generated_history(seed: int, stays: int) -> Iterator[Wire]:
    random = Random(seed)
    for number in range(stays):
        yield from _stay(random, number)


def _stay(random: Random, number: int) -> Iterator[Wire]:
    """One pull request that is tested one to three times; some of its events were never reported."""
    group = random.choice(_GROUPS)
    session, batch = f"stay-{number}", f"batch-{number // 2}"
    members = [number // 2 * 2, number // 2 * 2 + 1]
    at = _START + random.randrange(_SPAN)
    if random.random() < 0.98:
        yield entered(format_instant(at), session, number, **group)
    for attempt in range(1, random.choice((2, 2, 2, 3, 4))):
        at += _length(random) // 4
        yield started(format_instant(at), session, number, batch, members, attempt=attempt, **group)
        at += _length(random)
        outcome = random.choice(("SUCCESS", "CHECKS_FAILED", "CHECKS_RETRIED", "PR_DEQUEUED"))
        if random.random() < 0.98:
            yield ended(format_instant(at), session, number, batch, outcome, attempt=attempt, **group)
    waits = {"seconds_waiting_for_schedule": random.choice((0, 0, 0.1, 61.000007, 3600))}
    at += random.randrange(random.choice(_SPREADS))
    yield left(format_instant(at), session, number, random.choice(_REASONS), batch_id=batch, **waits, **group)


def _length(random: Random) -> int:
    return random.choice(_LENGTHS) + random.randrange(random.choice(_SPREADS))
