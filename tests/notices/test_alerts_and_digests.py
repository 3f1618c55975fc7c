"""Alerts are reported when an incident begins and when it is over; digests once a week."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from builders import entered, left
from live_server import LiveServer
from local_http import Reply
from mergecast.queues.answers.channels import Schedule
from mergecast.queues.model.alert import Alert, Compared, Evidence
from mergecast.queues.model.cause import BEGIN, END, Cause
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant, to_datetime
from mergecast.queues.model.notification import ALERT
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import encode_alert, store_alerts
from mergecast.queues.store.channel_rows import NoticeRow, add_notices, repositories_with_causes
from mergecast.queues.store.outbox import add_causes
from mergecast.signals.notices.digest import last_due
from notices.receivers import CHANNELS, Clock, Receiver, listed, make_channel, serving
from notices.schemas import SLACK
from waiting import wait_for, wait_until

_WIDGETS = Repository("acme", "widgets")


def _stuck(now: int, figure: str = "no_run_started", key: str = "1") -> Alert:
    """It was found now."""
    evidence = Evidence(pull_requests=(1, 2, 3, 4, 5, 6, 7), unlisted=90)
    words = ("no run has started", "Look at CI.")
    return Alert(
        key, figure, "learned", "main", "default", now - 20 * MINUTE, now, 1200.0, 840.0, *words, evidence
    )


def _add(server: LiveServer, clock: Clock, phase: str, alert: Alert) -> None:
    """Store that an alert began or ended now."""
    if phase == END:
        alert = replace(alert, ended_at=clock.now, end_reason="recovered")
    cause = Cause(ALERT, alert.id, phase, clock.now, alert.base_ref, alert.queue_name, encode_alert(alert))
    asyncio.run(server.store.change(_WIDGETS, partial(add_causes, causes=[cause]), create=True))


def _notices(receiver: Receiver) -> list[Any]:
    return [json.loads(asked.body) for asked in list(receiver.asked)]


@pytest.mark.server
def test_an_incident_is_reported_when_it_begins_and_when_it_is_over(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, Receiver() as slack, serving(tmp_path, clock, webhook, slack) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        make_channel(server, kind="slack", url=slack.url)
        since, now = to_datetime(clock.now - 20 * MINUTE), to_datetime(clock.now)
        date = "" if since.date() == now.date() else "%Y-%m-%d "
        told = "`default` is stuck: nothing has run on `main` for 20m; 97 wait."
        sentence = since.strftime(f"Since {date}%H:%M UTC: {told}")
        alert = _stuck(clock.now)
        _add(server, clock, BEGIN, alert)
        wait_for([1, 1], lambda: [len(webhook.asked), len(slack.asked)])
        wait_for([0, 0], lambda: [channel["waiting"] for channel in listed(server)])
        clock.pass_seconds(600)
        _add(server, clock, END, alert)
        wait_for(
            [(ALERT, BEGIN, "1"), (ALERT, END, "1")],
            lambda: [(notice["kind"], notice["phase"], notice["incident"]) for notice in _notices(webhook)],
        )
        wait_for(2, lambda: len(slack.asked))

        assert sentence == _notices(webhook)[0]["sentence"]
        assert {
            "id": "1",
            "figure": "no_run_started",
            "origin": "learned",
            "base_ref": "main",
            "queue_name": "default",
            "since": format_instant(alert.since),
            "found_at": format_instant(alert.found_at),
            "ended_at": None,
            "end_reason": None,
            "value": 1200.0,
            "threshold": 840.0,
            "unit": "seconds",
            "sentence": "no run has started",
            "advice": "Look at CI.",
            "evidence": {
                "pull_requests": [1, 2, 3, 4, 5, 6, 7],
                "runs": [],
                "source": None,
                "check": None,
                "unlisted": 90,
                "queues": [],
            },
            "reference": None,
            "change": None,
        } == _notices(webhook)[0]["details"]
        assert format_instant(clock.now) == _notices(webhook)[1]["details"]["ended_at"]
        begin, end = _notices(slack)
        validate(begin, SLACK)
        assert "Alert · acme/widgets" == begin["blocks"][0]["text"]["text"]
        assert "Alert over · acme/widgets" == end["blocks"][0]["text"]["text"]
        assert (
            f"<{server.url}/r/acme/widgets/alerts|Open in Mergecast>"
            == (begin["blocks"][-1]["elements"][0]["text"])
        )
        pages = [f"<{server.url}/r/acme/widgets/pulls/{number}|#{number}>" for number in range(1, 6)]
        assert [
            sentence,
            "Queue: default (main)",
            f"Pull requests: {', '.join(pages)} and 92 more",
            "Look at CI.",
        ] == begin["blocks"][1]["text"]["text"].splitlines()
        assert f"Alert · acme/widgets · {sentence}" == begin["text"]
        assert (
            "This is over: `default` was stuck for 30m: nothing ran on `main` for 30m; 97 waited.\n"
            "Queue: default (main)" == end["blocks"][1]["text"]["text"]
        )


@pytest.mark.server
def test_what_follows_from_an_incident_sends_nothing_and_its_end_names_the_cause(tmp_path: Path) -> None:
    """The cause was found second, and ended first; another queue has an incident of its own."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        nothing = _stuck(clock.now, "nothing_merges", "n")
        run = replace(_stuck(clock.now, "run_too_long", "r"), evidence=Evidence(pull_requests=(7,)))
        hotfix = replace(_stuck(clock.now, key="h"), queue_name="hotfix")
        for phase, alert in ((BEGIN, nothing), (BEGIN, run), (END, run), (BEGIN, hotfix), (END, nothing)):
            _add(server, clock, phase, alert)
            wait_until(partial(_is_sent_on, server, clock))
            clock.pass_seconds(60)

        told = [(one["phase"], one["incident"], one["details"]["figure"]) for one in _notices(webhook)]
        assert [
            (BEGIN, "n", "nothing_merges"),
            (BEGIN, "h", "no_run_started"),
            (END, "n", "run_too_long"),
        ] == (told)
        assert (
            "This is over: `default` was stuck for 24m: the CI run for #7 lasted 22m, normally at most 14m; "
            "97 waited." == _notices(webhook)[-1]["sentence"]
        )


