"""Problems and alerts are reported when they begin and when they end; digests once a week."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from builders import entered, left
from live_server import LiveServer
from local_http import Reply
from mergecast.queues.model.baseline import Alert, stored_name
from mergecast.queues.model.cause import ALERT, BEGIN, END, PROBLEM, Cause
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant, to_datetime
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.channel_rows import NoticeRow, add_notices
from mergecast.queues.store.outbox import add_causes
from mergecast.signals.notices.channel import Schedule
from mergecast.signals.notices.digest import last_due
from notices.receivers import Clock, Receiver, listed, make_channel, serving
from notices.schemas import SLACK
from waiting import wait_for, wait_until

_WIDGETS = Repository("acme", "widgets")


def _add(server: LiveServer, clock: Clock, phase: str, key: str = "1") -> None:
    said = {"problem": "no_run_started", "sentence": f"no run, {phase}", "advice": "Look at CI."}
    evidence = {"value": 9.0, "pull_requests": [1, 2, 3, 4, 5, 6, 7], "unlisted": 90}
    more = {"since": format_instant(clock.now - 20 * MINUTE), "evidence": evidence}
    document = json.dumps({**said, **more})
    cause = Cause(PROBLEM, key, phase, clock.now, "main", "default", document)
    asyncio.run(server.store.change(_WIDGETS, lambda held: add_causes(held, [cause]), create=True))


def _notices(receiver: Receiver) -> list[Any]:
    return [json.loads(asked.body) for asked in list(receiver.asked)]


@pytest.mark.server
def test_a_problem_is_reported_when_it_begins_and_when_it_ends(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, Receiver() as slack, serving(tmp_path, clock, webhook, slack) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        make_channel(server, kind="slack", url=slack.url)
        since, now = to_datetime(clock.now - 20 * MINUTE), to_datetime(clock.now)
        date = "" if since.date() == now.date() else "%Y-%m-%d "
        sentence = since.strftime(f"Since {date}%H:%M UTC: no run, begin.")
        _add(server, clock, BEGIN)
        wait_for([1, 1], lambda: [len(webhook.asked), len(slack.asked)])
        wait_for([0, 0], lambda: [channel["waiting"] for channel in listed(server)])
        clock.pass_seconds(1)
        _add(server, clock, END)
        wait_for(
            [(PROBLEM, BEGIN), (PROBLEM, END)],
            lambda: [(notice["kind"], notice["phase"]) for notice in _notices(webhook)],
        )
        wait_for(2, lambda: len(slack.asked))

        assert sentence == _notices(webhook)[0]["sentence"]
        details = _notices(webhook)[0]["details"]
        assert ("no_run_started", "no run, begin", "Look at CI.") == (
            details["problem"],
            details["sentence"],
            details["advice"],
        )
        begin, end = _notices(slack)
        validate(begin, SLACK)
        assert "Queue problem · acme/widgets" == begin["blocks"][0]["text"]["text"]
        pages = [f"<{server.url}/r/acme/widgets/pulls/{number}|#{number}>" for number in range(1, 6)]
        assert [
            sentence,
            "Queue: default (main)",
            f"Pull requests: {', '.join(pages)} and 92 more",
            "Look at CI.",
        ] == begin["blocks"][1]["text"]["text"].splitlines()
        assert f"Queue problem · acme/widgets · {sentence}" == begin["text"]
        assert (
            "This is over after 20m: no run, end.\nQueue: default (main)" == end["blocks"][1]["text"]["text"]
        )


@pytest.mark.server
def test_a_beginning_that_its_channel_has_not_taken_is_dropped_with_its_end(tmp_path: Path) -> None:
    """Other channels, which have taken it, get the end."""
    clock = Clock()
    with Receiver(Reply(500)) as broken, Receiver() as good, serving(tmp_path, clock, broken, good) as server:
        make_channel(server, kind="webhook", url=broken.url)
        make_channel(server, kind="webhook", url=good.url)
        _add(server, clock, BEGIN)
        wait_for([1, 1], lambda: [len(broken.asked), len(good.asked)])
        wait_until(lambda: all(channel["last_result"] for channel in listed(server)))
        _add(server, clock, END)
        wait_for([BEGIN, END], lambda: [notice["phase"] for notice in _notices(good)])
        clock.pass_seconds(60)
        _add(server, clock, BEGIN, key="2")

        wait_for(2, lambda: len(broken.asked))

        assert [BEGIN, BEGIN] == [notice["phase"] for notice in _notices(broken)]
        assert 2 == len({notice["happened_at"] for notice in _notices(broken)})


@pytest.mark.server
def test_a_message_that_cannot_be_made_is_not_tried_all_the_time(tmp_path: Path) -> None:
    """Such as one that a newer version has stored. The channel says so."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        id = make_channel(server, kind="webhook", url=webhook.url)["id"]
        strange = NoticeRow("n1", id, PROBLEM, "1", BEGIN, clock.now, "{}", 0, clock.now)
        asyncio.run(add_notices(server.store, [strange]))

        detail = "an unexpected error, which the log of the server describes; it is tried again"
        wait_for(detail, lambda: (listed(server)[0]["last_result"] or {}).get("detail"))


