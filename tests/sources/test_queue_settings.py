"""The settings of a queue that GitHub tells are kept with their time."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mergecast.incoming.intake.follower import StoreSink
from mergecast.incoming.intake.intake import Intake
from mergecast.prediction.history import settings_in_force
from mergecast.queues.model.instant import HOUR, MINUTE
from mergecast.queues.model.queue_settings import SettingsInForce
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from sources.faulty_server import FaultyServer, faulty_server
from sources.imports import NOW, SINCE, Setup
from sources.platforms import GitHubPlatform

_NAME = Repository("acme", "lander")
_CONFIGURATION: dict[str, Any] = {
    "maximumEntriesToBuild": 7, "maximumEntriesToMerge": 4, "minimumEntriesToMerge": 2,
    "minimumEntriesToMergeWaitTime": 3, "mergingStrategy": "ALLGREEN", "checkResponseTimeout": 60,
}  # fmt: skip
_RULE = {
    "type": "merge_queue",
    "parameters": {
        "max_entries_to_build": 7, "max_entries_to_merge": 4, "min_entries_to_merge": 2,
        "min_entries_to_merge_wait_minutes": 3, "grouping_strategy": "ALLGREEN",
        "check_response_timeout_minutes": 60, "merge_method": "SQUASH",
    },
}  # fmt: skip
_VALUES: dict[str, int | str] = {
    "checks_timeout": 3600, "grouping_strategy": "ALLGREEN", "max_entries_to_build": 7,
    "max_entries_to_merge": 4, "min_entries_to_merge": 2, "wait_minutes": 3,
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def _imported(store: Store, server: FaultyServer, now: int = NOW) -> int:
    """How many items were stored."""
    sink = StoreSink(store, Intake(store, lambda: now, "tests"), _NAME, "github", lambda: now)
    return Setup("github", server, sink, now).once(SINCE).stored


def _told(store: Store, base_ref: str = "main") -> SettingsInForce | None:
    async def read() -> SettingsInForce | None:
        known = await store.repository(_NAME)
        assert known is not None
        return await store.read(known.id, lambda reader: settings_in_force(reader, known.id, base_ref))

    return asyncio.run(read())


@pytest.mark.parametrize(
    ("configuration", "rules"), [(_CONFIGURATION, None), (None, [_RULE]), (_CONFIGURATION, [_RULE])]
)
def test_the_queue_says_its_settings_or_the_rule_of_its_branch_does(
    configuration: dict[str, Any] | None, rules: list[dict[str, Any]] | None, store: Store
) -> None:
    platform = GitHubPlatform(configuration=configuration, rules=rules)
    with faulty_server(platform) as server:
        _imported(store, server)

    assert SettingsInForce("GitHub", NOW, _VALUES) == _told(store)
    assert _told(store, "other") is None


def test_the_last_settings_count_with_the_time_when_they_were_read(store: Store) -> None:
    """Settings that stay the same are stored once an hour, and a change at once."""
    platform = GitHubPlatform(configuration=_CONFIGURATION)
    with faulty_server(platform) as server:
        stored = [_imported(store, server, NOW + minutes * MINUTE) for minutes in (0, 5, 60)]
        assert SettingsInForce("GitHub", NOW + HOUR, _VALUES) == _told(store)
        platform.configuration = {**_CONFIGURATION, "maximumEntriesToBuild": 3}
        stored.append(_imported(store, server, NOW + 62 * MINUTE))

    assert [1, 0, 1, 1] == stored
    changed = _VALUES | {"max_entries_to_build": 3}
    assert SettingsInForce("GitHub", NOW + 62 * MINUTE, changed) == _told(store)


def test_what_github_does_not_say_is_not_kept(store: Store) -> None:
    """Settings that are null, and a queue without any."""
    platform = GitHubPlatform(configuration={"maximumEntriesToBuild": 7, "mergingStrategy": None})
    with faulty_server(platform) as server:
        _imported(store, server)

    assert SettingsInForce("GitHub", NOW, {"max_entries_to_build": 7}) == _told(store)