def _is_sent_on(server: LiveServer, clock: Clock) -> bool:
    """Whether no cause waits, and no message."""
    waiting = asyncio.run(repositories_with_causes(server.store, clock.now, clock.now - DAY))
    return not waiting and not any(channel["waiting"] for channel in listed(server))


@pytest.mark.server
def test_rules_choose_alerts_by_figure_origin_and_queue(tmp_path: Path) -> None:
    clock = Clock()
    rules: dict[str, list[dict[str, Any]]] = {
        "figure": [{"what": ALERT, "figures": ["runs_slow", "forgotten"]}],
        "origin": [{"what": ALERT, "origins": ["set"]}],
        "queue": [{"what": ALERT, "queues": ["hotfix"]}],
        "either": [{"what": ALERT, "queues": ["hotfix"]}, {"what": ALERT, "figures": ["forgotten"]}],
        "none": [],
        "removals": [{"what": "removed"}],
    }
    alerts = [
        replace(_stuck(clock.now, figure, figure), origin=origin, queue_name=queue)
        for figure, origin, queue in (
            ("runs_slow", "learned", "default"),
            ("no_run_started", "set", "hotfix"),
            ("forgotten", "set", "default"),
        )
    ]
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        for name, given in rules.items():
            make_channel(server, kind="webhook", url=f"{webhook.url}/{name}", name=name, rules=given)
        for alert in alerts:
            _add(server, clock, BEGIN, alert)
        wait_until(partial(_is_sent_on, server, clock))

        sent = sorted((asked.path[1:], json.loads(asked.body)["incident"]) for asked in webhook.asked)
        assert [
            ("either", "forgotten"),
            ("either", "no_run_started"),
            ("figure", "forgotten"),
            ("figure", "runs_slow"),
            ("origin", "forgotten"),
            ("origin", "no_run_started"),
            ("queue", "no_run_started"),
        ] == sent


@pytest.mark.server
def test_an_incident_ends_where_it_began_whatever_the_rules_say_meanwhile(tmp_path: Path) -> None:
    """A channel that is added meanwhile, or chooses it only then, gets no end without a beginning."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=f"{webhook.url}/before", name="before")
        make_channel(server, kind="webhook", url=f"{webhook.url}/later", name="later", rules=[])
        alert = _stuck(clock.now)
        _add(server, clock, BEGIN, alert)
        wait_until(partial(_is_sent_on, server, clock))
        clock.pass_seconds(60)
        for name, rules in (("before", []), ("later", [{"what": ALERT}])):
            server.http.put(f"{CHANNELS}/{name}", json={"rules": rules}).raise_for_status()
        make_channel(server, kind="webhook", url=f"{webhook.url}/new", name="new")
        _add(server, clock, END, alert)
        wait_until(partial(_is_sent_on, server, clock))

        assert [("/before", BEGIN), ("/before", END)] == [
            (asked.path, json.loads(asked.body)["phase"]) for asked in webhook.asked
        ]


@pytest.mark.server
def test_a_beginning_that_its_channel_has_not_taken_is_dropped_with_its_end(tmp_path: Path) -> None:
    """Other channels, which have taken it, get the end."""
    clock = Clock()
    with Receiver(Reply(500)) as broken, Receiver() as good, serving(tmp_path, clock, broken, good) as server:
        make_channel(server, kind="webhook", url=broken.url)
        make_channel(server, kind="webhook", url=good.url)
        alert = _stuck(clock.now)
        _add(server, clock, BEGIN, alert)
        wait_for([1, 1], lambda: [len(broken.asked), len(good.asked)])
        wait_until(lambda: all(channel["last_result"] for channel in listed(server)))
        _add(server, clock, END, alert)
        wait_for([BEGIN, END], lambda: [notice["phase"] for notice in _notices(good)])
        clock.pass_seconds(60)
        _add(server, clock, BEGIN, _stuck(clock.now, key="2"))

        wait_for(2, lambda: len(broken.asked))

        assert [BEGIN, BEGIN] == [notice["phase"] for notice in _notices(broken)]
        assert 2 == len({notice["happened_at"] for notice in _notices(broken)})


@pytest.mark.server
def test_a_message_that_cannot_be_made_is_not_tried_all_the_time(tmp_path: Path) -> None:
    """Such as one that a newer version has stored. The channel says so."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        id = make_channel(server, kind="webhook", url=webhook.url)["id"]
        strange = NoticeRow("n1", id, ALERT, "1", BEGIN, clock.now, "{}", 0, clock.now)
        asyncio.run(add_notices(server.store, [strange]))

        detail = "an unexpected error, which the log of the server describes; it is tried again"
        wait_for(detail, lambda: (listed(server)[0]["last_result"] or {}).get("detail"))


