"""What a weekly digest says about changes, found in a child process."""

import asyncio
import json
from pathlib import Path

import pytest

from changes.history import END, slower_from
from empty_store import copy_empty_store
from mergecast.api.fair_shares import FairShare
from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.judge.pools import FORECASTS_AT_ONCE, forecast_pool
from mergecast.prediction.changes import Changes
from mergecast.prediction.forecaster import Forecaster
from mergecast.queues.model.instant import DAY, HOUR, WEEK, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sqlite.store import SQLiteStore
from shared_fork_servers import FOR_FORECASTS, PATIENT

pytestmark = pytest.mark.thorough
_NAME = Repository("acme", "slower")
_REPORTED = parse_instant("2026-07-26T00:00:00Z")


def test_a_digest_mentions_what_was_first_reported_in_its_week(tmp_path: Path) -> None:
    async def run() -> list[list[str]]:
        copy_empty_store(tmp_path)
        store = SQLiteStore(tmp_path / FILE_NAME)
        lines = "\n".join(json.dumps(event) for event in slower_from())
        await store.record(_NAME, read_lines(lines.encode(), END))
        known = await store.repository(_NAME)
        assert known is not None
        pool = forecast_pool(fork_server=FOR_FORECASTS, children_at_start=0, patience=PATIENT)
        shares = [FairShare(FORECASTS_AT_ONCE, 1, 8, "a test") for _ in range(4)]
        changes = Changes(Forecaster(store, lambda: END, pool, *shares))
        weeks = (_REPORTED - DAY, _REPORTED + 9 * HOUR, _REPORTED + WEEK + 9 * HOUR)
        try:
            return [await changes.first_reported(known, end) for end in weeks]
        finally:
            await pool.close()
            store.close()

    before, now, after = asyncio.run(run())
    assert "length of passed CI runs, p50: 15m → 23m, began on 2026-07-15" in now
    assert (before, [one for one in after if one in now]) == ([], [])