@pytest.mark.server
def test_an_alert_is_reported_in_words(tmp_path: Path) -> None:
    """Alerts are stored as figures."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        began = Alert(
            "a1",
            "march",
            "main",
            "default",
            "time_to_merge_p95",
            clock.now - HOUR,
            7200.0,
            3600.0,
            2.0,
            1.5,
            seen_at=clock.now,
        )
        ended = replace(began, ended_at=clock.now, end_reason="recovered", below_since=clock.now - MINUTE)
        for phase, alert in ((BEGIN, began), (END, ended)):
            cause = Cause(ALERT, "a1", phase, clock.now, "main", "default", _encoded(alert))
            asyncio.run(server.store.change(_WIDGETS, partial(add_causes, causes=[cause]), create=True))
            wait_until(lambda phase=phase: webhook.asked and _notices(webhook)[-1]["phase"] == phase)  # type: ignore[misc]
            wait_for(0, lambda: listed(server)[0]["waiting"])

        told = "2h00m in the queue default of main, 2.0 times as long as in the baseline march (1h00m)"
        assert [
            f"One in 20 pull requests stays longer than {told}.",
            f"This is over: one in 20 pull requests stays longer than {told}.",
        ] == [notice["sentence"] for notice in _notices(webhook)]
        assert ["time_to_merge_p95"] * 2 == [notice["details"]["measure"] for notice in _notices(webhook)]
        now, hour_ago, minute_ago = (format_instant(clock.now - ago) for ago in (0, HOUR, MINUTE))
        assert [
            {"began_at": hour_ago, "ended_at": None, "below_since": None, "seen_at": now},
            {"began_at": hour_ago, "ended_at": now, "below_since": minute_ago, "seen_at": now},
        ] == [
            {name: value for name, value in notice["details"].items() if name.endswith(("_at", "_since"))}
            for notice in _notices(webhook)
        ]


def _encoded(alert: Alert) -> str:
    """As the store writes it."""
    return msgspec.json.encode(replace(alert, measure=stored_name(alert.measure))).decode()


@pytest.mark.server
def test_a_digest_is_sent_once_a_week(tmp_path: Path) -> None:
    clock = Clock()
    clock.now = parse_instant("2026-03-08T12:00:00Z")  # a Sunday
    with Receiver() as webhook, Receiver() as slack, serving(tmp_path, clock, webhook, slack) as server:
        schedule = {"day": "monday", "hour": 9, "time_zone": "Europe/Berlin"}
        make_channel(server, kind="webhook", url=webhook.url, notify=["digest"], digest=schedule)
        make_channel(server, kind="slack", url=slack.url, notify=["digest"])
        events = []
        for number in range(1, 30):
            begun, reason = clock.now - number * HOUR, "CHECKS_FAILED" if number % 5 == 0 else "PR_MERGED"
            events += [
                entered(format_instant(begun - number * MINUTE), f"s{number}", number),
                left(format_instant(begun), f"s{number}", number, reason=reason),
            ]
        server.send(events)
        clock.now = parse_instant("2026-03-09T08:00:01Z")  # nine o'clock in Berlin
        wait_until(lambda: webhook.asked)
        assert [] == slack.asked
        clock.now += HOUR
        wait_until(lambda: slack.asked)
        clock.now += DAY

        (notice,) = _notices(webhook)
        validate(_notices(slack)[0], SLACK)
        figures = {figure["name"]: figure["text"] for figure in notice["digest"]["figures"]}
        assert "24" == figures["Merged"]
        assert 6 == len(figures)
        assert [29, 28, 27] == [stay["pull_request"] for stay in notice["digest"]["slowest"]]
        assert [("CHECKS_FAILED", 5)] == [
            (one["reason"], one["count"]) for one in notice["digest"]["reasons"]
        ]
        told = "So far p50 15m, p95 28m; there is nothing to compare with yet. The queue is empty."
        assert told == notice["sentence"]


@pytest.mark.parametrize(
    ("zone", "now", "due"),
    [
        ("UTC", "2026-03-09T08:59:59Z", "2026-03-02T09:00:00Z"),
        ("UTC", "2026-03-09T09:00:00Z", "2026-03-09T09:00:00Z"),
        ("Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-23T08:00:00Z"),
        ("Europe/Berlin", "2026-03-30T07:00:00Z", "2026-03-30T07:00:00Z"),
        ("America/Los_Angeles", "2026-03-09T15:59:59Z", "2026-03-02T17:00:00Z"),
    ],
)
def test_a_digest_is_due_by_the_clock_of_its_time_zone(zone: str, now: str, due: str) -> None:
    """Also in the week in which the clocks change."""
    found = last_due(Schedule("monday", 9, zone), parse_instant(now))

    assert datetime.fromisoformat(due) == datetime.fromtimestamp(found / 1e6, UTC)
