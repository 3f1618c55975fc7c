"""What a preview found is kept for as long as the data stays the same."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from builders import worked_example
from empty_store import copy_empty_store
from mergecast.api.fair_shares import FairShare
from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.judge.pools import FORECASTS_AT_ONCE, forecast_pool
from mergecast.prediction.forecaster import Forecaster
from mergecast.prediction.threshold_previews import ThresholdPreviews
from mergecast.queues.model.instant import WEEK, Window, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.sqlite.store import SQLiteStore
from mergecast.signals.thresholds.preview import LevelAsked, Previewed
from mergecast.signals.thresholds.queue_history import QueueHistory, QueueName
from shared_fork_servers import FOR_FORECASTS, PATIENT

pytestmark = pytest.mark.thorough
_NAME = Repository("acme", "widgets")
_NOW = parse_instant("2026-03-03T00:00:00Z")
_ASKED = LevelAsked(
    QueueName("main", "default"), Window(_NOW - WEEK, _NOW), "run_too_long", 60.0, QueueHistory()
)


def test_a_question_is_read_again_only_if_it_or_the_data_is_another_one(tmp_path: Path) -> None:
    read: list[str] = []

    def question(_: Reader) -> bytes:
        read.append("read")
        return msgspec.json.encode(_ASKED)

    async def run() -> list[int]:
        copy_empty_store(tmp_path)
        store = SQLiteStore(tmp_path / FILE_NAME)
        pool = forecast_pool(fork_server=FOR_FORECASTS, children_at_start=0, patience=PATIENT)
        shares = [FairShare(FORECASTS_AT_ONCE, 1, 8, "a test") for _ in range(4)]
        previews = ThresholdPreviews(Forecaster(store, lambda: _NOW, pool, *shares))
        counts = []
        try:
            for events, asked in ((slice(0, 6), "a"), (slice(0), "a"), (slice(0), "b"), (slice(6, 12), "a")):
                await _record(store, worked_example()[events])
                known = await store.repository(_NAME)
                assert known is not None
                found = await previews.find("caller", known, asked, question)
                assert found == Previewed([], can_judge=True)
                counts.append(len(read))
        finally:
            await pool.close()
            store.close()
        return counts

    assert [1, 1, 2, 3] == asyncio.run(run())


async def _record(store: SQLiteStore, events: Sequence[object]) -> None:
    if events:
        lines = "\n".join(json.dumps(event) for event in events)
        await store.record(_NAME, read_lines(lines.encode(), _NOW))
