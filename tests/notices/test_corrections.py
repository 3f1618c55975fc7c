"""What a notice advises about a removal is corrected, once, if it changes soon."""

import json
from http.client import SERVICE_UNAVAILABLE
from pathlib import Path
from typing import Any

import pytest

from builders import Wire, ended, entered, left, reported, started
from live_server import LiveServer
from mergecast.queues.model.instant import MINUTE, format_instant
from notices.receivers import Clock, Receiver, listed, make_channel, serving
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server
_VERDICT = "/v1/repos/acme/widgets/pulls/7/verdict"


def _failed(now: int, number: int, minutes: int, name: str = "build") -> list[Wire]:
    """A pull request that was tested alone, failed a check, and left so many minutes ago."""
    session, batch = f"s{number}", f"b{number}"
    begun, over = format_instant(now - (minutes + 2) * MINUTE), format_instant(now - minutes * MINUTE)
    return [
        entered(begun, session, number, head_sha=f"{number:040x}"),
        started(begun, session, number, batch, [number]),
        reported(over, batch, name, "failure", started_at=begun, ended_at=over),
        ended(over, session, number, batch, "CHECKS_FAILED"),
        left(over, session, number, "CHECKS_FAILED"),
    ]


def _nameless(now: int, number: int) -> list[Wire]:
    """The same just now, but no source has reported yet which check failed."""
    return [event for event in _failed(now, number, 0) if event["type"] != "ci_check_reported"]


def _others(now: int) -> list[Wire]:
    """Others failed the same check in the hour before."""
    return [event for number in range(11, 17) for event in _failed(now, number, 3 * number)]


def _act(server: LiveServer) -> str:
    """Empty while the removal is not judged."""
    answer = server.http.get(_VERDICT)
    return "" if answer.status_code == SERVICE_UNAVAILABLE else str(answer.raise_for_status().json()["act"])


def _notices(webhook: Receiver) -> list[Any]:
    return [json.loads(asked.body) for asked in webhook.asked]


def _about(webhook: Receiver, number: int) -> list[Any]:
    return [one for one in _notices(webhook) if number in {pull["number"] for pull in one["removed"]}]


def _settled(server: LiveServer) -> None:
    wait_for(0, lambda: listed(server)[0]["waiting"])


def test_an_act_that_changes_soon_is_corrected_once(tmp_path: Path) -> None:
    """Others failed the same check in the hour before, but their events arrive later."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        server.send(_failed(clock.now, 7, 0))
        clock.pass_seconds(16)
        wait_until(lambda: webhook.asked)
        _settled(server)
        (first,) = _notices(webhook)
        assert "look" == first["removed"][0]["verdict"]["act"]

        server.send(_others(clock.now))
        clock.pass_seconds(3)
        wait_for("wait", lambda: _act(server))
        wait_for(2, lambda: sum(one["removed"][0]["number"] == 7 for one in _notices(webhook)))

        found = next(one for one in _notices(webhook) if one["phase"] == "correction")
        assert (first["id"], "wait", "removed") == (
            found["corrects"],
            found["removed"][0]["verdict"]["act"],
            found["kind"],
        )
        assert first["id"] != found["id"]
        assert found["removed"][0]["verdict"]["sentence"] == found["sentence"]


def test_a_change_before_the_notice_is_no_correction(tmp_path: Path) -> None:
    """The notice says what is known when it is made."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        server.send(_failed(clock.now, 7, 0))
        wait_for("look", lambda: _act(server))
        server.send(_others(clock.now))
        clock.pass_seconds(3)
        wait_for("wait", lambda: _act(server))
        clock.pass_seconds(16)
        wait_for(1, lambda: sum(one["removed"][0]["number"] == 7 for one in _notices(webhook)))
        _settled(server)

        (found,) = [one for one in _notices(webhook) if one["removed"][0]["number"] == 7]
        assert ("once", None, "wait") == (
            found["phase"],
            found["corrects"],
            found["removed"][0]["verdict"]["act"],
        )


def test_a_notice_waits_for_the_name_of_the_check(tmp_path: Path) -> None:
    """In a queue that reports names; the message about another removal shows that this one was looked at."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        server.send([*_failed(clock.now, 30, 90), *_nameless(clock.now, 7), *_failed(clock.now, 8, 0)])
        wait_for("look", lambda: _act(server))
        clock.pass_seconds(16)
        wait_until(lambda: _about(webhook, 8))
        _settled(server)
        assert [] == _about(webhook, 7)

        at = format_instant(clock.now)
        server.send([reported(at, "b7", "build", "failure", started_at=at, ended_at=at)])
        (found,) = wait_until(lambda: _about(webhook, 7))
        assert "build" == found["removed"][0]["failed_check"]["name"]


def test_a_notice_waits_a_minute_for_the_name_of_the_check(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        server.send([*_failed(clock.now, 30, 90), *_nameless(clock.now, 7), *_failed(clock.now, 8, 0)])
        wait_for("look", lambda: _act(server))
        clock.pass_seconds(59)
        wait_until(lambda: _about(webhook, 8))
        _settled(server)
        assert [] == _about(webhook, 7)

        clock.pass_seconds(2)
        (found,) = wait_until(lambda: _about(webhook, 7))
        assert (None, "look") == (
            found["removed"][0]["failed_check"],
            found["removed"][0]["verdict"]["act"],
        )


def _told_later(server: LiveServer, clock: Clock, webhook: Receiver) -> list[Any]:
    """All messages about the first removal, once a later one was told: a correction would be among them."""
    server.send(_failed(clock.now, 9, 0))
    clock.pass_seconds(16)
    wait_until(lambda: _about(webhook, 9))
    _settled(server)
    return _about(webhook, 7)


def test_removals_that_were_told_together_are_not_corrected(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        begun = clock.now
        others = [event for number in range(40, 50) for event in _failed(begun, number, 0, f"check {number}")]
        server.send([*_failed(begun, 7, 0), *others])
        wait_for("queue_again", lambda: _act(server))
        clock.pass_seconds(16)
        (first,) = wait_until(lambda: _about(webhook, 7))
        assert 11 == len(first["removed"])
        (pull,) = [one for one in first["removed"] if one["number"] == 7]
        assert "queue_again" == pull["verdict"]["act"]

        clock.pass_seconds(120)
        server.send(_others(begun))
        clock.pass_seconds(3)
        wait_for("wait", lambda: _act(server))
        clock.pass_seconds(120)
        assert [first] == _told_later(server, clock, webhook)


def test_a_removal_of_more_than_an_hour_ago_is_not_corrected(tmp_path: Path) -> None:
    """What happened before it is reported too late."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        begun = clock.now
        server.send(_failed(clock.now, 7, 0))
        clock.pass_seconds(16)
        (first,) = wait_until(lambda: _about(webhook, 7))
        _settled(server)

        clock.pass_seconds(3601)
        server.send(_others(begun))
        clock.pass_seconds(3)
        wait_for("wait", lambda: _act(server))
        assert [first] == _told_later(server, clock, webhook)
