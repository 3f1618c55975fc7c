"""What people were told before a store was moved is not told again, and what was begun is ended."""

import asyncio
from pathlib import Path

from live_server import LiveServer, live_server
from logged_secrets import LOGGED
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.store.opening import open_store
from notices.receivers import Clock, Receiver, make_channel, remove_pull_request, serving
from postgres import watched
from postgres.server import new_database
from prompt_alerts import prompt_alerts
from waiting import wait_for, wait_until

_KEY = "a key of a moved store, of 32 letters"


def _moved(folder: Path, url: str, now: int) -> None:
    async def copy() -> None:
        async for _ in copy_store(source, target, now):
            pass

    source, target = open_store(folder, now=lambda: now), open_store(folder, url, now=lambda: now)
    try:
        asyncio.run(copy())
    finally:
        source.close()
        target.close()


def test_a_removal_is_told_once(tmp_path: Path, database_server: str) -> None:
    """One that was told some seconds before the store was moved, and the next one after that."""
    clock, url = Clock(), new_database(database_server)
    with Receiver() as slack:
        with serving(tmp_path, clock, slack, secret_keys=(_KEY,)) as server:
            make_channel(server, kind="slack", url=f"{slack.url}/services/T0/B0/x")
            remove_pull_request(server, clock, 7)
            clock.pass_seconds(16)
            wait_for(1, lambda: len(slack.asked))
        _moved(tmp_path, url, clock.now)
        with serving(tmp_path / "none", clock, slack, secret_keys=(_KEY,), database_url=url) as server:
            clock.pass_seconds(16)
            remove_pull_request(server, clock, 8)
            clock.pass_seconds(16)
            wait_until(lambda: any(b"#8" in asked.body for asked in slack.asked))

        assert 2 == len(slack.asked), [asked.body for asked in slack.asked]


def test_an_alert_that_was_told_is_told_to_be_over(tmp_path: Path, database_server: str) -> None:
    """Also if it ends after the store was moved."""
    clock, url = watched.Clock(watched.STUCK_AT), new_database(database_server)
    with watched.watched_server(tmp_path, clock):
        pass
    _moved(tmp_path, url, clock.now)
    before = len(LOGGED.getvalue())

    def told() -> list[int]:
        logged = LOGGED.getvalue()[before:].decode()
        return [logged.count(title) for title in ("Alert ·", "Alert over ·")]

    with (
        prompt_alerts(),
        live_server(tmp_path / "none", now=clock, notices=watched.NOTICES, database_url=url) as server,
    ):
        clock.now += 30 * MINUTE
        server.send(watched.start_again(), "demo/tower").raise_for_status()

        wait_until(lambda: _has_ended(server, clock))
        wait_for([0, 1], told)


def _has_ended(server: LiveServer, clock: watched.Clock) -> bool:
    clock.now += 5 * MINUTE
    alerts = watched.known(server)["alerts"]  # measures the queue
    return all(alert["ended_at"] for alert in alerts if alert["origin"] == "learned")
