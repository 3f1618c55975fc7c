"""An open alert names the change of its figure that it began with: in answers, on a terminal, in messages."""

import asyncio
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api.changed_settings import put_settings
from changes.history import END, MONDAY, SLOWER_FROM, slower_from
from cli.program import mergecast
from live_server import TOKEN, LiveServer
from mergecast.queues.model.alert import Alert, Compared
from mergecast.queues.model.instant import DAY, HOUR, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import store_alerts
from mergecast.signals.alerts.watcher import AlertWatch
from notices.receivers import Clock, Receiver, make_channel, serving
from waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.thorough]

PATH = "/v1/repos/acme/widgets"
SENTENCE = "Since about 2026-07-15: time to merge, p95: 17m → 27m."


def _pin_spring(server: LiveServer) -> None:
    period = {"start_at": format_instant(MONDAY), "end_at": format_instant(MONDAY + 56 * DAY)}
    queue = {"base_ref": "main", "queue_name": "default"}
    put_settings(server, reference_periods=[{"name": "spring", **period, **queue}]).raise_for_status()


def _slow(now: int, name: str = "spring") -> Alert:
    """It was found now, against the period that was pinned."""
    words = "time to merge is too long", "Look at what changed."
    figure = "time_to_merge_p95"
    return Alert(
        "a1", figure, "reference", "main", "default", now - HOUR, now, 1700.0, 1600.0, *words,
        compared=Compared(name, 1080.0, 1.57, 1.5), seen_at=now,
    )  # fmt: skip


def _begin(server: LiveServer, *alerts: Alert) -> None:
    work = partial(store_alerts, begun=alerts, ended=())
    asyncio.run(server.store.change(Repository("acme", "widgets"), work, create=False))


def _find_changes(server: LiveServer) -> None:
    """Before an alert needs them: on a busy machine that takes longer than an answer waits for them."""
    queue = {"base_ref": "main", "queue_name": "default"}
    server.http.get(f"{PATH}/changes", params=queue).raise_for_status()


def _pin_summer(server: LiveServer) -> None:
    """It begins after the change."""
    period = {"start_at": format_instant(SLOWER_FROM + DAY), "end_at": format_instant(SLOWER_FROM + 50 * DAY)}
    queue = {"base_ref": "main", "queue_name": "default"}
    put_settings(server, reference_periods=[{"name": "summer", **period, **queue}]).raise_for_status()


def _alerts(server: LiveServer) -> dict[str, Any]:
    answer = server.http.get(f"{PATH}/alerts").json()
    return {alert["figure"]: alert["change"] for alert in answer["alerts"]}


def test_an_alert_says_since_about_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of another figure, and that which began before the change, name none."""
    monkeypatch.setattr(AlertWatch, "look_seconds", 3600.0)
    clock = Clock()
    clock.now = END + HOUR
    with Receiver() as webhook, Receiver() as slack, serving(tmp_path, clock, webhook, slack) as server:
        server.send(slower_from()).raise_for_status()
        make_channel(server, kind="webhook", url=webhook.url)
        make_channel(server, kind="slack", url=slack.url)
        _pin_spring(server)
        _find_changes(server)
        # The task that measures queues does not look again: what follows stays open.
        assert {} == _alerts(server)
        slow = _slow(clock.now)
        early = replace(slow, id="a2", figure="ci_runs_per_merge", since=MONDAY + 60 * DAY)
        _begin(server, slow, early)
        clock.pass_seconds(300)
        wait_until(lambda: webhook.asked and slack.asked)
        shown = _alerts(server)
        listed = mergecast("alerts", "acme/widgets", "--url", server.url, "--token", TOKEN, data=tmp_path)

        change = {
            "began_on": "2026-07-15",
            "earliest": "2026-07-15",
            "latest": "2026-07-15",
            "before": pytest.approx(1022, abs=1),
            "after": pytest.approx(1640, rel=0.05),
            "sentence": SENTENCE,
        }
        assert {"time_to_merge_p95": change, "ci_runs_per_merge": None} == shown
        assert f"  {SENTENCE}\n" in listed.out
        assert change == json.loads(webhook.asked[0].body)["details"]["change"]
        assert SENTENCE in json.loads(slack.asked[0].body)["blocks"][1]["text"]["text"].splitlines()


def test_an_alert_names_no_change_of_before_its_reference_period_or_long_ago(tmp_path: Path) -> None:
    clock = Clock()
    clock.now = END + HOUR
    with serving(tmp_path, clock) as server:
        server.send(slower_from()).raise_for_status()
        _pin_summer(server)
        _find_changes(server)
        assert {} == _alerts(server)
        compared = _slow(clock.now, "summer")
        learned = replace(compared, id="a2", origin="learned", compared=None)
        shortly = replace(learned, id="a3", figure="time_to_merge_p50", since=SLOWER_FROM + 27 * DAY)
        _begin(server, compared, shortly)
        assert [None, "2026-07-15"] == _named(server)
        _begin(server, learned)
        assert [None, None, "2026-07-15"] == _named(server)


def _named(server: LiveServer) -> list[str | None]:
    """Since when the figure of each alert has had another level, by the ids of the alerts."""
    alerts = sorted(server.http.get(f"{PATH}/alerts").json()["alerts"], key=lambda one: str(one["id"]))
    return [one["change"] and one["change"]["began_on"] for one in alerts]
