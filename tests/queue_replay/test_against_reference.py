"""The fast loop and the readable one give the same record, to the last row."""

import pytest

from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from queue_replay.random_queues import Case, case
from queue_replay.reference_queue import Reference

pytestmark = pytest.mark.thorough

CASES = 3000
TOGETHER = 250


Rows = dict[str, list[tuple[object, ...]]]


def rows_of_reference(one: Case) -> Rows:
    queue = Reference(one.arrivals, one.policy, one.oracle, one.around).play()
    bisection_of = {bisection: row for row, bisection in enumerate(queue.bisections)}
    return {
        "stays": sorted(
            (
                *(stay.row, stay.turn, stay.queued_at, stay.left_at),
                *(stay.reason, stay.batch.id if stay.batch else -1, stay.place),
            )
            for stay in queue.stays
        ),
        "members": [(batch.id, *((stay.row, stay.turn) for stay in batch.tested)) for batch in queue.batches],
        "runs": [
            (
                *(run.batch.id, run.attempt, run.formed_at, run.started_at),
                *(run.ended_at, run.outcome, run.ahead, run.in_flight),
            )
            for run in queue.runs
        ],
        "splits": [(bisection_of[split[0]], split[1], split[2], split[3].id) for split in queue.splits],
        "bisections": [
            (one.batch.id, one.ended_at, one.culprit_found, one.limit_reached) for one in queue.bisections
        ],
    }


def rows_of_record(record: Record) -> Rows:
    stays = record.stays
    return {
        "stays": sorted(zip(*stays, strict=True)),
        "members": [
            (batch, *((stays.pull[stay], stays.turn[stay]) for stay in record.members_of(batch)))
            for batch in range(len(record.batches.size))
        ],
        "runs": list(zip(*record.runs, strict=True)),
        "splits": list(zip(*record.splits, strict=True)),
        "bisections": list(zip(*record.bisections, strict=True)),
    }


@pytest.mark.parametrize("first", range(0, CASES, TOGETHER))
def test_fast_loop_agrees_with_the_readable_one(first: int) -> None:
    """On small queues of all kinds, modes, variants and circumstances."""
    for seed in range(first, first + TOGETHER):
        one = case(seed)
        record = replay(one.arrivals, one.policy, one.oracle, one.around)

        assert rows_of_reference(one) == rows_of_record(record), f"case {seed}"