@pytest.mark.server
def test_an_alert_about_a_figure_is_reported_with_its_reference(tmp_path: Path) -> None:
    clock = Clock()
    words = "one in 20 pull requests stays longer than 2h00m in the queue default of main"
    alert = Alert(
        "a1", "time_to_merge_p95", "reference", "main", "default", clock.now - HOUR, clock.now,
        7200.0, 5400.0, words, "Look at what changed.",
        compared=Compared("march", 3600.0, 2.0, 1.5), seen_at=clock.now,
    )  # fmt: skip
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        for phase in (BEGIN, END):
            _add(server, clock, phase, alert)
            wait_until(partial(_is_sent_on, server, clock))

        since, now = to_datetime(alert.since), to_datetime(clock.now)
        form = "%H:%M UTC" if since.date() == now.date() else "%Y-%m-%d %H:%M UTC"
        assert [f"Since {since.strftime(form)}: {words}.", f"This is over after 1h00m: {words}."] == [
            notice["sentence"] for notice in _notices(webhook)
        ]
        assert {"name": "march", "value": 3600.0, "ratio": 2.0, "limit": 1.5} == (
            _notices(webhook)[0]["details"]["reference"]
        )


@pytest.mark.server
def test_a_digest_is_sent_once_a_week(tmp_path: Path) -> None:
    clock = Clock()
    clock.now = parse_instant("2026-03-08T12:00:00Z")  # a Sunday
    with Receiver() as webhook, Receiver() as slack, serving(tmp_path, clock, webhook, slack) as server:
        schedule = {"day": "monday", "hour": 9, "time_zone": "Europe/Berlin"}
        make_channel(server, kind="webhook", url=webhook.url, rules=[{"what": "digest"}], digest=schedule)
        make_channel(server, kind="slack", url=slack.url, rules=[{"what": "digest"}])
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


@pytest.mark.server
def test_alerts_say_which_channels_received_them(tmp_path: Path) -> None:
    """By name, also after the channel was renamed or deleted, and for what joined an incident."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="ops", rules=[{"what": "alert"}])
        gone = make_channel(server, kind="webhook", url=webhook.url, name="gone")
        make_channel(server, kind="webhook", url=webhook.url, name="removals", rules=[{"what": "removed"}])
        hotfix = replace(_stuck(clock.now, "run_too_long", key="h"), queue_name="hotfix")
        alerts = [_stuck(clock.now), _stuck(clock.now, "nothing_merges", "2"), hotfix]
        keep = partial(store_alerts, begun=alerts, ended=[])
        asyncio.run(server.store.change(_WIDGETS, keep, create=True))
        clock.pass_seconds(300)
        wait_until(partial(_is_sent_on, server, clock))
        server.http.put(f"{CHANNELS}/ops", json={"name": "#ops", "rules": []}).raise_for_status()
        server.http.delete(f"{CHANNELS}/gone").raise_for_status()
        clock.pass_seconds(1)
        later = replace(_stuck(clock.now, key="l"), queue_name="later")
        asyncio.run(
            server.store.change(_WIDGETS, partial(store_alerts, begun=[later], ended=[]), create=True)
        )
        clock.pass_seconds(300)
        wait_until(partial(_is_sent_on, server, clock))

        answer = server.http.get("/v1/repos/acme/widgets/alerts?state=all").json()
        deleted = f"deleted-{gone['id'][:4]}"
        assert {"default": ["#ops", deleted], "hotfix": ["#ops", deleted], "later": []} == {
            incident["queue_name"]: incident["notified"] for incident in answer["incidents"]
        }
