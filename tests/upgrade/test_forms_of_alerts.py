"""What earlier versions stored about warnings, in each of its forms, becomes thresholds and alerts."""

import asyncio
import json
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergecast.queues.model.alert import Alert, Evidence
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import SetThreshold
from mergecast.queues.store.alerts import open_alerts
from mergecast.queues.store.channel_rows import read_channels
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.thresholds import read_thresholds
from postgres.server import new_database
from signals.stored import begun_alert
from upgrade.dumps import restore_duckdb, restore_postgres
from upgrade.make_stores import WATCHED

pytestmark = pytest.mark.server

_TOWER = Repository("demo", "tower")
_SPLIT = {
    "name": "going_round",
    "since": "1970-01-01T00:00:00Z",
    "sentence": "a batch of `it's` has been split 5 times",
    "advice": "Look at it.",
    "evidence": {"value": 5.0, "pull_requests": [7], "runs": ["b"], "source": None},
    "level": {"value": 4.0, "unit": "splits", "is_set": True},
}
_OPTIONS = {"shown": "…", "notify": ["removed", "alert"], "queues": ["a"], "digest": {"day": "friday"}}
# Earlier versions left out what they did not know; names have signs that JSON escapes.
_ROWS = f"""
insert into SCHEMA.queue_problems values
(1, 9, 'main', 'a "quoted" é', 'going_round', 5, null, '{json.dumps(_SPLIT).replace("'", "''")}');
insert into SCHEMA.channels values
('x', 'demo', 'tower', 'slack', '', '{json.dumps(_OPTIONS)}', 9000000000000000, null, null, null);
update SCHEMA.targets set document = '[["main",null,null,0.05,1.25]]';
"""


@pytest.fixture(params=["duckdb", "postgres"])
def upgraded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    dump, data, url = tmp_path / "dump.sql", tmp_path / "data", None
    kept = lzma.decompress((WATCHED / f"{request.param}.sql.xz").read_bytes()).decode()
    data.mkdir()
    if request.param == "postgres":
        url = new_database(request.getfixturevalue("database_server"))
        dump.write_text(kept + _ROWS.replace("SCHEMA", "public"), encoding="utf-8")
        restore_postgres(dump, url)
    else:
        dump.write_text(kept + _ROWS.replace("SCHEMA", "main"), encoding="utf-8")
        restore_duckdb(dump, data / FILE_NAME)
    store = open_store(data, url)
    yield store
    store.close()


def test_every_form_is_taken_over(upgraded: Store) -> None:
    async def read() -> tuple[list[Alert], list[SetThreshold], list[dict[str, object]]]:
        known = await upgraded.repository(_TOWER)
        assert known is not None

        def work(reader: Reader) -> tuple[list[Alert], list[SetThreshold]]:
            return open_alerts(reader, known.id), read_thresholds(reader, [known.id])[known.id]

        channels = await read_channels(upgraded)
        options = [json.loads(one.document) for one in channels if one.kind == "slack"]
        return *await upgraded.read(known.id, work), options

    alerts, thresholds, options = asyncio.run(read())

    queue = 'a "quoted" é'
    (split,) = (alert for alert in alerts if alert.queue_name == queue)
    begun = begun_alert("going_round", queue, 9)
    assert ("set", "splits", 5, 5.0, 4.0) == (
        split.origin,
        split.unit,
        split.since,
        split.value,
        split.threshold,
    )
    assert (begun.id, Evidence((7,), ("b",))) == (split.id, split.evidence)
    assert (_SPLIT["sentence"], None, None) == (split.sentence, split.ended_at, split.end_reason)
    shown = [one for one in thresholds if not one.alert]
    assert [
        SetThreshold("ci_runs_per_merge", 1.25, "main", alert=False),
        SetThreshold("failure_rate", 0.05, "main", alert=False),
    ] == shown
    assert ["slack", "slack-2"] == sorted(str(one["name"]) for one in options)
    (new,) = (one for one in options if one["name"] == "slack-2")
    assert {"day": "friday"} == new["digest"]
    assert [
        {"what": "removed", "figures": None, "origins": None, "queues": ["a"]},
        {"what": "alert", "figures": None, "origins": ["reference"], "queues": ["a"]},
    ] == new["rules"]
